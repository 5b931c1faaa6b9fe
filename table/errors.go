package table

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// The sentinels that the error of an operation matches with errors.Is. They are those of
// the other APIs too.
var (
	// ErrNotFound: no document has this key, or a query found nothing. Also: the row key
	// is that of a document whose other fields make the same partition key. Status 404.
	ErrNotFound = failure.ErrNotFound

	// ErrAlreadyExists: the logical partition holds a document of this row key. Status
	// 409.
	ErrAlreadyExists = failure.ErrAlreadyExists

	// ErrPreconditionFailed: the document has changed since it was read. Status 412.
	ErrPreconditionFailed = failure.ErrPreconditionFailed

	// ErrNoContainer: there is no such table; [Ensure] creates it. Status 404.
	ErrNoContainer = failure.ErrNoContainer

	// ErrThrottled: the service is too busy, even after repeats. Status 429, or 503 with
	// the code ServerBusy.
	ErrThrottled = failure.ErrThrottled

	// ErrTooLarge: the document, one of its properties, or a transaction is larger than a
	// table takes. Status 413, or nothing was sent.
	ErrTooLarge = failure.ErrTooLarge

	// ErrUnclear: a write was sent, and whether it took effect is not known.
	ErrUnclear = failure.ErrUnclear

	// ErrAmbiguous: FindInBuckets met the id under several suffixes.
	ErrAmbiguous = failure.ErrAmbiguous

	// ErrKeyChanged: the document is stored under another key than its fields make now.
	// Nothing was sent.
	ErrKeyChanged = failure.ErrKeyChanged

	// ErrCursor: a cursor is damaged, made up, or of another query. Nothing was sent.
	ErrCursor = failure.ErrCursor

	// ErrDraft: the layout of the type is a draft, and the service is not this machine.
	// Nothing was sent.
	ErrDraft = failure.ErrDraft
)

// Error is why an operation on documents failed. Find it by errors.As, and in it the
// *azcore.ResponseError of the service, whose text may hold values of documents. Its own
// text names the document by its row key and partition key, and holds no other value.
type Error struct {
	Op           string // the operation, such as "create" or "query"
	Type         string // the document type
	ID           string // the row key; empty for requests of several documents
	PartitionKey string // empty for requests of several logical partitions
	Code         string // the service's code, such as "EntityAlreadyExists"; empty if there was no answer
	Err          error  // the cause, such as the service's error, whose text may hold values

	Kind    error  // the sentinel that it matches, or nil
	Note    string // added to the reason
	Unclear bool   // whether the write took effect is unknown
}

// Error says what failed, for which document, and why.
func (e *Error) Error() string { return (*failure.Error)(e).Error() }

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error { return (*failure.Error)(e).Unwrap() }

// FieldError is why a field cannot be stored, so that nothing was sent, or not be read. It
// names the type and the field, and holds no value.
type FieldError struct {
	Type     string // the struct
	Field    string // the Go field, such as "At"; empty if the struct itself is meant
	Property string // its name in the table
	Reason   string // what is wrong, and what to do
	Err      error  // of a MarshalText or UnmarshalText, whose text may hold the value; or nil
}

// Error names the field and says what is wrong.
func (e *FieldError) Error() string { return (*flat.FieldError)(e).Error() }

// Unwrap returns the error of the field's own methods.
func (e *FieldError) Unwrap() error { return e.Err }

// fault returns the error of package documents as callers know it.
func fault(err error) error {
	if err == nil {
		return nil
	}
	var field *flat.FieldError
	isField := errors.As(err, &field)
	if e, ok := err.(*failure.Error); ok { //nolint:errorlint // an error that wraps it has a text of its own
		own := Error(*e)
		if isField {
			own.Err = &fieldError{e.Err, (*FieldError)(field)}
		}
		return &own
	}
	if isField {
		return &fieldError{err, (*FieldError)(field)}
	}
	return err
}

// fieldError is an error in which errors.As finds a FieldError.
type fieldError struct {
	error
	field *FieldError
}

// Unwrap returns both.
func (e *fieldError) Unwrap() []error { return []error{e.error, e.field} }
