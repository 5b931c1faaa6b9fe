package feed

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	changefeed "github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Version is one change of a document, for the handler of a processor of all versions and
// deletes.
type Version[T any] struct {
	// Operation is the kind of change.
	Operation VersionOperation

	// Doc is the document after the change, nil if it was removed. The service does not send
	// the document before a change. In a type with a field tagged deleted, marking a document
	// is a deletion with Doc as it was then; when it is purged, or the service removes it, a
	// deletion without Doc follows.
	Doc *T

	// ID and PartitionKey identify the document, including a deleted one. PartitionKey is as in
	// [documents.Error].
	ID, PartitionKey string

	// Expired reports that the document was deleted by its time to live.
	Expired bool

	// Time is the time of the change, in whole seconds.
	Time time.Time
}

// VersionOperation is the effect of a change on a document. An upsert is a creation or a
// replacement, and a patch is a replacement.
type VersionOperation string

// The operations.
const (
	VersionCreated  VersionOperation = "create"
	VersionReplaced VersionOperation = "replace"
	VersionDeleted  VersionOperation = "delete"
)

// NewVersionProcessor is [NewProcessor] with all versions of the documents, and their
// deletions, including those by a time to live. The account must have the feature all versions
// and deletes, which needs continuous backup; otherwise Run returns an error before it writes
// anything.
//
// The first Run starts now: with changes after each lease was first read. The service keeps
// changes for as long as its continuous backup does. If the saved progress of a lease is older,
// because no process ran for that long, changes are lost, and Run returns an error from which
// the processor cannot recover. [Begin] is refused.
//
// A deletion does not have the type of the document. In a container of several types, the
// deletions of all come: distinguish them by the ID, for instance by its prefix.
//
// In a type with several containers, Run returns an error: the feed of a new container would
// start after its first changes.
//
// Leases have the dialect [DotNet], and the mode that this SDK calls "Full-Fidelity Feed". They
// cannot be shared with a processor of latest versions: use another name.
func NewVersionProcessor[T any, K generated.Key](d *repository.Documents[T, K], name string, leases *azcosmos.ContainerClient, handle func(ctx context.Context, changes []Version[T]) error, opts ...Option) *Processor {
	inner := untyped.Of(d)
	return newProcessor(name, inner.Store, feedsOf(inner), leases, handlingVersions(handle), opts, func(s *processor.Options) {
		s.Versions = true
		switch {
		case s.Wrong != nil:
		case inner.IsSeveral():
			s.Wrong = errors.New("the documents of the type are in several containers, and all versions and deletes begin now: " +
				"changes in a new container would be missed before its leases are there; use Processor")
		case s.Dialect != lease.DotNet:
			s.Wrong = errors.New("all versions and deletes have leases of the dialect DotNet only")
		case s.Since != 0:
			s.Wrong = errors.New("all versions and deletes begin now: leave out Begin")
		}
	})
}

// handlingVersions is handling of all versions.
func handlingVersions[T any](handle func(context.Context, []Version[T]) error) func(context.Context, []changefeed.Item) error {
	if handle == nil {
		return nil
	}
	return func(ctx context.Context, items []changefeed.Item) error {
		changes := make([]Version[T], len(items))
		for i, item := range items {
			doc, _ := item.Doc.(*T) // nil of a deletion
			v := item.Version
			changes[i] = Version[T]{VersionOperation(v.Operation), doc, v.ID, v.Partition, v.Expired, item.Time}
		}
		return handle(ctx, changes)
	}
}
