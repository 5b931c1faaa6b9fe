package repository

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
)

// ProcessorOption changes how a [Processor] works.
type ProcessorOption func(*processorSettings)

type processorSettings struct {
	processor.Settings
	handling   func(context.Context, error) bool // of OnError
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

// OnError calls f with each error of the handler. If f returns true, the batch
// is left out, and the next one comes; otherwise the batch is tried again. Several
// goroutines may call f at once.
func OnError(f func(ctx context.Context, err error) (leaveOut bool)) ProcessorOption {
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

// EnsureLeases returns the container of this id in the database db for the leases of
// processors, and creates it, with this throughput, if it is missing: its key is /id,
// and its default time to live -1. Nothing expires by -1, except what has a time to
// live of its own: the lock of a process that crashes while it creates leases. Other
// SDKs remove that lock in no other way; a [Processor] also does without.
//
// EnsureLeases accepts a container without a default time to live, and never turns one
// on. Otherwise it works as [Ensure], with the same options, errors and costs. It is
// safe for concurrent use.
func EnsureLeases(ctx context.Context, db *azcosmos.DatabaseClient, id string, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	want := lease.Wanted(id)
	return ensure(ctx, provision.Container{DB: db, Want: &want, Throughput: throughput.throughput, Accepts: lease.Accepts}, opts)
}
