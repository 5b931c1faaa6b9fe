package table

import (
	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
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

// Error is why an operation failed: see [documents.Error]. Its text names the document by
// its id and partition key, and holds no other value.
type Error = documents.Error
