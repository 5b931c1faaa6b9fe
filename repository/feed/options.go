package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// Option changes how [Changes] or a [Processor] reads the change feed. If an option is for only
// one of them, the other returns an error.
type Option func(*processor.Options)

// LeaseDialect is a format in which Microsoft's SDKs store leases.
type LeaseDialect int

// The dialects of leases. Processes that share leases use the same dialect: there is no
// conversion.
const (
	// DotNet is the dialect of azure-cosmos-dotnet-v3.
	DotNet = LeaseDialect(lease.DotNet)

	// JavaRange is the dialect of handleChanges in azure-sdk-for-java. It cannot follow a merge
	// of physical partitions.
	JavaRange = LeaseDialect(lease.JavaRange)

	// JavaEPK is the dialect of handleLatestVersionChanges in azure-sdk-for-java.
	JavaEPK = LeaseDialect(lease.JavaEPK)
)

// WithLeaseDialect sets the dialect of the leases. The default is [DotNet].
func WithLeaseDialect(d LeaseDialect) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "WithLeaseDialect"
		if d < DotNet || d > JavaEPK {
			s.Wrong = fmt.Errorf("the lease dialect %d does not exist", int(d))
		}
		s.Dialect = lease.Dialect(d)
	}
}

// LeaseTimes are the intervals at which leases are read and written. Zero is the default of
// each, which is that of the SDKs for .NET and Java.
type LeaseTimes struct {
	Acquire time.Duration // between two reads of the leases; 13 seconds
	Renew   time.Duration // between two writes of a lease; 17 seconds
	Expire  time.Duration // after which a lease that was not written is free; 60 seconds
}

// WithLeaseTimes sets the intervals at which leases are read and written. All processes of a
// processor must use the same: a lease must be renewed at least twice before it expires.
func WithLeaseTimes(t LeaseTimes) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "WithLeaseTimes"
		if err := s.SetTimes(t.Acquire, t.Renew, t.Expire); err != nil {
			s.Wrong = err
		}
	}
}

// Begin sets where leases without progress start: [FromBeginning], the default, or [FromTime].
// All processes of a processor must use the same. A cursor is refused: leases keep the
// positions of a processor.
func Begin(from From) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "Begin"
		if from.from.Cursor != "" {
			s.Wrong = errors.New("a processor cannot begin at a cursor: its leases record its progress")
		}
		s.Since = from.from.Since
	}
}

// DefaultPollEvery is the longest pause between two polls of a physical partition in which
// nothing changes. It is that of the change feed processors of the other SDKs.
const DefaultPollEvery = processor.DefaultMaxPause

// UntilCaughtUp ends the iteration of [Changes], without an error, when every physical
// partition has reported once that it has nothing new. Changes made meanwhile come in this
// iteration or in the next, from the last cursor.
func UntilCaughtUp() Option {
	return func(s *processor.Options) { s.Once, s.OfChanges = true, "UntilCaughtUp" }
}

// PollEvery sets the longest pause between two polls of a physical partition in
// which nothing changes. The default is [DefaultPollEvery]; a d below a
// millisecond counts as a millisecond.
func PollEvery(d time.Duration) Option {
	return func(s *processor.Options) { s.MaxPause = max(d, time.Millisecond) }
}

// PageSize requests at most n documents in one response, and so in one call of a handler. The
// default is the size of [repository.WithPageSize], or the service's own, 100. A page may be
// longer, because the service does not divide a transaction.
func PageSize(n int32) Option {
	return func(s *processor.Options) { s.PageSize = max(n, 0) }
}

// OnCaughtUp has [Changes] call f when all physical partitions have reached their ends, and
// again each time they have after a later change. The iteration calls f itself, and waits for
// it. The cursor is the position there. It is later than the cursor of the last change if
// documents of other types have changed since, and exists even if nothing has changed at all.
// An iteration with [UntilCaughtUp] that ends without an error calls f last.
func OnCaughtUp(f func(cursor string)) Option {
	return func(s *processor.Options) {
		if f == nil {
			s.Wrong = errors.New("the function of OnCaughtUp is nil")
		}
		s.CaughtUp, s.OfChanges = f, "OnCaughtUp"
	}
}

// CloseWindows closes a window whose period has ended and in which nothing has changed for the
// duration quiet, in a type with a container for each period of time. The leases of a closed
// window are not renewed, and it is polled only once per quiet period, and in each new
// iteration of [Changes], so a change may arrive up to quiet late but is never lost. All
// processes of a [Processor] must use the same value. The default is [DefaultCloseWindows];
// zero or less closes no window.
func CloseWindows(quiet time.Duration) Option {
	return func(s *processor.Options) { s.Quiet = max(quiet, 0) }
}

// DefaultCloseWindows is how long a window whose period has ended must be quiet before it is
// closed.
const DefaultCloseWindows = processor.DefaultQuiet

// SkipDroppedWindows continues without the changes of dropped containers, in a type with
// several containers. A container that was deleted and created again is read from its
// beginning.
//
// By default only an ended window that was fully read may be dropped: its period has ended, and
// its last poll found nothing new, in [Changes] in each physical partition. A [Processor] uses
// its leases, in which an owner records this within 17 seconds of the poll; a closed range
// always counts. Any other dropped container ends the iteration, or Run, with an error.
func SkipDroppedWindows() Option {
	return func(s *processor.Options) { s.SkipDropped = true }
}

// Event is an event of a [Processor], for logs, metrics and decisions.
type Event struct {
	// Op is one of:
	//
	//   - "handle" after each call of the handler;
	//   - "fail" with each error of the handler: true leaves the batch out; otherwise it is
	//     tried again;
	//   - "undecodable" with each document that does not decode: true leaves it out, and the
	//     other documents of its page are handled. Otherwise no document of the page is
	//     handled, and the range waits until the document decodes. The event may come again
	//     when the page is read again: after a crash, after a failed save, or while the range
	//     waits;
	//   - "retry" with each failed request that will be sent again, to the change feed or to
	//     the lease container. A document that does not decode, and is not left out, is such an
	//     error, too;
	//   - "acquire" when this process has acquired a lease;
	//   - "release" when it gives up a lease because it stopped or the window was closed,
	//     "lose" because another process took the lease or it could not be renewed in time,
	//     "divide" because its physical partition was split, and "remove" because its container
	//     was dropped;
	//   - "restore" when this process has recreated a missing lease, lost in a forced failover
	//     or deleted. Its changes come again from the beginning, or from the time of [Begin].
	Op string

	// Processor is the name of the processor, and Type that of the document type. Both are
	// empty for "fail", "undecodable" and "retry"; Err has them.
	Processor, Type string

	// Container and Lease are as in [LeaseLag].
	Container, Lease string

	// Documents is the number of documents passed to the handler.
	Documents int

	// Document is the stored JSON of a document that does not decode. It is valid during the
	// call.
	Document []byte

	// Lag is the number of changes of the lease after the handled ones, when they were read: an
	// estimate as in [LeaseLag], at no cost. It is -1 if the service did not report it.
	Lag int64

	// Duration is the duration of the call of the handler.
	Duration time.Duration

	// Err is the error of the handler or the request, or the reason why the lease was lost or
	// the document does not decode: then it is a [documents.Error] with its id and partition
	// key. Otherwise it is nil.
	Err error
}

// OnEvent has a [Processor] call f with every event. For "fail" and "undecodable", true leaves
// the batch or the document out. Several goroutines call f at once, and wait for it. Several
// functions are all called, and it is enough that one returns true. For requests, see
// [repository.WithObserver].
func OnEvent(f func(ctx context.Context, e Event) (leaveOut bool)) Option {
	return func(s *processor.Options) {
		if s.OfProcessors = "OnEvent"; f == nil {
			s.Wrong = errors.New("the function of OnEvent is nil")
			return
		}
		before := s.OnEvent
		s.OnEvent = func(ctx context.Context, e processor.Event) bool {
			leaveOut := before != nil && before(ctx, e)
			return f(ctx, Event(e)) || leaveOut
		}
	}
}
