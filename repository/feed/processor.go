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

// Processor passes the changes of a container to a handler, shared by all processes that run a
// processor with the same name and lease container. [NewProcessor] makes it. It is safe for
// concurrent use.
type Processor struct {
	inner *processor.Processor
	wrong error // of the arguments
}

// Delivery is the latest version of a created or changed document, for the handler of a
// [Processor]. Unlike a [Change] it has no cursor: leases keep the positions.
type Delivery[T any] struct {
	// Doc is the document.
	Doc *T

	// Time is the time of the document's last write, in whole seconds: its _ts.
	Time time.Time

	// Deleted reports that the document was marked as deleted, in a type with a field tagged
	// deleted: Doc then has the time of the deletion.
	Deleted bool
}

// NewProcessor returns a processor of the changes of documents. leases is a container with the
// key /id, such as one made by admin.EnsureLeases; it may have the leases of many processors,
// distinguished by their names. Nothing is sent before [Processor.Run]. A [Mux] handles several
// types with one processor, and [NewVersionProcessor] all versions and deletions.
//
// handle gets the changes of one range of keys at a time, in the order of their last writes
// within a logical partition, one page per call. The next page of that range comes after handle
// returns nil, and only then is progress saved. If handle returns an error, the same changes
// come again, after pauses that grow to 30 seconds, until it returns nil or [OnEvent] leaves
// them out. They are then the same pointers, so handle must copy a document to change it. Every
// change comes at least once, so handle must be able to process a document twice. As with
// [Changes], a document that changed twice may come only in its last version, and a deleted one
// does not come, except in a type with a field tagged deleted, see [Delivery.Deleted].
//
// Ranges are handled in parallel, each by one process. The context of handle ends when its
// lease is lost, and at the end of Run. A process that cannot reach the lease container gives
// up its leases by its own clock before others take them; clocks of machines need not agree.
// Two calls for one range overlap only if handle continues after its context has ended, or
// until a process whose lease was stolen notices at its next save or renewal. Saved progress
// never goes back.
//
// In a type with several containers, the ranges of all of them are shared together. A new
// container is noticed at the next read of the leases, at most 13 seconds later, and read from
// its beginning, or from the time of [Begin]. Quiet windows are closed ([CloseWindows]); for
// dropped containers, see [SkipDroppedWindows]. There is no order between containers. Leases
// have the dialect [DotNet].
//
// The client must be made with [repository.Configure], and the container's partition key must
// be of version 2.
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

// newProcessor returns the processor of the documents of a store, or of several containers.
// more sets settings that have no option.
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

// Run handles changes until ctx ends, and returns its error. Other processes may then take its
// leases at once. The first Run of a processor creates its leases, one for each physical
// partition.
//
// Run costs a query of the lease container every 13 seconds, a write of it for each lease every
// 17 seconds while nothing changes, a write for each handled page, and the costs of [Changes].
// Failed requests are sent again for as long as Run lasts. Run ends with an error if the leases
// cannot be used: the container has another key or deletes leases by a time to live, or the
// leases have another dialect. Leases that are missing in four reads are created again, and
// their changes come again from the beginning: no change is skipped.
//
// In a type with several containers, it also lists the containers of the database every 13
// seconds, with a request that uses no request units of a container. At the start it reads each
// container that is not closed, with some five requests.
func (p *Processor) Run(ctx context.Context) error {
	if p.wrong != nil {
		return p.wrong
	}
	return p.inner.Run(ctx)
}

// LeaseLag is the number of changes after the saved progress of a lease.
type LeaseLag struct {
	// Container is the id of the container, in a type whose documents are in several;
	// otherwise it is empty.
	Container string

	// Lease is the id of a physical partition, or the range of effective partition
	// keys.
	Lease string

	// Owner is the process that has the lease; empty if it is free.
	Owner string

	// Changes is an estimate from the service's log sequence numbers, like those of the
	// estimators of other SDKs. Documents of other types count, and a transaction counts as
	// one. Changes from before a split of the physical partition count for both halves, and
	// after a merge those of the whole partition count for each lease in it, because the
	// service does not report their range. So it is too high until progress has passed the
	// split, or while the lease covers a part of a partition. It is 0 when all changes are
	// handled.
	Changes int64
}

// Lag returns how far the processor is from the end of the changes, by lease. It returns none
// before the first [Processor.Run], which creates the leases. It costs a query of the lease
// container, and a page of one document for each lease, even in a closed window.
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
