package repository

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// Processor has the changes of a container handled by all processes that run one of
// the same name with the same lease container. [Documents.Processor] makes it. It is
// safe for concurrent use.
type Processor struct {
	inner *processor.Processor
	wrong error // of the arguments
}

// ProcessorOption changes how a [Processor] works.
type ProcessorOption func(*processorSettings)

type processorSettings struct {
	processor.Settings
	handling   func(context.Context, error) bool // of OnHandlerError
	requesting func(context.Context, error)      // of OnRequestError
	wrong      error
}

// LeaseDialect is a form in which Microsoft's SDKs store leases.
type LeaseDialect int

// The dialects of leases. Processes that share leases use one dialect: there is no
// conversion between them.
const (
	// DotNet is that of azure-cosmos-dotnet-v3.
	DotNet = LeaseDialect(lease.DotNet)

	// JavaRange is that of handleChanges in azure-sdk-for-java. It cannot follow a
	// merge of physical partitions.
	JavaRange = LeaseDialect(lease.JavaRange)

	// JavaEPK is that of handleLatestVersionChanges in azure-sdk-for-java.
	JavaEPK = LeaseDialect(lease.JavaEPK)
)

// WithLeaseDialect sets the dialect of the leases. The default is [DotNet].
func WithLeaseDialect(d LeaseDialect) ProcessorOption {
	return func(s *processorSettings) {
		if d < DotNet || d > JavaEPK {
			s.wrong = fmt.Errorf("the lease dialect %d does not exist", int(d))
		}
		s.Dialect = lease.Dialect(d)
	}
}

// LeaseTimes are how often leases are read and written. Zero is the default of each,
// which is that of the SDKs for .NET and Java.
type LeaseTimes struct {
	Acquire time.Duration // from one look at the leases to the next; 13 seconds
	Renew   time.Duration // from one write of a lease to the next; 17 seconds
	Expire  time.Duration // a lease that was not written for so long is free; 60 seconds
}

// WithLeaseTimes sets how often leases are read and written. All processes of a
// processor must have the same: a lease must be renewed twice at least before it
// expires.
func WithLeaseTimes(t LeaseTimes) ProcessorOption {
	return func(s *processorSettings) {
		set := func(to *time.Duration, d time.Duration) {
			if d != 0 {
				*to = d
			}
		}
		set(&s.Look, t.Acquire)
		set(&s.Renew, t.Renew)
		set(&s.Expire, t.Expire)
		if s.Look <= 0 || s.Renew <= 0 || s.Expire < 2*s.Renew {
			s.wrong = fmt.Errorf("leases are renewed every %s and expire after %s: they must expire after twice the time of a renewal at least", s.Renew, s.Expire)
		}
	}
}

// ProcessFrom says where to begin where a lease has no progress yet: [FromBeginning],
// which is the default, or [FromTime]. All processes of a processor must have the
// same. A cursor is refused: leases keep the positions of a processor.
func ProcessFrom(from From) ProcessorOption {
	return func(s *processorSettings) {
		if from.from.Cursor != "" {
			s.wrong = errors.New("a processor does not begin at a cursor: its leases say where it goes on")
		}
		s.Since = from.from.Since
	}
}

// ProcessPageSize asks for at most n documents in one response, and so in one call of
// the handler. The default is that of [ChangesPageSize]. A page may be longer, because
// the service does not divide a transaction.
func ProcessPageSize(n int32) ProcessorOption {
	return func(s *processorSettings) { s.PageSize = max(n, 0) }
}

// ProcessPollEvery sets the longest pause between two polls of a range in which
// nothing changes. The default is [DefaultPollEvery].
func ProcessPollEvery(d time.Duration) ProcessorOption {
	return func(s *processorSettings) { s.MaxPause = max(d, time.Millisecond) }
}

// OnHandlerError calls f with each error of the handler. If f returns true, the batch
// is left out, and the next one comes; otherwise the batch is tried again. Several
// goroutines may call f at once.
func OnHandlerError(f func(ctx context.Context, err error) (leaveOut bool)) ProcessorOption {
	return func(s *processorSettings) { s.handling = f }
}

// OnRequestError calls f with each request that has failed and will be sent again: of
// the change feed, or of the lease container. A document that does not decode is such
// an error, too: its range waits until it decodes. Several goroutines may call f at
// once.
func OnRequestError(f func(ctx context.Context, err error)) ProcessorOption {
	return func(s *processorSettings) { s.requesting = f }
}

// failed tells the functions of the options what will be tried again.
func (s *processorSettings) failed(ctx context.Context, err error, handling bool) (leaveOut bool) {
	switch {
	case handling:
		return s.handling != nil && s.handling(ctx, err)
	case s.requesting != nil:
		s.requesting(ctx, exported(err))
	}
	return false
}

// Processor returns a processor of the changes of these documents. leases is a
// container with the key /id and without a default time to live, or one of -1; it may
// hold the leases of many processors, told apart by their names. Nothing is sent
// before [Processor.Run].
//
// handle gets the changes of one range of keys at a time, in the order of their last
// writes within a logical partition, one page in a call. The next page of that range
// comes after handle returns nil, and only then is progress saved. If handle returns
// an error, the same changes come again, after pauses that grow to 30 seconds, until
// it returns nil or [OnHandlerError] leaves them out. Every change comes at least
// once, so handle must be able to process a document twice. As with
// [Documents.Changes], a document that changed twice may come in its last version
// only, and one that was deleted does not come.
//
// Ranges are handled in parallel, each by one process. The context of handle ends
// when its lease is lost, and at the end of Run. A process that cannot reach the lease
// container loses its leases by its own clock before others take them; clocks of
// machines need not agree. Two calls for one range overlap only if handle goes on
// after its context has ended, or for the time in which a process does not know that
// another has stolen its lease: until its next save or renewal. Progress that is saved
// never goes back.
//
// The client must be made with [Configure], and the container's partition key must be
// of version 2.
func (d *Documents[T, K]) Processor(name string, leases *azcosmos.ContainerClient, handle func(ctx context.Context, changes []Change[T]) error, opts ...ProcessorOption) *Processor {
	s := processorSettings{Settings: processor.Settings{
		Look: 13 * time.Second, Renew: 17 * time.Second, Expire: 60 * time.Second,
		MaxPause: DefaultPollEvery, PageSize: d.untyped.store.Settings.PageSize,
	}}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.New("a ProcessorOption is nil")
			continue
		}
		o(&s)
	}
	switch {
	case handle == nil:
		s.wrong = errors.New("the handler of the processor is nil")
	case leases == nil:
		s.wrong = errors.New("the lease container of the processor is nil")
	}
	s.Failed = s.failed
	s.Handle = func(ctx context.Context, items []feed.Item) error {
		changes := make([]Change[T], len(items))
		for i, item := range items {
			changes[i] = Change[T]{Doc: item.Doc.(*T), Time: item.Time}
		}
		return handle(ctx, changes)
	}
	if s.wrong != nil {
		s.wrong = &Error{Op: processor.Op, Type: d.untyped.store.Type, Err: s.wrong}
		return &Processor{wrong: s.wrong}
	}
	return &Processor{inner: processor.New(name, d.untyped.store, leases, s.Settings)}
}

// Run has changes handled until ctx ends, whose error it returns. Its leases are then
// free for others at once. The first Run of a processor creates its leases, one for
// each physical partition.
//
// Run costs a query of the lease container every 13 seconds, a write of it for each
// lease every 17 seconds while nothing changes, a write for each page that is
// handled, and what [Documents.Changes] costs. Requests that fail are sent again for
// as long as Run lasts. Run ends with an error if the leases cannot be used: the
// container has another key or deletes leases by a time to live, the leases are of
// another dialect, or some are missing, so that changes would be skipped.
func (p *Processor) Run(ctx context.Context) error {
	if p.wrong != nil {
		return p.wrong
	}
	return exported(p.inner.Run(ctx))
}

// LeaseLag is how many changes come after the saved progress of a lease.
type LeaseLag struct {
	// Lease is the id of a physical partition, or the range of effective partition
	// keys.
	Lease string

	// Owner is the process that has the lease; empty if it is free.
	Owner string

	// Changes is an estimate by the service's log sequence numbers: documents of other
	// types count, and a transaction counts as one.
	Changes int64
}

// Lag returns how far the processor is from the end of the changes, by lease. It costs
// a query of the lease container, and a page of one document for each lease.
func (p *Processor) Lag(ctx context.Context) ([]LeaseLag, error) {
	if p.wrong != nil {
		return nil, p.wrong
	}
	all, err := p.inner.Lag(ctx)
	if err != nil {
		return nil, exported(err)
	}
	lags := make([]LeaseLag, len(all))
	for i, l := range all {
		lags[i] = LeaseLag(l)
	}
	return lags, nil
}
