package repository

import (
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrDraft is the error of an operation on a type whose layout is a draft, at an endpoint other
// than this machine. A draft may still change, and documents stored by it would no longer be
// found. Nothing was sent except the request for the account's regions and the reads of
// admin.EnsureDraft. The error names the command that seals the layout.
var ErrDraft = wire.ErrDraft

// The sentinels that errors of operations match with errors.Is.
var (
	// ErrNotFound: no document has this id in this logical partition, or a query found nothing.
	// Status 404. Also: the id belongs to another document, whose fields make the same
	// partition key; no status.
	ErrNotFound = wire.ErrNotFound

	// ErrAlreadyExists: the logical partition has a document with this id, or with the same
	// unique key. Status 409. Also: an upsert would overwrite another document, whose fields
	// make the same partition key; no status.
	ErrAlreadyExists = wire.ErrAlreadyExists

	// ErrNotUnique: another document has the value of a unique property, or is about to be
	// stored with it; no status. The text names the property. It also matches ErrAlreadyExists.
	// See docs/unique.md.
	ErrNotUnique = wire.ErrNotUnique

	// ErrAlreadyCommitted: a transaction with this [IdempotencyToken] took effect in an earlier
	// call, and nothing was stored; no status. It also matches ErrAlreadyExists.
	ErrAlreadyCommitted = wire.ErrAlreadyCommitted

	// ErrUnfinished: another program is storing a document with this id or with this value of a
	// unique property, or was interrupted; no status. That document may or may not come to
	// exist: try again, for at most 10 seconds. For a value, the error also matches
	// ErrNotUnique. See docs/unique.md.
	ErrUnfinished = wire.ErrUnfinished

	// ErrOtherType: in this logical partition, the id belongs to a document of another type
	// that shares the container; no status. The error also matches ErrNotFound, or
	// ErrAlreadyExists after an upsert.
	ErrOtherType = wire.ErrOtherType

	// ErrDeleted: the document exists but is marked as deleted, in a type with a field tagged
	// deleted; no status. The error also matches ErrNotFound, or ErrAlreadyExists after a
	// creation or an upsert. [Restore] removes the mark, and [Purge] the document.
	ErrDeleted = wire.ErrDeleted

	// ErrPreconditionFailed: the document has changed since it was read, so its ETag differs.
	// Status 412. Also: the condition of a PatchIf does not hold, or a document to be restored
	// or purged is not marked as deleted.
	ErrPreconditionFailed = wire.ErrPreconditionFailed

	// ErrThrottled: the request rate exceeded the throughput of the physical partition, even
	// after the client's retries. Status 429.
	ErrThrottled = wire.ErrThrottled

	// ErrNoContainer: the container of the document does not exist, in a type with several
	// containers. Status 404, substatus 1003. If the operation reads or changes an existing
	// document, the error also matches ErrNotFound.
	ErrNoContainer = wire.ErrNoContainer

	// ErrOutOfBounds: the time of a new document is further from now than
	// WithWindowBounds allows; no status.
	ErrOutOfBounds = wire.ErrOutOfBounds

	// ErrTooLarge: the document or the transaction exceeds the service's limit of 2 MB. Status
	// 413; no status if pkgen refused it before the request.
	ErrTooLarge = wire.ErrTooLarge

	// ErrKeyChanged: the document's fields give a partition key other than the one under which
	// it is stored. A replace would fail, and an upsert would leave the old document in place.
	ErrKeyChanged = wire.ErrKeyChanged

	// ErrAmbiguous: several documents have the same id, each under another suffix.
	ErrAmbiguous = wire.ErrAmbiguous

	// ErrRolledBack: an item of a bulk operation was not stored, because another item of its
	// transaction was refused; no status. errors.As finds a *[TransactionError] that names the
	// other item. See [documents.InTransactions].
	ErrRolledBack = documents.ErrRolledBack

	// ErrUnclear: it is unknown whether the write took effect. The connection broke, the
	// service failed or the context ended before the response arrived, and a second attempt did
	// not settle it or was not safe. The status, if any, is that of the last attempt: 408, 5xx,
	// or the status of another sentinel, which the error then also matches. It matches
	// ErrPreconditionFailed if a second attempt found the document changed, by the first
	// attempt or by another program.
	ErrUnclear = wire.ErrUnclear

	// ErrCursor: the cursor of a page or of a change feed is damaged, was not closed with a key
	// of WithCursorKey, or belongs to another query, type, container or version of the format.
	ErrCursor = wire.ErrCursor

	// ErrTenant: a repository of one tenant was given another tenant's document, key or query;
	// nothing was sent. Also: a document that was read belongs to another tenant; its content
	// is not returned. No status.
	ErrTenant = wire.ErrTenant

	// ErrNewerDocument: a document that was read, or would have been replaced, has a later form
	// than this program supports: the number in the field tagged schema is greater. Nothing was
	// written. Deploy the newer release. No status.
	ErrNewerDocument = wire.ErrNewerDocument

	// ErrNotIndexed: a stored document lacks a property that the run time writes for an index,
	// so the index would omit the document. Run Upgrade of package admin, and then create the
	// index. No status.
	ErrNotIndexed = wire.ErrNotIndexed

	// ErrSeveralWriteRegions: the account has several write regions, and the operation relies
	// on a single one, such as a write on an ETag in a type without conflict= in its tag;
	// nothing was sent. The text names the regions, the feature, and the remedy. Reads and
	// writes without a condition still work. Clients made with [Configure] know the write
	// regions; other clients send the request. No status. See docs/errors.md.
	ErrSeveralWriteRegions = wire.ErrSeveralWriteRegions

	// ErrAccountFull: a container was not created, because the account has reached its limit of
	// databases and containers. Status 403, substatus 1005. See admin.CountResources.
	ErrAccountFull = provision.ErrAccountFull

	// ErrMoved: the tenant moved to another container during a query, which may have left out
	// some of its documents. Run the query again. No status.
	ErrMoved = wire.ErrMoved
)

// Error describes an operation that failed: see [documents.Error]. After a request, it wraps
// an *azcore.ResponseError.
type Error = documents.Error

// typed converts the items of an iteration to R.
func typed[R any](items iter.Seq2[any, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range items {
			r, _ := item.(R) // nil with an error
			if !yield(r, err) {
				return
			}
		}
	}
}
