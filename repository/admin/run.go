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

// Run configures a pass over all documents of a type: [Rekey], [Upgrade], [MoveAll]. The zero
// value uses as much throughput as the concurrency of the repository allows.
type Run struct {
	// Concurrency is the number of documents processed at once, if not 0, instead of the limit
	// of [repository.WithConcurrency].
	Concurrency int

	// Budget is the average number of request units a second that the pass uses in this
	// process, at least [MinBudget]; 0 is no limit. It includes the charges of all requests for
	// documents, of pages and of leases.
	Budget float64

	// DryRun has [Upgrade] store nothing, and [PurgeDeleted] remove nothing. Other passes
	// refuse it.
	DryRun bool

	// Progress is called about once a second with the summary so far, one call at a time. It
	// may be nil. [MoveAll] refuses it.
	Progress func(Summary)

	// Leases is a container made by [EnsureLeases], with which [Rekey] and [MoveAll] share
	// their work among all processes that pass it: each document is moved by one of them, as it
	// comes in the change feed from its beginning. Leases keep the progress, so a pass resumes
	// where it was. When all changes up to its start are handled, each process reads the
	// container once, to verify that all documents have moved, and moves those that changed
	// meanwhile. A document at its present key costs only its share of a page, so the pass ends
	// although programs write. Leases is nil for a single process.
	Leases *azcosmos.ContainerClient

	// LeaseOptions configure the processor that reads the change feed for Leases. It leaves out
	// documents that do not decode, whatever a function of feed.OnEvent returns.
	LeaseOptions []feed.Option
}

// MinBudget is the least budget of [Run] in request units a second: moving one document of some
// KB takes about as many.
const MinBudget = 100

// Summary is the result of [Rekey], [Upgrade] or [PurgeDeleted].
type Summary struct {
	// Found is the number of documents of earlier releases when [Upgrade] began, or the number
	// of documents that [PurgeDeleted] found.
	Found int

	// Changed is the number of documents moved to their present keys, or stored in their
	// present form. Other documents that [Upgrade] found were written or deleted by other
	// programs meanwhile.
	Changed int

	// Failed is the number of documents or marks that could not be moved, stored or removed,
	// and Err the first error, such as that of a method Upgrade. They are unchanged, and the
	// next run tries them again.
	Failed int
	Err    error

	// Left is the number of documents under earlier keys or in earlier forms in the last pass:
	// 0, unless documents failed, or programs of an older release still store some. After a dry
	// run, it counts all of them.
	Left int

	// Removed is the number of documents that [PurgeDeleted] removed, or of marks and void
	// copies that [Rekey] removed, and Marks the number that remain. A mark stays for 24 hours
	// after its document has moved. NextAt is when the first remaining mark may be removed; the
	// zero time if none remains.
	Removed, Marks int
	NextAt         time.Time

	// Unread is the number of changes that the leases had not read when last checked, an
	// estimate like that of [feed.LeaseLag], without leases that have finished.
	Unread int64

	// TooSlow reports that programs write documents faster than [Rekey] reads them: the unread
	// changes grow, or more than half of a pass was written since it began. If it stays true,
	// the budget is too small for the load: reading costs about 1 request unit for each KB that
	// programs write, and only the rest of the budget moves documents.
	TooSlow bool

	// RequestUnits is the sum of the charges.
	RequestUnits float64
}

// Done reports whether all documents and marks are done. The words was= and next= may then be
// removed from the tags, once every program has this release and no other run is active.
func (s Summary) Done() bool { return s.Left == 0 && s.Failed == 0 && s.Marks == 0 }

// bulk returns the settings of the requests of r, for a repository.
func (r Run) bulk(d *untyped.Documents) api.Bulk {
	b := api.Bulk{Concurrency: d.Store.Settings.Concurrency, PerSecond: r.Budget}
	if r.Concurrency != 0 {
		b.Concurrency = max(r.Concurrency, 1)
	}
	return b
}

// wrong returns an error if the settings of a pass are invalid or its type has nothing to do.
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

// sharing returns a processor that passes documents, decoded by the store of d, to handle. It
// leaves out those that do not decode, which a later pass over all documents finds. In a
// container of several types, each has its own leases.
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
