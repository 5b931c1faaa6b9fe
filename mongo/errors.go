package mongo

import (
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// The sentinels that the error of an operation matches with errors.Is. They are those of
// the other APIs too.
var (
	// ErrNotFound: no document has this id in this logical partition, or a query found
	// nothing. Also: the id is that of a document whose other fields make the same
	// partition key.
	ErrNotFound = failure.ErrNotFound

	// ErrAlreadyExists: the logical partition holds a document of this id, or a unique
	// index holds its value. Code 11000.
	ErrAlreadyExists = failure.ErrAlreadyExists

	// ErrPreconditionFailed: the document has another version than it was read with, or
	// is gone. MongoDB does not tell which.
	ErrPreconditionFailed = failure.ErrPreconditionFailed

	// ErrThrottled: a physical partition has no request units left, even after repeats.
	// Code 16500.
	ErrThrottled = failure.ErrThrottled

	// ErrTooLarge: the document is larger than the service takes, which is 2 MB in
	// accounts with request units, and 16 MB elsewhere.
	ErrTooLarge = failure.ErrTooLarge

	// ErrUnclear: a write was sent, and whether it took effect is not known.
	ErrUnclear = failure.ErrUnclear

	// ErrKeyChanged: the document is stored under another key than its fields make now.
	// Nothing was sent.
	ErrKeyChanged = failure.ErrKeyChanged

	// ErrCursor: a cursor is damaged, made up, or of another query. Nothing was sent.
	ErrCursor = failure.ErrCursor

	// ErrAmbiguous: several documents have this id, each under another suffix.
	ErrAmbiguous = failure.ErrAmbiguous

	// ErrDraft: the layout of the type is a draft, and the server is not this machine.
	// Nothing was sent but a ping.
	ErrDraft = failure.ErrDraft
)

// Error is why an operation on documents failed. Find it by errors.As. Its text names the
// document by its id and partition key, and holds no other value.
type Error struct {
	Op           string // the operation, such as "create" or "query"
	Type         string // the document type
	ID           string // empty for requests of several documents
	PartitionKey string // empty for requests of several logical partitions
	Code         string // the server's code, such as "11000"; empty if there was no answer
	Err          error  // the cause, such as the driver's error, whose text may hold values

	Kind    error  // the sentinel that it matches, or nil
	Note    string // added to the reason
	Unclear bool   // whether the write took effect is unknown
}

// Error says what failed, for which document, and why.
func (e *Error) Error() string { return (*failure.Error)(e).Error() }

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error { return (*failure.Error)(e).Unwrap() }

// fault returns the error of package documents as callers know it.
func fault(err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*failure.Error) //nolint:errorlint // an error that wraps a failure has a text of its own
	if ok {
		return (*Error)(e)
	}
	return err
}

// ValueError is the error of a document that BSON cannot hold, or of a stored one that
// does not fit its Go type.
type ValueError struct {
	Type     string // the document type
	Field    string // the path of the Go field, such as "Trips[2].At"; or empty
	Property string // the path of the stored property, where it is known and the field is not; or empty
	Reason   string // what is wrong, and what to do
	Err      error  // the cause, whose text may hold the value; or nil
}

// Error names the type and the field. It holds no value.
func (e *ValueError) Error() string {
	return failure.OfValue(e.Type, e.Field, e.Property, e.Reason)
}

// Unwrap returns the cause.
func (e *ValueError) Unwrap() error { return e.Err }
