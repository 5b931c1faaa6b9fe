package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// A Transaction is an entity group transaction: operations on documents of one logical
// partition of one table that take effect together or not at all. [Documents.In] adds
// operations:
//
//	tx := table.NewTransaction()
//	err := orders.In(tx).Create(order)
//	…
//	err = orders.In(tx).Delete(key)
//	…
//	err = tx.Commit(ctx)
//
// Nothing is sent before Commit. A transaction has at most 100 operations, each on another
// document, and 4 MB. Cosmos DB accepts 2 MB, and refuses more with an error that matches
// documents.ErrTooLarge.
//
// The first operation sets the table and the logical partition. A call is refused, and adds
// nothing, if its document belongs elsewhere, has an operation already, or cannot be stored, or
// if the transaction would be too large. After a refused call the transaction cannot be
// committed: Commit returns the first such error.
//
// A Transaction is used once, and by one goroutine at a time.
type Transaction struct {
	core    wire.Transaction
	used    bool
	refused error
}

// NewTransaction returns a transaction without operations.
func NewTransaction() *Transaction { return new(Transaction) }

// Len returns the number of operations.
func (tx *Transaction) Len() int {
	if tx == nil {
		return 0
	}
	return len(tx.core.Operations)
}

// Commit sends the operations as one request: all take effect, or none. Cosmos DB charges as
// much as for the operations one by one. After success, the ETag and partition key fields of
// the written documents hold the stored values.
//
// If an operation fails, the error is a *[TransactionError], which names the operation and its
// document, and matches documents.ErrNotFound, documents.ErrAlreadyExists or
// documents.ErrPreconditionFailed. If the request fails as a whole, the error is a *[documents.Error],
// such as one that matches documents.ErrThrottled. A second Commit, and a Commit without
// operations or after a refused operation, sends nothing and returns an error.
//
// If no response arrives, a transaction with only Upsert and Replace without an ETag is sent
// again, up to three times. If none of these attempts succeeds, whatever the last response, the
// error also matches documents.ErrUnclear.
//
// After any other transaction without a response, Commit reads the documents, with one point
// read each, and succeeds if all are as the transaction stores them, and the deleted ones are
// absent. Otherwise the error matches documents.ErrUnclear. If the transaction creates nothing
// and replaces a document with an ETag, Commit reads nothing, and the error matches
// documents.ErrUnclear: another program may have stored the same in place of that version.
//
// If the Create of a document with a random suffix finds the row key taken, Commit also reads
// the documents, and succeeds if they are as the transaction stores them. So after an unclear
// outcome, a new transaction of the same documents succeeds if the first took effect.
//
// A proxy may send the transaction twice. If another operation fails because a document exists,
// has changed or is missing, Commit therefore reads one document that the transaction stores,
// with one point read. If it is as the transaction stores it, and was not written more than 5
// seconds before the call, the error also matches documents.ErrUnclear.
func (tx *Transaction) Commit(ctx context.Context) error {
	switch {
	case tx == nil:
		return errors.New("commit: the transaction is nil: use NewTransaction")
	case tx.used:
		return errors.New("commit: the transaction was committed already: make another one")
	case tx.refused != nil:
		return fmt.Errorf("commit: nothing was sent, since an operation was refused before: %w", tx.refused)
	case tx.Len() == 0:
		return errors.New("commit: the transaction has no operations")
	}
	tx.used = true
	failed, err := tx.core.Commit(ctx)
	if err == nil {
		return nil
	}
	if failed < 0 {
		return documents.NewWriteError("commit", tx.core.Operations[0].Type, api.Place{Partition: tx.core.Partition}, err)
	}
	o := tx.core.Operations[failed]
	return documents.NewTransactionError(failed, tx.Len(), documents.NewWriteError(o.Name, o.Type, o.At, err))
}

// TransactionError is the error of a transaction in which an operation failed. It names the
// operation and the document, and wraps the *[documents.Error] of the operation.
type TransactionError = documents.TransactionError
