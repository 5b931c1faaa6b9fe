package repository

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// A Transaction is a transactional batch: operations on documents of one logical partition that
// take effect together or not at all. The documents may be of several types that share a
// container. [Documents.In] adds operations:
//
//	tx := repository.NewTransaction()
//	err := orders.In(tx).Create(order)
//	…
//	err = lines.In(tx).Upsert(line)
//	…
//	err = tx.Commit(ctx)
//
// Nothing is sent before Commit. The service runs the operations in order, so that each sees
// the results of the preceding ones, and accepts at most 100 operations and 2 MB
// ("Transactional batch operations in Azure Cosmos DB").
//
// The first operation sets the container and the logical partition. A call is refused, and adds
// nothing, if its document belongs to another container or logical partition, if its key is
// invalid, or if the transaction would be too large. After a refused call the transaction
// cannot be committed: Commit returns the first such error, in case the caller ignored it.
//
// A type whose partition key ends in the id has no transactions, since each document has its
// own logical partition: every call is refused.
//
// A Transaction is used once, and by one goroutine at a time.
type Transaction struct {
	core     untyped.Transaction
	refused  error             // the error of the first refused call
	resident *untyped.Resident // the tenant of the operations, if it may move; otherwise nil
	tenant   any               // the tenant of the operations, for observers; otherwise nil
}

// NewTransaction returns a transaction without operations.
func NewTransaction() *Transaction { return new(Transaction) }

// Len returns the number of operations.
func (tx *Transaction) Len() int {
	return tx.inner().Len()
}

// inner returns the transaction without its refusals, nil for nil.
func (tx *Transaction) inner() *untyped.Transaction {
	if tx == nil {
		return nil
	}
	return &tx.core
}

// note records the error of the first refused call, and returns err.
func (tx *Transaction) note(err error) error {
	if tx != nil && tx.refused == nil {
		tx.refused = err
	}
	return err
}

// Commit sends the operations as one request: all take effect, or none. It costs as much as the
// operations one by one. After success, the synthetic and etag fields of the written documents
// hold the stored values, and [Pending.Doc] returns the documents that were read.
//
// If an operation fails, the error is a *[TransactionError], which names the operation and its
// document, and matches ErrNotFound, ErrAlreadyExists or ErrPreconditionFailed. If the request
// fails as a whole, the error is an *[Error], such as one that matches ErrThrottled. A second
// Commit, and a Commit without operations or after a refused operation, sends nothing and
// returns an error.
//
// # Ids of other documents
//
// If keys can collide, or types without prefixes share the container, Delete, Upsert, and
// Replace without an ETag read first, and are sent on condition that the documents have not
// changed since; see [Documents]. This costs one point read, or one query for several
// operations. If a document has changed meanwhile, the read and the transaction are sent again,
// at most ten times with growing pauses.
//
// # Unclear outcomes
//
// If the connection breaks or the service fails before the response arrives, the transaction is
// sent again, up to three times. If the first attempt took effect, a second is harmless: it
// stores the same documents again, or fails at an operation that depends on the documents
// before, which is a Create, a Delete, or a Replace with an ETag. A transaction without such an
// operation is not sent again if it has a patch that must not run twice. The same applies if
// its only such operations create and delete the same document.
//
// If a second attempt fails, and the transaction creates a document or has no conditions except
// those of Delete, Commit reads the documents of the transaction, with one point read each. It
// succeeds if every document is as the transaction stores it, and every deleted document is
// absent. Otherwise the error also matches ErrUnclear: another program may have written them
// before or since.
//
// A proxy may send the transaction twice. If an operation fails because a document exists, has
// changed or is missing, Commit therefore reads one document that the transaction stores, with
// a point read, and the others if that one is as the transaction stores it. See [Documents].
//
// If the Create of a document with a random suffix finds the id taken, Commit reads the
// document, as [Documents.Create] does. So after an unclear outcome, a new transaction of the
// same documents succeeds if the first took effect. A transaction with patches fails, since
// documents do not show whether they were patched.
func (tx *Transaction) Commit(ctx context.Context) error {
	switch {
	case tx == nil:
		return errors.New("commit: the transaction is nil: use NewTransaction")
	case tx.core.Committed:
		return errors.New("commit: the transaction was committed already: make another one")
	case tx.refused != nil:
		return fmt.Errorf("commit: nothing was sent, since an operation was refused before: %w", tx.refused)
	case tx.Len() == 0:
		return errors.New("commit: the transaction has no operations")
	}
	tx.core.Committed = true
	if tx.tenant != nil {
		ctx = wire.WithTenant(ctx, tx.tenant)
	}
	ctx, end := tx.core.Writer.StartSpan(ctx, write.OpCommit)
	results, failed, err := tx.commit(ctx)
	if failed != nil {
		end(failed.OperationError)
	} else {
		end(err)
	}
	switch {
	case err != nil:
		return err
	case failed == nil:
		tx.core.NotifyCommitted(results)
		return nil
	case failed.Operation != wire.NoOperation:
		return documents.NewTransactionError(failed.Operation, tx.Len(), failed.OperationError)
	}
	return failed.OperationError
}

// commit sends the transaction, to the container of its tenant if the tenant may move. It
// returns the results, the failure of an operation, or another error.
func (tx *Transaction) commit(ctx context.Context) (results []azcosmos.TransactionalBatchResult, _ *write.CommitError, err error) {
	send := func(ctx context.Context) error {
		if err := tx.core.Writer.JoinSession(ctx, write.OpCommit); err != nil {
			return err
		}
		var failed *write.CommitError
		if results, failed = tx.core.Commit(ctx); failed != nil {
			return failed
		}
		return nil
	}
	if tx.resident == nil {
		err = send(ctx)
	} else {
		err = tx.resident.Write(ctx, write.OpCommit, send)
	}
	if own, ok := err.(*write.CommitError); ok { //nolint:errorlint // an error that wraps it has a text of its own
		return nil, own, nil
	}
	return results, nil, err
}

// TransactionError is the error of a transaction in which an operation failed. It names the
// operation and the document, and wraps the *[Error] of the operation.
type TransactionError = documents.TransactionError

// Pending is a document that a transaction reads.
type Pending[T any] struct {
	read   *untyped.Pending
	allows func(*T) error
}

// Doc returns the document after Commit, as it was when its turn came in the order of
// operations. It sends nothing. It returns ErrNotFound if the id belongs to another document,
// of another type or with fields that make the same partition key. If the id is free, the
// transaction itself fails with ErrNotFound.
//
// If the transaction was not committed or failed, or the response with the document was lost,
// the error matches no sentinel of the package; see Unclear outcomes at [Transaction.Commit].
func (p *Pending[T]) Doc() (*T, error) {
	if p.read == nil {
		return nil, untyped.ErrPending
	}
	doc, _ := p.read.Doc.(*T) // nil with an error
	if p.read.Err != nil {
		return doc, p.read.Err
	}
	if err := p.allows(doc); err != nil {
		return nil, err
	}
	return doc, nil
}
