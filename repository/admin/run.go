package admin

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	changefeed "github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Run says how a pass over all documents of a type works: [Rekey], [Upgrade], [MoveAll]. The
// zero value uses as much throughput as the concurrency of the repository allows.
type Run struct {
	// Concurrency is how many documents are on their way at once, in place of the limit of
	// [repository.WithConcurrency] if it is not 0.
	Concurrency int

	// Budget is how many request units a second the pass uses in this process on average,
	// [MinBudget] at least; 0 is no limit. It counts the charges of all requests for
	// documents, also those of pages that it reads and of leases.
	Budget float64

	// DryRun has [Upgrade] store nothing, and [PurgeDeleted] remove nothing. Others refuse it.
	DryRun bool

	// Progress is called about once a second with what was done so far, one call at a time.
	// It may be nil. [MoveAll] refuses it.
	Progress func(Summary)

	// Leases is a container as [EnsureLeases] makes it, by which [Rekey] and [MoveAll] share
	// their work among all processes that call them with it: each document is moved by one
	// of them, as the change feed gives it from its beginning. Progress is kept in the
	// leases, so that a pass goes on where it was. When the changes that there were at its
	// beginning are handled, each process reads the container once, to verify that all
	// documents have moved, and moves those that changed meanwhile. A document that is at
	// its present key costs nothing but its part of a page, so that the pass ends while
	// programs write. It is nil for one process alone.
	Leases *azcosmos.ContainerClient

	// LeaseOptions configure the processor that reads the change feed for Leases. It leaves
	// out documents that do not decode, whatever a function of feed.OnEvent returns.
	LeaseOptions []feed.Option
}

// MinBudget is the least budget of request units a second that [Run] takes: moving one
// document of some KB takes about as many.
const MinBudget = 100

// Summary is what [Rekey], [Upgrade] or [PurgeDeleted] has done, and what is left to do.
type Summary struct {
	// Found is how many documents of earlier releases there were when [Upgrade] began, or how
	// many documents [PurgeDeleted] has found.
	Found int

	// Changed is how many documents were moved to their present keys, or stored in their
	// present form. Others that [Upgrade] has found were written or deleted by somebody else
	// meanwhile.
	Changed int

	// Failed is how many documents or marks could not be moved, stored or removed, and Err
	// the first error about one, such as that of a method Upgrade. They are as they were, and
	// are tried again by the next run.
	Failed int
	Err    error

	// Left is how many documents the last pass found under earlier keys or in earlier
	// forms: 0, unless documents failed, or programs of an older release still store some.
	// After a dry run, it is all of them.
	Left int

	// Removed is how many documents [PurgeDeleted] has removed, or how many marks and void
	// copies [Rekey] has removed, and Marks how many
	// remain. A mark stays for 24 hours after its document has moved. NextAt is when
	// the first of the others may go; the zero time if none remains.
	Removed, Marks int
	NextAt         time.Time

	// Unread is how many changes the leases had not read at the last look, an estimate as
	// of [feed.LeaseLag], without leases that have nothing left to do.
	Unread int64

	// TooSlow says that programs write documents faster than [Rekey] reads them: the unread
	// changes grow, or more than half of what a pass reads was written since it began. The
	// budget is too small for the load if it stays true: reading costs about 1 request unit
	// for each KB that programs write, and what is left of the budget moves documents.
	TooSlow bool

	// RequestUnits is the sum of the charges.
	RequestUnits float64
}

// Done reports whether all documents and marks are done. The words was= and next= may then leave the tags, once
// every program has this release and no other run works.
func (s Summary) Done() bool { return s.Left == 0 && s.Failed == 0 && s.Marks == 0 }

// bulk returns the settings of the requests of r, for a repository.
func (r Run) bulk(d *untyped.Documents) api.Bulk {
	b := api.Bulk{Concurrency: d.Store.Settings.Concurrency, PerSecond: r.Budget}
	if r.Concurrency != 0 {
		b.Concurrency = max(r.Concurrency, 1)
	}
	return b
}

// wrong returns the error of a pass, if its settings are wrong or its type has nothing to do.
func (r Run) wrong(op, typ string, others ...error) error {
	err := errors.Join(others...)
	if r.Budget != 0 && !(r.Budget >= MinBudget) { // NaN is too small
		err = fmt.Errorf("a budget of %s request units a second is too small: give at least %d, or no budget", strconv.FormatFloat(r.Budget, 'g', -1, 64), MinBudget)
	}
	if err == nil {
		return nil
	}
	return &documents.Error{Op: op, Type: typ, Err: err}
}

// refuse returns an error if an option that a pass does not have is set.
func refuse(set bool, option, pass string) error {
	if !set {
		return nil
	}
	return fmt.Errorf("%s has no %s: leave it out", pass, option)
}

// sharing returns a processor whose handler gets documents, as the store of d decodes them.
// It leaves out those that do not decode, which a pass over all of them finds afterwards. In
// a container of several types, each has leases of its own.
func sharing[D any](d *untyped.Documents, name string, r Run, handle func(context.Context, iter.Seq[D]) error) (*processor.Processor, error) {
	if d.Store.Discriminator != nil {
		name += "-" + d.Store.Type
	}
	s := processor.Apply(d.Store.Settings.PageSize, r.LeaseOptions)
	s.Refuse("a Processor", s.OfChanges)
	if s.Wrong != nil {
		return nil, &documents.Error{Op: processor.Op, Type: d.Store.Type, Err: s.Wrong}
	}
	told := s.OnEvent
	s.OnEvent = func(ctx context.Context, e processor.Event) bool {
		leaveOut := told != nil && told(ctx, e)
		return leaveOut || e.Op == processor.OpUndecodable
	}
	s.Handle = func(ctx context.Context, changes []changefeed.Item) error {
		return handle(ctx, func(yield func(D) bool) {
			for _, change := range changes {
				if doc, ok := change.Doc.(D); ok && !yield(doc) {
					return
				}
			}
		})
	}
	return processor.New(name, d.Store, r.Leases, s.Settings), nil
}
