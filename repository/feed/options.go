package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// Option changes how [Changes] or a [Processor] reads the change feed. Each says which of them
// it is for, if it is for one alone: the other then returns an error.
type Option func(*processor.Options)

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
func WithLeaseDialect(d LeaseDialect) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "WithLeaseDialect"
		if d < DotNet || d > JavaEPK {
			s.Wrong = fmt.Errorf("the lease dialect %d does not exist", int(d))
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
func WithLeaseTimes(t LeaseTimes) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "WithLeaseTimes"
		if err := s.SetTimes(t.Acquire, t.Renew, t.Expire); err != nil {
			s.Wrong = err
		}
	}
}

// Begin says where to begin where a lease has no progress yet: [FromBeginning],
// which is the default, or [FromTime]. All processes of a processor must have the
// same. A cursor is refused: leases keep the positions of a processor.
func Begin(from From) Option {
	return func(s *processor.Options) {
		s.OfProcessors = "Begin"
		if from.from.Cursor != "" {
			s.Wrong = errors.New("a processor cannot begin at a cursor: its leases record its progress")
		}
		s.Since = from.from.Since
	}
}

// DefaultPollEvery is the longest pause between two polls of a physical partition
// in which nothing changes. The change feed processor of the other SDKs has the
// same.
const DefaultPollEvery = processor.DefaultMaxPause

// UntilCaughtUp ends the iteration of [Changes], without an error, after every physical
// partition has said once that it has nothing new. Changes made meanwhile may
// come in this iteration; otherwise they come in the next, from the last cursor.
func UntilCaughtUp() Option {
	return func(s *processor.Options) { s.Once, s.OfChanges = true, "UntilCaughtUp" }
}

// PollEvery sets the longest pause between two polls of a physical partition in
// which nothing changes. The default is [DefaultPollEvery]; a d below a
// millisecond counts as a millisecond.
func PollEvery(d time.Duration) Option {
	return func(s *processor.Options) { s.MaxPause = max(d, time.Millisecond) }
}

// PageSize asks for at most n documents in one response, and so in one call of a handler. The default is
// the size of [repository.WithPageSize], or else the service's own, 100. A page may be
// longer, because the service does not divide a transaction.
func PageSize(n int32) Option {
	return func(s *processor.Options) { s.PageSize = max(n, 0) }
}

// OnCaughtUp has [Changes] call f when every physical partition has come to its end: the first
// time, and then whenever something has changed and all have come to their ends
// again. The iteration calls f itself, and waits for it. The cursor is the
// position there. It is later than the cursor of the last change if documents of
// other types have changed since, and exists even if nothing has changed at all.
// An iteration with [UntilCaughtUp] that ends without an error calls f last.
func OnCaughtUp(f func(cursor string)) Option {
	return func(s *processor.Options) {
		if f == nil {
			s.Wrong = errors.New("the function of OnCaughtUp is nil")
		}
		s.CaughtUp, s.OfChanges = f, "OnCaughtUp"
	}
}

// CloseWindows has a window closed whose period has ended and in which nothing has
// changed for as long as quiet, in a type with a container for each period of time. A closed
// window costs no polls, and no renewals of its leases. It is looked at again after as long,
// once, and in each new iteration of [Changes], so that a change in it comes up to quiet late,
// and none is lost. All processes of a [Processor] must have the same. The default is
// [DefaultCloseWindows]; zero or less closes no window.
func CloseWindows(quiet time.Duration) Option {
	return func(s *processor.Options) { s.Quiet = max(quiet, 0) }
}

// DefaultCloseWindows is how long a window whose period has ended has to be quiet before
// it is closed.
const DefaultCloseWindows = processor.DefaultQuiet

// SkipDroppedWindows goes on without the changes of containers that were dropped, in a type
// whose documents are in several. A container that was deleted and made again is read from its
// beginning. Without it, that is done only where the period of a window has ended, and there
// was nothing new at the last poll: of [Changes], that of each physical partition; of a
// [Processor], as a lease says: of a range that is closed, always; otherwise its owner writes
// that within 17 seconds of the poll. Any other container that is no more ends the iteration,
// or Run, with an error.
func SkipDroppedWindows() Option {
	return func(s *processor.Options) { s.SkipDropped = true }
}

// Event is what happens in a [Processor], for logs, metrics and decisions.
type Event struct {
	// Op is one of:
	//
	//   - "handle" after each call of the handler;
	//   - "fail" with each error of the handler: true leaves the batch out, and otherwise it is
	//     tried again;
	//   - "undecodable" with each document that does not decode: true leaves it out, and the
	//     others of its page are handled. Otherwise none of its page is, and the range waits
	//     until the document decodes. A page may be read again, and the event come again: after
	//     a crash, after a save that failed, or while the range waits;
	//   - "retry" with each request that has failed and will be sent again: of the change feed,
	//     or of the lease container. A document that does not decode, and is not left out, is
	//     such an error, too;
	//   - "acquire" when this process has got a lease, and "release", "lose", "divide" and
	//     "remove" when it has it no more: because it stopped or the window was closed, because
	//     another process has taken the lease or it could not be renewed in time, because its
	//     physical partition was split, and because its container was dropped;
	//   - "restore" when this process has created a lease that was missing: a forced failover has
	//     lost it, or somebody has deleted it. Its changes come again from the beginning, or from
	//     the time of [Begin].
	Op string

	// Processor is the name of the processor, and Type that of the document type. Both are
	// empty of "fail", "undecodable" and "retry", of which Err says it.
	Processor, Type string

	// Container and Lease are as in [LeaseLag].
	Container, Lease string

	// Documents is how many documents the handler got.
	Documents int

	// Document is a document that does not decode, as the service has it. The bytes are valid
	// during the call.
	Document []byte

	// Lag is how many changes of the lease came after those that the handler got,
	// when they were read: an estimate as in [LeaseLag], at no cost. It is -1 if the
	// service did not tell.
	Lag int64

	// Duration is the time of the call of the handler.
	Duration time.Duration

	// Err is the error of the handler or the request, or why the lease was lost, or the
	// document does not decode: then it is a [documents.Error] with its id and partition key.
	// It is nil if there is none.
	Err error
}

// OnEvent has a [Processor] call f with all that happens. What f returns counts for "fail" and
// "undecodable": true leaves the batch or the document out. Several goroutines call f at once,
// and wait for it. Several functions are all called, and one that returns true is enough.
// Requests are told to [repository.WithObserver].
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
