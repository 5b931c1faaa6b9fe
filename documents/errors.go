package documents

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// The sentinels that errors of operations match with errors.Is, in every API.
var (
	// ErrNotFound: no document has this key, or a query found nothing. Also: the id belongs to
	// another document, whose fields make the same partition key; in Gremlin, an end of an edge
	// does not exist.
	ErrNotFound = failure.ErrNotFound

	// ErrAlreadyExists: the logical partition has a document with this id, or with the same
	// unique value. Status 409, in MongoDB code 11000.
	ErrAlreadyExists = failure.ErrAlreadyExists

	// ErrPreconditionFailed: the document has changed since it was read. Status 412. In MongoDB
	// it may also be gone, which the API does not distinguish; in Gremlin, other programs wrote
	// the vertex at the same moment, in each of ten attempts.
	ErrPreconditionFailed = failure.ErrPreconditionFailed

	// ErrNoContainer: the container, the table, the graph or its database does not exist.
	// Status 404. MongoDB has no such error.
	ErrNoContainer = failure.ErrNoContainer

	// ErrThrottled: the service is too busy, or a physical partition has no request units left,
	// even after retries. Status 429, in Table also 503 with the code ServerBusy, in MongoDB
	// code 16500. In Gremlin also: a traversal was cut off at a limit of the API, such as 30
	// seconds; a write that was cut off also matches ErrUnclear.
	ErrThrottled = failure.ErrThrottled

	// ErrTooLarge: the document, one of its properties, or a transaction exceeds the service's
	// limit: 2 MB per document, or 16 MB in MongoDB without request units. Status 413, or
	// nothing was sent. In Gremlin also: a response exceeds the size that is read.
	ErrTooLarge = failure.ErrTooLarge

	// ErrUnclear: a write was sent, and it is unknown whether it took effect.
	ErrUnclear = failure.ErrUnclear

	// ErrKeyChanged: the document is stored under a key other than the one its fields now make.
	// Nothing was sent.
	ErrKeyChanged = failure.ErrKeyChanged

	// ErrAmbiguous: several documents have this id, each under another suffix.
	ErrAmbiguous = failure.ErrAmbiguous

	// ErrCursor: a cursor is damaged, forged, or belongs to another query. Nothing was sent.
	ErrCursor = failure.ErrCursor

	// ErrDraft: the layout of the type is a draft, and the service is not on this machine.
	// Nothing was sent, in MongoDB nothing but a ping.
	ErrDraft = failure.ErrDraft

	// ErrRolledBack: the item of a bulk operation was not stored, because another item of its
	// transaction was refused: see [InTransactions]. errors.As finds a *[TransactionError] that
	// names the other item.
	ErrRolledBack = failure.ErrRolledBack
)

// Error is the error of an operation. It matches a sentinel if the reason is known, and wraps
// its cause, such as the error of the API's SDK.
type Error struct {
	// Op is the name of the operation, such as "create" or "query".
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the id of the document, or its row key; empty for requests of several
	// documents.
	ID string

	// PartitionKey is the partition key as JSON. A hierarchical key is an array, with fewer
	// levels for a query by a prefix. It is empty for requests of several logical partitions.
	PartitionKey string

	// Range is the id of the physical partition to which a request of a fan-out went, empty for
	// other requests and for APIs other than NoSQL.
	Range string

	// Status and Substatus are the HTTP status and the x-ms-substatus header of the last
	// response, 0 if there was none or the API has none.
	Status, Substatus int

	// Code is the service's name of the failure, such as "EntityAlreadyExists" or "11000". It
	// is empty if there was no response, and in NoSQL.
	Code string

	// Property is the JSON name of the property whose value is not unique, if the error matches
	// repository.ErrNotUnique; otherwise empty.
	Property string

	// Err is the cause. Its text may contain values of documents.
	Err error

	Kind    error  // the sentinel that it matches, or nil
	Reason  string // the reason, if neither Kind nor Err has it; without values of a document
	Note    string // added to the reason
	Unclear bool   // it is unknown whether the write took effect
}

// Error names the operation, the document by its id and partition key, and the reason. It
// contains no other value of the document, and no text of the service, which may contain such
// values.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op + " " + e.Type)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.PartitionKey != "" {
		b.WriteString(" in partition " + e.PartitionKey)
	}
	if e.Range != "" {
		b.WriteString(" in physical partition " + e.Range)
	}
	b.WriteString(": ")
	b.WriteString(e.outcome())
	return b.String()
}

// outcome is the reason, and whether the operation may have taken effect.
func (e *Error) outcome() string {
	said := e.reason()
	if e.Note != "" {
		said += ", " + e.Note
	}
	if e.Unclear {
		said += ", and it is not known whether it took effect"
	}
	return said
}

// reason is the reason, without values.
func (e *Error) reason() string {
	var (
		said   failure.Says
		driver *failure.Answer
	)
	answer := e.Code
	if e.Status != 0 {
		if answer = fmt.Sprintf("status %d", e.Status); e.Substatus != 0 {
			answer += fmt.Sprintf("/%d", e.Substatus)
		}
	}
	switch {
	case e.Kind != nil && errors.As(e.Err, &said):
		return e.Kind.Error() + ": " + said.Error()
	case e.Kind != nil && answer != "":
		return e.Kind.Error() + " (" + answer + ")"
	case e.Kind != nil && (e.Err == nil || errors.As(e.Err, &driver)):
		return e.Kind.Error()
	case e.Kind != nil && !errors.Is(e.Err, e.Kind):
		return e.Kind.Error() + ": " + words(e.Err)
	case e.Reason != "":
		return e.Reason
	case e.Code != "":
		return "the service refuses it (" + e.Code + ")"
	case e.Err != nil:
		return words(e.Err)
	}
	return "failed"
}

// words returns the text of an error without values.
func words(err error) string {
	if !failure.IsGuarded(err) {
		return failure.DiscreetText(err)
	}
	if own := (*Error)(nil); errors.As(err, &own) {
		return own.reason()
	}
	return failure.Text(err)
}

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error {
	var causes []error
	for _, err := range []error{e.Err, e.Kind} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	if e.Unclear {
		causes = append(causes, ErrUnclear)
	}
	return causes
}

// TransactionError is the error of a transaction in which an operation failed. Nothing of the
// transaction was stored, unless the error matches ErrUnclear.
type TransactionError struct {
	// Operation is the number of the failed operation, counted from 1, and Of the number of
	// operations.
	Operation, Of int

	// Op is the name of the failed operation, such as "replace"; Type is the document type,
	// and ID the id of its document, or its row key.
	Op, Type, ID string

	// PartitionKey is the partition key of the transaction as JSON, as in an Error.
	PartitionKey string

	// Err is the cause: an *Error of the failed operation.
	Err error
}

// NewTransactionError returns the error of a transaction in which operation n, counted from 0,
// failed with err. It is for the run times.
func NewTransactionError(n, operations int, err *Error) *TransactionError {
	return &TransactionError{Operation: n + 1, Of: operations, Op: err.Op, Type: err.Type, ID: err.ID, PartitionKey: err.PartitionKey, Err: err}
}

// Error names the failed operation, its document, and the reason:
//
//	transaction in partition "acme-2026": replace of Order "o-17" (operation 2 of 3):
//	document has changed since it was read (status 412); nothing of the transaction was stored
//
// It contains no other value of the document.
func (e *TransactionError) Error() string {
	var b strings.Builder
	b.WriteString("transaction")
	if e.PartitionKey != "" {
		b.WriteString(" in partition " + e.PartitionKey)
	}
	b.WriteString(": " + e.said(true))
	if !errors.Is(e.Err, ErrUnclear) {
		b.WriteString("; nothing of the transaction was stored")
	}
	return b.String()
}

// said names the failed operation and the reason. If unclear is true, it adds that the
// operation may have taken effect.
func (e *TransactionError) said(unclear bool) string {
	said := fmt.Sprintf("%s of %s %q (operation %d of %d): ", e.Op, e.Type, e.ID, e.Operation, e.Of)
	if own, ok := e.Err.(*Error); ok { //nolint:errorlint // an error that wraps it has a text of its own
		cause := *own
		cause.Unclear = own.Unclear && unclear
		return said + cause.outcome()
	}
	return said + fmt.Sprint(e.Err)
}

// Unwrap returns Err.
func (e *TransactionError) Unwrap() error { return e.Err }

// NewRolledBackError returns the error of an operation whose transaction failed because of
// another operation. It is for the run times.
func NewRolledBackError(op, typ, id, partitionKey string, because *TransactionError) *Error {
	e := &Error{Op: op, Type: typ, ID: id, PartitionKey: partitionKey, Kind: ErrRolledBack, Err: culprit{because}}
	if errors.Is(because, ErrUnclear) {
		e.Kind, e.Unclear = nil, true
	}
	return e
}

// culprit wraps the error of a transaction for the operations that did not make it fail.
// errors.As finds the *TransactionError. errors.Is finds nothing in it: the error of one
// operation must not imply that the document of another exists.
type culprit struct{ err *TransactionError }

func (c culprit) Error() string { return c.err.said(false) }

// As sets target if it is a **TransactionError.
func (c culprit) As(target any) bool {
	to, ok := target.(**TransactionError)
	if ok {
		*to = c.err
	}
	return ok
}

// FieldError is the error of a field that cannot be stored, so that nothing was sent, or whose
// stored value does not fit. It contains no value.
type FieldError struct {
	Type     string // the struct
	Field    string // the Go field, such as "Trips[2].At", if it is known
	Property string // its name in the service, if it is known
	Reason   string // the fault and the remedy
	Err      error  // the cause, whose text may contain the value; or nil
}

// Error names the type, the field and the fault.
func (e *FieldError) Error() string {
	return failure.OfValue(e.Type, e.Field, e.Property, e.Reason)
}

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }
