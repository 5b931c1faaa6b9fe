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
	wrong error // of the options
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
		switch {
		case s.Look <= 0 || s.Renew <= 0:
			s.wrong = fmt.Errorf("leases are looked for every %s and renewed every %s: both times must be positive", s.Look, s.Renew)
		case s.Expire/2 < s.Renew:
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

// ProcessCloseWindows has a [Processor] close a range of a window whose period has ended, if
// nothing has changed in it for as long as quiet, in a type with a container for each period
// of time. A closed range costs no polls and no renewals, and is nobody's work. Its lease
// keeps its place: it is looked at again after as long, once, so that a change in it comes up
// to quiet late, and none is lost. All processes of a processor must have the same. The
// default is [DefaultCloseWindows]; zero or less closes nothing.
func ProcessCloseWindows(quiet time.Duration) ProcessorOption {
	return func(s *processorSettings) { s.Quiet = max(quiet, 0) }
}

// ProcessSkipDroppedWindows has a [Processor] go on without the changes of containers that
// were dropped, in a type whose documents are in several. A container that was deleted and
// made again is read from its beginning. Without it, a Processor does so only for a range of
// a window whose period has ended, if there was nothing new at the last poll, and a lease
// says so: of a range that is closed, always; otherwise its owner writes that within 17
// seconds of the poll. Any other container that is no more ends Run with an error.
func ProcessSkipDroppedWindows() ProcessorOption {
	return func(s *processorSettings) { s.SkipDropped = true }
}

// OnError calls f with each error of the handler. If f returns true, the batch is left
// out, and the next one comes; otherwise the batch is tried again. Several goroutines
// may call f at once.
func OnError(f func(ctx context.Context, err error) (leaveOut bool)) ProcessorOption {
	return func(s *processorSettings) { s.HandlerFailed = f }
}

// OnUndecodable calls f with each document that does not decode, as the service has
// it, and with an [Error] that has its id and partition key. If f returns true, the
// document is left out, and the others of its page are handled. Otherwise, and without
// this option, none of its page is, and the range waits until the document decodes.
//
// A page may be read again, and f called again: after a crash, after a save that
// failed, or while the range waits. Several goroutines may call f at once. The bytes
// are valid during the call.
func OnUndecodable(f func(ctx context.Context, document []byte, err error) (leaveOut bool)) ProcessorOption {
	return func(s *processorSettings) {
		s.Undecodable = nil
		if f != nil {
			s.Undecodable = func(ctx context.Context, document []byte, err error) bool { return f(ctx, document, err) }
		}
	}
}

// OnRequestError calls f with each request that has failed and will be sent again: of
// the change feed, or of the lease container. A document that does not decode, and is
// not left out by [OnUndecodable], is such an error, too. Several goroutines may call f
// at once.
func OnRequestError(f func(ctx context.Context, err error)) ProcessorOption {
	return func(s *processorSettings) {
		s.Failed = nil
		if f != nil {
			s.Failed = func(ctx context.Context, err error) { f(ctx, err) }
		}
	}
}

// ProcessorEvent is what a [Processor] has done, for logs and metrics.
type ProcessorEvent struct {
	// Op is "handle" after each call of the handler. "acquire" is that this process
	// has a lease now. "release", "lose", "divide" and "remove" are that it has it no
	// more: because it stopped or the window was closed, because another process has
	// taken the lease or it could not be renewed in time, because its physical partition
	// was split, and because its container was dropped.
	Op string

	// Processor is the name of the processor, and Type that of the document type.
	Processor, Type string

	// Container and Lease are as in [LeaseLag].
	Container, Lease string

	// Documents is how many documents the handler got.
	Documents int

	// Lag is how many changes of the lease came after those that the handler got,
	// when they were read: an estimate as in [LeaseLag], at no cost. It is -1 if the
	// service did not tell.
	Lag int64

	// Duration is the time of the call of the handler.
	Duration time.Duration

	// Err is the error of the handler, or why the lease was lost. It is nil if there
	// is none.
	Err error
}

// ProcessorObserver calls f after every call of the handler, and with every lease that
// this process acquires and gives up, to log it or to measure it. Several goroutines
// call f at once, and wait for it. Several observers are all called. Requests are told
// to [WithObserver].
func ProcessorObserver(f func(context.Context, ProcessorEvent)) ProcessorOption {
	return func(s *processorSettings) {
		if f == nil {
			s.wrong = errors.New("the function of ProcessorObserver is nil")
			return
		}
		before := s.Observe
		s.Observe = func(ctx context.Context, e processor.Event) {
			if before != nil {
				before(ctx, e)
			}
			f(ctx, ProcessorEvent(e))
		}
	}
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
