package repository

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// A Transaction is operations on documents of one logical partition that take
// effect together or not at all: a transactional batch. The documents may be of
// several types that share a container. [Documents.In] adds operations:
//
//	tx := repository.NewTransaction()
//	err := orders.In(tx).Create(order)
//	…
//	err = lines.In(tx).Upsert(line)
//	…
//	err = tx.Commit(ctx)
//
// Nothing is sent before Commit. The service carries the operations out in their
// order, so that each sees what those before it have done, and takes at most 100
// operations and 2 MB ("Transactional batch operations in Azure Cosmos DB").
//
// The first operation decides the container and the logical partition. A call is
// refused, and adds nothing, if its document belongs to others, if its key
// cannot be stored, or if the transaction would be too large. A transaction of
// which a call was refused cannot be committed any more: Commit returns the
// first such error, in case that nobody has looked at it.
//
// A Transaction is used once, and not by several goroutines at the same time.
type Transaction struct {
	core    write.Transaction
	refused error // why the first of the calls was refused
	done    bool
}

// NewTransaction returns a transaction without operations.
func NewTransaction() *Transaction { return new(Transaction) }

// Len returns how many operations the transaction has.
func (tx *Transaction) Len() int {
	if tx == nil {
		return 0
	}
	return len(tx.core.Operations)
}

// add adds an operation on the document at p, of the container of s.
func (tx *Transaction) add(s *write.Writer, p wire.Place, i write.Operation) error {
	var reason string
	switch {
	case tx == nil:
		reason = "the transaction is nil: use NewTransaction"
	case tx.done:
		reason = "the transaction was committed already: make another one"
	default:
		return tx.core.Add(s, p, i)
	}
	return &wire.OperationError{Op: i.Op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: errors.New(reason)}
}

// note keeps the first error of a call that was refused, and returns err.
func (tx *Transaction) note(err error) error {
	err = exported(err)
	if tx != nil && tx.refused == nil {
		tx.refused = err
	}
	return err
}

// Commit sends the operations as one request: all take effect, or none does. It
// costs what they would cost one by one. After success, the synthetic and etag
// fields of the documents that were written hold the stored values, and those
// that were read can be had from their [Pending].
//
// If an operation fails, the error is a *[TransactionError], which says which
// one, and matches ErrNotFound, ErrAlreadyExists or ErrPreconditionFailed. If the
// request fails as a whole, it is an *[Error], such as one that matches
// ErrThrottled. A second Commit, and that of a transaction without operations or
// of which one was refused, is an error and sends nothing.
//
// # Ids that may be another document's
//
// Where keys can collide, and where types share a container whose ids have no
// prefixes, Delete, Upsert, and Replace without an ETag look first, and are sent on
// condition that the documents are unchanged; see [Documents]. The look is one
// point read, or for several operations one query. If a document has changed
// meanwhile, the look and the transaction are sent again, ten times at most with
// growing pauses.
//
// # Unclear outcomes
//
// If the connection breaks or the service fails before the answer comes, the
// transaction is sent again, up to three times. Where the first attempt has taken
// effect, another one cannot do harm: it stores the same documents again, or
// fails at an operation that depends on what was there before, a Create, a
// Delete, or a Replace with an ETag. A transaction that patches what must not
// be patched twice, and has no such operation, is not sent again. Nor is one that
// deletes again what it creates, or the reverse, and has no other.
//
// Where another attempt fails, and the transaction creates a document or has no
// other conditions than those of Delete, Commit reads back the documents that it
// writes, one point read each. If all of them are as it wanted them, those
// deleted absent, it has succeeded. Else the error matches ErrUnclear as well:
// somebody may have written them before or since.
//
// A document whose type has a random suffix is read back for any failure of its
// Create that finds the id taken, as [Documents.Create] does. So a transaction
// that is made anew of the same documents, after one whose outcome stayed
// unclear, succeeds if that one did. One that
// patches does not, since the documents do not tell whether they were patched.
func (tx *Transaction) Commit(ctx context.Context) error {
	switch {
	case tx == nil:
		return errors.New("commit: the transaction is nil: use NewTransaction")
	case tx.done:
		return errors.New("commit: the transaction was committed already: make another one")
	case tx.refused != nil:
		return fmt.Errorf("commit: nothing was sent, since an operation was refused before: %w", tx.refused)
	case tx.Len() == 0:
		return errors.New("commit: the transaction has no operations")
	}
	tx.done = true
	if err := tx.core.Writer.JoinSession(ctx, write.OpCommit); err != nil {
		return exported(err)
	}
	results, failed := tx.core.Commit(ctx)
	switch {
	case failed == nil:
		tx.core.NotifyCommitted(results)
		return nil
	case failed.Operation != wire.NoOperation:
		return &TransactionError{Operation: failed.Operation + 1, Of: tx.Len(), Err: exported(failed.OperationError)}
	}
	return exported(failed.OperationError)
}

// TransactionError is the error of a transaction that one of its operations made
// fail. Nothing of the transaction was stored then, unless the error matches
// ErrUnclear.
type TransactionError struct {
	// Operation is which operation failed, counted from 1, and Of how many the
	// transaction has.
	Operation, Of int

	// Err is why: an *Error that names the operation, the type and the id.
	Err error
}

// Error says which operation failed, and why.
func (e *TransactionError) Error() string {
	text := fmt.Sprintf("operation %d of %d of a transaction: %v", e.Operation, e.Of, e.Err)
	if !errors.Is(e.Err, ErrUnclear) {
		text += "; nothing of the transaction was stored"
	}
	return text
}

// Unwrap returns Err.
func (e *TransactionError) Unwrap() error { return e.Err }

// errLost is the error of a document that a transaction has read, and whose
// answer did not arrive.
var errLost = errors.New("the transaction took effect, but the answer that held the document was lost: call Get")

// errPending is the error of a document that a transaction has not read.
var errPending = errors.New("the transaction that reads it was not committed, or has failed")

// Pending is a document that a transaction reads.
type Pending[T any] struct{ read *pending }

// Doc returns the document, once the transaction is committed: as it was at its
// place in the order of operations. It returns ErrNotFound if another document
// stands there, of another type or of fields that make the same partition key; if
// there is none at all, the transaction has failed with this error. It sends
// nothing.
//
// The error of a transaction that was not committed, or that failed, matches
// none of the package's sentinels, and so does that of a document which the
// transaction has read in an answer that was lost, see Unclear outcomes at
// [Transaction.Commit].
func (p *Pending[T]) Doc() (*T, error) {
	if p.read == nil {
		return nil, errPending
	}
	doc, _ := p.read.doc.(*T) // nil with an error
	return doc, p.read.err
}
