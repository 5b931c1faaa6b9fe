package feed

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	changefeed "github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Processor has the changes of a container handled by all processes that run one of
// the same name with the same lease container. [NewProcessor] makes it. It is
// safe for concurrent use.
type Processor struct {
	inner *processor.Processor
	wrong error // of the arguments
}

// Delivery is a document that was created or changed, in its latest version, as a
// [Processor] gives it to its handler. It has no cursor, as a [Change] has: the leases
// keep the positions.
type Delivery[T any] struct {
	// Doc is the document.
	Doc *T

	// Time is when the document was last written, in whole seconds: its _ts.
	Time time.Time

	// Deleted says that the document was deleted, in a type with a field tagged deleted:
	// Doc is as it was then, with the time of the deletion.
	Deleted bool
}

// NewProcessor returns a processor of the changes of documents. leases is a
// container with the key /id, such as admin.EnsureLeases makes; it may hold the leases of
// many processors, told apart by their names. Nothing is sent before [Processor.Run].
// A [Mux] has several types handled by one processor, and [NewVersionProcessor]
// all versions and deletions.
//
// handle gets the changes of one range of keys at a time, in the order of their last
// writes within a logical partition, one page in a call. The next page of that range
// comes after handle returns nil, and only then is progress saved. If handle returns
// an error, the same changes come again, after pauses that grow to 30 seconds, until
// it returns nil or [OnEvent] leaves them out. They are the same pointers then: what
// handle has changed in a document stays changed, so handle copies what it changes.
// Every change comes at least
// once, so handle must be able to process a document twice. As with
// [Changes], a document that changed twice may come in its last version
// only, and one that was deleted does not come, unless the type has a field tagged
// deleted: then [Delivery.Deleted] says so.
//
// Ranges are handled in parallel, each by one process. The context of handle ends
// when its lease is lost, and at the end of Run. A process that cannot reach the lease
// container loses its leases by its own clock before others take them; clocks of
// machines need not agree. Two calls for one range overlap only if handle goes on
// after its context has ended, or for the time in which a process does not know that
// another has stolen its lease: until its next save or renewal. Progress that is saved
// never goes back.
//
// In a type whose documents are in several containers, the ranges of all of them are
// shared together. A container that appears is seen at the next look at the leases, 13
// seconds later at most, and read from its beginning, or from the time of [Begin].
// Quiet windows are closed ([CloseWindows]); for containers that are dropped, see
// [SkipDroppedWindows]. There is no order between containers. Leases are of the
// dialect [DotNet].
//
// The client must be made with [repository.Configure], and the container's partition key must be
// of version 2.
func NewProcessor[T any, K generated.Key](d *repository.Documents[T, K], name string, leases *azcosmos.ContainerClient, handle func(ctx context.Context, changes []Delivery[T]) error, opts ...Option) *Processor {
	inner := untyped.Of(d)
	return newProcessor(name, inner.Store, feedsOf(inner), leases, handling(handle), opts, func(*processor.Options) {})
}

// handling returns a handler without the type of its documents, nil for nil.
func handling[T any](handle func(context.Context, []Delivery[T]) error) func(context.Context, []changefeed.Item) error {
	if handle == nil {
		return nil
	}
	return func(ctx context.Context, items []changefeed.Item) error {
		changes := make([]Delivery[T], len(items))
		for i, item := range items {
			changes[i] = Delivery[T]{Doc: item.Doc.(*T), Time: item.Time, Deleted: item.Deleted}
		}
		return handle(ctx, changes)
	}
}

// feedsOf returns the containers of a type that has several, nil if it has one.
func feedsOf(d *untyped.Documents) []*changefeed.Containers {
	if d.IsSeveral() {
		return []*changefeed.Containers{d.Feeds()}
	}
	return nil
}

// newProcessor returns the processor of documents that a store reads, or those of
// several containers. more sets what no option does.
func newProcessor(name string, docs *store.Store, several []*changefeed.Containers, leases *azcosmos.ContainerClient, handle func(context.Context, []changefeed.Item) error, opts []Option, more func(*processor.Options)) *Processor {
	s := processor.Apply(docs.Settings.PageSize, opts)
	s.Handle = handle
	s.Refuse("a Processor", s.OfChanges)
	switch {
	case handle == nil:
		s.Wrong = errors.New("the handler of the processor is nil")
	case leases == nil:
		s.Wrong = errors.New("the lease container of the processor is nil")
	case s.Wrong == nil:
		s.Wrong = lease.CheckName(name)
	}
	if len(several) > 0 && s.Wrong == nil && s.Dialect != lease.DotNet {
		s.Wrong = errors.New("the documents of the type are in several containers, whose leases are of the dialect DotNet only")
	}
	more(&s)
	if s.Wrong != nil {
		return &Processor{wrong: &documents.Error{Op: processor.Op, Type: docs.Type, Err: s.Wrong}}
	}
	if len(several) > 0 {
		return &Processor{inner: processor.NewSeveral(name, several, leases, s.Settings)}
	}
	return &Processor{inner: processor.New(name, docs, leases, s.Settings)}
}

// Run has changes handled until ctx ends, whose error it returns. Its leases are then
// free for others at once. The first Run of a processor creates its leases, one for
// each physical partition.
//
// Run costs a query of the lease container every 13 seconds, a write of it for each
// lease every 17 seconds while nothing changes, a write for each page that is
// handled, and what [Changes] costs. Requests that fail are sent again for
// as long as Run lasts. Run ends with an error if the leases cannot be used: the
// container has another key or deletes leases by a time to live, or the leases are of
// another dialect. Leases that are missing in four looks are created again, and their
// changes come again from the beginning: no change is skipped.
//
// In a type whose documents are in several containers, it also lists the containers of the
// database every 13 seconds, for a request that uses no request units of a container. At
// the beginning it reads each container that is not closed, with some five requests.
func (p *Processor) Run(ctx context.Context) error {
	if p.wrong != nil {
		return p.wrong
	}
	return p.inner.Run(ctx)
}

// LeaseLag is how many changes come after the saved progress of a lease.
type LeaseLag struct {
	// Container is the id of the container, in a type whose documents are in several;
	// otherwise it is empty.
	Container string

	// Lease is the id of a physical partition, or the range of effective partition
	// keys.
	Lease string

	// Owner is the process that has the lease; empty if it is free.
	Owner string

	// Changes is an estimate by the service's log sequence numbers, as the estimators of
	// other SDKs have it. Documents of other types count, and a transaction counts as one.
	// Changes from before a split of the physical partition count for both halves, and after
	// a merge those of the whole partition for each lease in it: nothing that the service
	// tells says whose they are. So it is too high until progress has passed the split,
	// or while the lease is of a part of a partition. It is 0 when all is handled.
	Changes int64
}

// Lag returns how far the processor is from the end of the changes, by lease. Before
// the first [Processor.Run] there are no leases, and it returns none. It costs a query
// of the lease container, and a page of one document for each lease, also where a window
// is closed.
func (p *Processor) Lag(ctx context.Context) ([]LeaseLag, error) {
	if p.wrong != nil {
		return nil, p.wrong
	}
	all, err := p.inner.Lag(ctx)
	if err != nil {
		return nil, err
	}
	lags := make([]LeaseLag, len(all))
	for i, l := range all {
		lags[i] = LeaseLag{Container: l.Container, Lease: l.Lease, Owner: l.Owner, Changes: l.Changes}
	}
	return lags, nil
}
