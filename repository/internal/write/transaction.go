package write

import (
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OpCommit is the operation of a transaction as a whole, as errors and events
// name it.
const OpCommit = "commit"

// Transaction is operations on documents of one logical partition that take
// effect together or not at all. It is used once, and by one goroutine at a time.
type Transaction struct {
	Writer     *Writer    // of the first operation
	Place      wire.Place // of its document
	Operations []Operation
	bytes      int
	WantsETags bool // a document is to be told its ETag
}

// Operation is an operation of a transaction.
type Operation struct {
	wire.Operation
	writer *Writer    // of the document
	place  wire.Place // of the document

	// looks says that a look comes before the transaction is sent, and means which
	// document of the type is meant; see verify.
	looks bool
	means func(doc any) bool

	// stamped is the document that the operation stores, if it has stamps that a look
	// decides; nil for others.
	stamped *Document

	// Once says that it is a patch, or counts a version, which must not take effect twice.
	Once bool

	// Request is the patch of a patch; nil for others.
	Request *Patch

	// Repeated says that the document may have been stored by an earlier
	// transaction whose outcome was unclear.
	Repeated bool

	// OnCommitted is called once the transaction has taken effect, with the result if
	// there is one. It may be nil.
	OnCommitted func(azcosmos.TransactionalBatchResult)
}

// Add adds an operation on the document at p, of the container of s.
func (tx *Transaction) Add(s *Writer, p wire.Place, i Operation) error {
	refusal := tx.objection(s, p, i)
	if refusal == nil {
		refusal = tx.second(s, &i)
	}
	if refusal != nil {
		return s.Failure(i.Op, p, refusal)
	}
	if len(tx.Operations) == 0 {
		tx.Writer, tx.Place = s, p
	}
	i.writer, i.place = s, p
	tx.Operations = append(tx.Operations, i)
	tx.bytes += i.Size()
	return nil
}

// objection returns why the transaction does not take an operation, nil if it
// does.
func (tx *Transaction) objection(s *Writer, p wire.Place, i Operation) error {
	switch {
	case s.Unusable != nil:
		return s.Unusable
	case len(tx.Operations)+tx.reserved(s, i) >= wire.MaxBatchOperations:
		return fmt.Errorf("the transaction has %d operations, and no more are possible: make several of it, or fewer operations", len(tx.Operations))
	case tx.bytes+i.Size() > wire.MaxBatchBytes:
		return fmt.Errorf("%w: the transaction would have about %d bytes, and %d are possible: make several of it, or the documents smaller", wire.ErrTooLarge, tx.bytes+i.Size(), wire.MaxBatchBytes)
	case len(tx.Operations) == 0:
		return nil
	case s.Resident != tx.Writer.Resident:
		return errors.New("of the types of the transaction, only some have tenants that may have a container of their own: tag them all own=")
	case s.Client.ID() != tx.Writer.Client.ID():
		return fmt.Errorf("its container is %s and that of the transaction %s, but a transaction is of one container", s.Client.ID(), tx.Writer.Client.ID())
	case *s.Client != *tx.Writer.Client:
		// The SDK does not tell databases and accounts of clients.
		return fmt.Errorf("its repository and that of the transaction's first document have clients of their own for a container %s: "+
			"make both repositories with one *azcosmos.ContainerClient, or with those of one *azcosmos.DatabaseClient", s.Client.ID())
	case p.Name != tx.Place.Name:
		return fmt.Errorf("the transaction is of partition %s, and one logical partition is all that it can change", tx.Place.Name)
	}
	return nil
}

// reserved returns how many operations of a transaction are kept for those that it gets
// while its tenant moves: one, and one for each deletion.
func (tx *Transaction) reserved(s *Writer, i Operation) int {
	if !s.Resident {
		return 0
	}
	n := 1
	if i.Op == wire.OpDelete {
		n++
	}
	for _, o := range tx.Operations {
		if o.Op == wire.OpDelete {
			n++
		}
	}
	return n
}

// second prepares a second write to a document. A look reads the document from before
// the transaction, and so does not show what the first write makes. After a write to
// a document of the same type, the document is of the type, and there is no need to
// look. If that does not tell whose document it is, and after a write to a document of
// another type, the second write is refused.
func (tx *Transaction) second(s *Writer, i *Operation) error {
	for _, other := range tx.Operations {
		if other.ID != i.ID || other.Op == wire.OpGet || i.Op == wire.OpGet {
			continue
		}
		if other.Marks {
			return errors.New("the transaction deletes this id already, which marks the document and keeps it there: write it before that, or restore it afterwards")
		}
		if !other.looks && !i.looks {
			continue
		}
		if i.stamped != nil || other.stamped != nil {
			return errors.New("the transaction writes this id already, and the stamps of a document grow by one write in a transaction: write it once")
		}
		if s.Ambiguous || other.writer.Ambiguous || i.looks && other.writer.Type != s.Type {
			return errors.New("the transaction writes this id already, and a look cannot see whose document it is after that: write it once, or with its ETag")
		}
		i.looks = false
	}
	return nil
}

// CommitError is why an attempt at a transaction failed.
type CommitError struct {
	*wire.OperationError
	Operation int // to blame, counted from 0, or wire.NoOperation

	lost      bool // it may have taken effect
	repeated  bool // the client's pipeline sent it more than once, and an attempt before the last may have
	unnamed   bool // the service has not said which operation is to blame, and would if asked
	overtaken bool // it may succeed if it is sent again
	lacking   bool // the container does not exist
}

// whole returns the error of a transaction that failed as a whole.
func (tx *Transaction) whole(err error) *wire.OperationError {
	return tx.Writer.Failed(OpCommit, "", tx.Place.Name, true, err)
}
