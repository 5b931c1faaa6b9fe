package repository

import (
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrDraft is matched by the error of an operation on a type whose layout is a
// draft, which may still change, where the endpoint is not this machine, so that
// documents stored there could be found no more. Nothing was sent, but for the
// question which regions the account has, and what [EnsureDraft] reads. The error has
// the command that seals the layout.
var ErrDraft = wire.ErrDraft

// What an operation's error matches with errors.Is.
var (
	// ErrNotFound: no document has this id in this logical partition, or a query
	// found nothing. Status 404. Also: the document that has the id there is
	// another one, whose fields make the same partition key; no status.
	ErrNotFound = wire.ErrNotFound

	// ErrAlreadyExists: the logical partition holds a document of this id, or one
	// that a unique key forbids. Status 409. Also: an upsert would overwrite a
	// document that is another one, whose fields make the same partition key; no
	// status.
	ErrAlreadyExists = wire.ErrAlreadyExists

	// ErrOtherType: the id is that of a document of another type, which shares the
	// container, in this logical partition. Such an error matches ErrNotFound as
	// well, of an upsert ErrAlreadyExists; no status.
	ErrOtherType = wire.ErrOtherType

	// ErrPreconditionFailed: the document has changed since it was read; its ETag
	// is another. Status 412. Also: the condition of a PatchIf does not hold.
	ErrPreconditionFailed = wire.ErrPreconditionFailed

	// ErrThrottled: the request rate was too large for the throughput of the
	// physical partition, also after the client's retries. Status 429.
	ErrThrottled = wire.ErrThrottled

	// ErrTooLarge: the document or the transaction is over the service's limit of 2
	// MB. Status 413; no status where that was seen before anything was sent.
	ErrTooLarge = wire.ErrTooLarge

	// ErrKeyChanged: the document's fields give another partition key than the
	// one it is stored under. Replacing it there would fail, and an upsert would
	// leave the old document behind.
	ErrKeyChanged = wire.ErrKeyChanged

	// ErrAmbiguous: several documents have the same id, each under another
	// suffix.
	ErrAmbiguous = errors.New("several documents have this id")

	// ErrUnclear: whether the write took effect is not known. The connection broke,
	// the service failed or the context ended before the answer came, and to send
	// the write again did not tell, or is no answer. The status, if any, is that of
	// the last attempt: 408 or 5xx, or that of another sentinel that the error
	// matches as well, such as ErrPreconditionFailed, where a second attempt has found
	// the document changed, by the first one or by somebody else.
	ErrUnclear = wire.ErrUnclear

	// ErrCursor: the cursor of a page or of a change feed is damaged, or is of
	// another query or type, another container or another version of the format, or
	// is not closed by a key of WithCursorKey.
	ErrCursor = wire.ErrCursor
)

// Error describes an operation that failed. It matches one of the package's
// sentinels where the reason is known, and wraps its cause, for requests an
// *azcore.ResponseError.
type Error struct {
	// Op is the operation, such as "create" or "query".
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON would show it: an array for a
	// hierarchical one, with fewer levels for a query by a prefix. It is empty for
	// a query of the whole container.
	PartitionKey string

	// Range is the id of the physical partition that a request of a fan-out went
	// to, empty for others.
	Range string

	// Status and Substatus are the HTTP status and the x-ms-substatus header of
	// the last response, 0 if there was none.
	Status, Substatus int

	// Err is the cause.
	Err error

	kind    error
	note    string // what there is to say beside the reason
	unclear bool   // whether it took effect is not known
}

// Error says what failed, for which document, and why. The document is named by its
// id and its partition key; no other value of it is in the text, nor what the
// service says, which may hold some.
func (e *Error) Error() string { return e.failure().Error() }

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error {
	causes := []error{e.Err}
	if e.kind != nil {
		causes = append(causes, e.kind)
	}
	if e.unclear {
		causes = append(causes, ErrUnclear)
	}
	return causes
}

// failure returns e as package wire has it.
func (e *Error) failure() *wire.OperationError {
	return &wire.OperationError{
		Op: e.Op, Type: e.Type, ID: e.ID, PartitionKey: e.PartitionKey, Range: e.Range,
		Status: e.Status, Substatus: e.Substatus, Err: e.Err, Kind: e.kind, Note: e.note, Unclear: e.unclear,
	}
}

// exported returns the error of an operation as this package returns it to callers:
// an [Error] in place of the failure that the rooms of the package pass on.
func exported(err error) error {
	f, ok := err.(*wire.OperationError) //nolint:errorlint // what wraps one has its own text
	if !ok {
		return err
	}
	return &Error{
		Op: f.Op, Type: f.Type, ID: f.ID, PartitionKey: f.PartitionKey, Range: f.Range,
		Status: f.Status, Substatus: f.Substatus, Err: exported(f.Err), kind: f.Kind, note: f.Note, unclear: f.Unclear,
	}
}

// exportedAll returns what an iteration yields as R, and its error as callers get it.
func exportedAll[R any](items iter.Seq2[any, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range items {
			r, _ := item.(R) // nil beside an error
			if !yield(r, exported(err)) {
				return
			}
		}
	}
}
