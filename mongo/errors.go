package mongo

import (
	"github.com/cosmos-pkgen/pkgen/documents"
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

// Error is why an operation failed: see [documents.Error]. Its text names the document by
// its id and partition key, and holds no other value.
type Error = documents.Error
