package repository

import (
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrDraft is the error of an operation on a type whose layout is a draft, at an
// endpoint other than this machine. A draft may still change, and documents stored
// by it would no longer be found. Nothing was sent except the request for the
// account's regions and the reads of [EnsureDraft]. The error names the command
// that seals the layout.
var ErrDraft = wire.ErrDraft

// The sentinels that the error of an operation matches with errors.Is.
var (
	// ErrNotFound: no document has this id in this logical partition, or a query
	// found nothing. Status 404. Also: the id is that of another document, whose
	// fields make the same partition key; no status.
	ErrNotFound = wire.ErrNotFound

	// ErrAlreadyExists: the logical partition holds a document of this id, or a
	// document with the same unique key. Status 409. Also: an upsert would
	// overwrite another document, whose fields make the same partition key; no
	// status.
	ErrAlreadyExists = wire.ErrAlreadyExists

	// ErrNotUnique: another document has the value of a unique property, or somebody is
	// about to store one; no status. The text names the property. It matches
	// ErrAlreadyExists as well. See docs/unique.md.
	ErrNotUnique = wire.ErrNotUnique

	// ErrAlreadyCommitted: a transaction with this [IdempotencyToken] has taken effect in an
	// earlier call, and nothing was stored; no status. It matches ErrAlreadyExists as well.
	ErrAlreadyCommitted = wire.ErrAlreadyCommitted

	// ErrUnfinished: another program is storing a document of this id or with this value
	// of a unique property, or was interrupted; no status. Whether that document will be
	// there is open: try again, until 10 seconds have passed at most. For a value, such
	// an error also matches ErrNotUnique. See docs/unique.md.
	ErrUnfinished = wire.ErrUnfinished

	// ErrOtherType: in this logical partition, the id is that of a document of
	// another type that shares the container. Such an error also matches
	// ErrNotFound, or ErrAlreadyExists after an upsert; no status.
	ErrOtherType = wire.ErrOtherType

	// ErrDeleted: the document is there, and marked as deleted, in a type with a field
	// tagged deleted. Such an error also matches ErrNotFound, or ErrAlreadyExists after
	// a creation or an upsert; no status. [Restore] shows the document again, and
	// [Purge] removes it.
	ErrDeleted = wire.ErrDeleted

	// ErrPreconditionFailed: the document has changed since it was read, so its
	// ETag is different. Status 412. Also: the condition of a PatchIf does not
	// hold, or a document that is to be restored or purged is not marked as
	// deleted.
	ErrPreconditionFailed = wire.ErrPreconditionFailed

	// ErrThrottled: the request rate was too large for the throughput of the
	// physical partition, even after the client's retries. Status 429.
	ErrThrottled = wire.ErrThrottled

	// ErrNoContainer: the container in which the document belongs does not exist, in a
	// type whose documents are in several containers. Status 404, substatus 1003. An
	// operation that reads or changes a document that has to be there matches
	// ErrNotFound as well.
	ErrNoContainer = wire.ErrNoContainer

	// ErrOutOfBounds: the time of a new document is further from now than
	// WithWindowBounds allows; no status.
	ErrOutOfBounds = wire.ErrOutOfBounds

	// ErrTooLarge: the document or the transaction is over the service's limit of
	// 2 MB. Status 413; no status if pkgen saw it before the request.
	ErrTooLarge = wire.ErrTooLarge

	// ErrKeyChanged: the document's fields give another partition key than the
	// one under which it is stored. A replace would fail, and an upsert would
	// leave the old document where it is.
	ErrKeyChanged = wire.ErrKeyChanged

	// ErrAmbiguous: several documents have the same id, each under another
	// suffix.
	ErrAmbiguous = wire.ErrAmbiguous

	// ErrRolledBack: an item of a bulk operation was not stored, since another item of its
	// transaction was refused; no status. errors.As finds a *[TransactionError] that names
	// the other. See [documents.InTransactions].
	ErrRolledBack = documents.ErrRolledBack

	// ErrUnclear: it is unknown whether the write took effect. The connection
	// broke, the service failed or the context ended before the answer came, and
	// a second attempt did not tell or would not be safe. The status, if any, is
	// that of the last attempt: 408, 5xx, or the status of another sentinel that
	// the error matches as well. It matches ErrPreconditionFailed if a second
	// attempt has found the document changed, by the first attempt or by somebody
	// else.
	ErrUnclear = wire.ErrUnclear

	// ErrCursor: the cursor of a page or of a change feed is damaged, or is not
	// closed by a key of WithCursorKey, or belongs to another query or type,
	// another container or another version of the format.
	ErrCursor = wire.ErrCursor

	// ErrTenant: a repository of one tenant was given a document, a key or a query
	// that is not the tenant's; no status, and nothing was sent. Also: a document that
	// was read says that it is another tenant's; its content is not returned.
	ErrTenant = wire.ErrTenant

	// ErrNewerDocument: a document that was read, or that a write would have replaced, is
	// of a later form of its type than this program knows: the number in the field tagged
	// schema is greater. Nothing was written. Deploy the newer release. No status.
	ErrNewerDocument = wire.ErrNewerDocument

	// ErrNotIndexed: a stored document lacks a property that the run time writes for an index,
	// which would miss the document. Run Upgrade of package admin, and then make the index. No
	// status.
	ErrNotIndexed = wire.ErrNotIndexed

	// ErrSeveralWriteRegions: the account takes writes in several regions, and the operation
	// relies on one, such as a write on an ETag in a type without conflict= in its tag; no
	// status, and nothing was sent. The text names the regions, what relies on one, and the way
	// out. Reads and writes without a condition go on. Clients made with [Configure] know the
	// write regions; other clients send the request. See docs/errors.md.
	ErrSeveralWriteRegions = wire.ErrSeveralWriteRegions

	// ErrAccountFull: a container was not created, since the account has as many
	// databases and containers as it may have; status 403 with the substatus 1005. See
	// [CountResources].
	ErrAccountFull = provision.ErrAccountFull

	// ErrMoved: the tenant has moved to another container since a query began, and some
	// of its documents may have been left out. Nothing is wrong: run the query again. No
	// status.
	ErrMoved = wire.ErrMoved
)

// Error describes an operation that failed: see [documents.Error]. After a request, it wraps
// an *azcore.ResponseError.
type Error = documents.Error

// typed returns the items of an iteration as R.
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
