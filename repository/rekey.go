package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// RekeySummary is what [Documents.Rekey] has done, and what is left to do.
type RekeySummary struct {
	// Moved is how many documents were moved to their present keys.
	Moved int

	// Failed is how many documents or marks could not be moved or removed, and Err the
	// first error about one. They are tried again by the next Rekey.
	Failed int
	Err    error

	// Left is how many documents the last pass found under earlier keys: 0, unless
	// documents failed, or programs of an older release still store some.
	Left int

	// Removed is how many marks and void copies were removed, and Marks how many
	// remain. A mark stays for 24 hours after its document has moved. NextAt is when
	// the first of the others may go; the zero time if none remains.
	Removed, Marks int
	NextAt         time.Time

	// Unread is how many changes the leases of [RekeyLeases] had not read at the last look,
	// an estimate as of [LeaseLag], without leases that have nothing left to do.
	Unread int64

	// TooSlow says that programs write documents faster than Rekey reads them: the unread
	// changes grow, or more than half of what a pass reads was written since it began. The
	// budget is too small for the load if it stays true: reading costs about 1 request unit
	// for each KB that programs write, and what is left of the budget moves documents.
	TooSlow bool

	// RequestUnits is the sum of the charges.
	RequestUnits float64
}

// Done reports whether all documents are under their present keys and no mark remains.
// The word was may then leave the tag, once every program has this release and no other
// Rekey runs.
func (s RekeySummary) Done() bool { return s.Left == 0 && s.Failed == 0 && s.Marks == 0 }

// RekeyOption changes how [Documents.Rekey] works.
type RekeyOption func(*rekeySettings)

type rekeySettings struct {
	rekey.Settings
	leases *azcosmos.ContainerClient // nil for one process alone
	shared []ProcessorOption
	wrong  error
}

// MinRekeyBudget is the least budget of request units a second that [RekeyBudget]
// takes: moving one document of some KB takes about as many.
const MinRekeyBudget = 100

// RekeyBudget limits [Documents.Rekey] to an average of perSecond request units a second
// in this process. It counts the charges of all requests for documents, also those of
// pages that it reads and of leases. A budget below [MinRekeyBudget] is an error.
func RekeyBudget(perSecond float64) RekeyOption {
	return func(s *rekeySettings) {
		s.Bulk.PerSecond, s.wrong = perSecond, errors.Join(s.wrong, checkBudget(perSecond))
	}
}

func checkBudget(perSecond float64) error {
	if perSecond >= MinRekeyBudget {
		return nil
	}
	return fmt.Errorf("a budget of %s request units a second is too small: give at least %d, or no budget", strconv.FormatFloat(perSecond, 'g', -1, 64), MinRekeyBudget)
}

// RekeyConcurrency limits [Documents.Rekey] to n documents at once, in place of the
// limit of [WithConcurrency].
func RekeyConcurrency(n int) RekeyOption {
	return func(s *rekeySettings) { s.Bulk.Concurrency = max(n, 1) }
}

// RekeyLeases shares the work of [Documents.Rekey] among all processes that call it with
// this lease container, as [Documents.Processor] does: each document is moved by one of
// them, as the change feed gives it from its beginning. Progress is kept in the leases,
// so that Rekey goes on where it was. When the changes that there were at its beginning are
// handled, each process reads the container once, to verify that all documents have moved,
// and moves those that changed meanwhile. A document that is at its present key costs
// nothing but its part of a page, so that Rekey ends while programs write.
func RekeyLeases(leases *azcosmos.ContainerClient, opts ...ProcessorOption) RekeyOption {
	return func(s *rekeySettings) {
		if s.leases, s.shared = leases, opts; leases == nil {
			s.wrong = errors.New("the lease container is nil")
		}
	}
}

// OnRekeyProgress has a function called about once a second with what [Documents.Rekey]
// has done so far. Calls do not overlap.
func OnRekeyProgress(f func(RekeySummary)) RekeyOption {
	return func(s *rekeySettings) {
		if s.Progress = nil; f != nil {
			s.Progress = func(done rekey.Summary) { f(rekeySummaryOf(done)) }
		}
	}
}

// Rekey moves documents that are stored under earlier numbers of buckets, which was
// lists, to their present keys, while programs of this release and the one before it
// read and write them. Start it when no program runs any more that knows only the
// earlier number. Any number of processes may run it at the same time, and it may end
// and begin again at any point: what is moved stays moved.
//
// Rekey reads the whole container, moves what it finds, and reads again, until a pass
// finds nothing under earlier keys. Then it removes the marks of documents that moved
// more than 24 hours ago, so that it takes two runs, a day apart, until
// [RekeySummary.Done] says that was may go. It costs about 1 request unit for each KB
// that it reads in each pass, and for each document that it moves a point read and four
// writes, about 21 request units for 1 KB.
//
// A document that moves is written at its new key, so the change feed gives it once
// more. Its time to live is reduced by its age. A document that cannot be moved is
// counted in [RekeySummary.Failed]. The error is that of a pass which ended early, or of
// a type whose tag has no was: nothing is sent then.
func (d *Documents[T, K]) Rekey(ctx context.Context, opts ...RekeyOption) (RekeySummary, error) {
	settings := rekeySettings{Settings: rekey.Settings{Bulk: api.Bulk{Concurrency: d.untyped.Store.Settings.Concurrency}}}
	for _, o := range opts {
		if o == nil {
			settings.wrong = errors.New("a RekeyOption is nil")
			continue
		}
		o(&settings)
	}
	wrong := settings.wrong
	if wrong == nil && earlier(d.model) == 0 {
		wrong = errors.New("its tag has no was, so that no document has an earlier key: see More buckets in docs/keys.md")
	}
	if wrong != nil {
		return RekeySummary{}, &Error{Op: rekey.Op, Type: d.untyped.Store.Type, Err: wrong}
	}
	return rekeyAll(ctx, d.untyped, settings)
}

// rekeyAll is Documents.Rekey with settings that were checked.
func rekeyAll(ctx context.Context, d *untyped.Documents, settings rekeySettings) (RekeySummary, error) {
	r := rekey.New(d.Writer, func(doc any) (write.Places, error) { return d.Types.Places(d.Writer, doc) }, settings.Settings)
	err := r.Begin(ctx)
	if err == nil && settings.leases != nil {
		err = rekeyChanges(ctx, d, r, settings)
	}
	if err == nil {
		err = r.Run(ctx)
	}
	return rekeySummaryOf(r.Summary()), err
}

// rekeyChanges moves the documents that the change feed gives to this process, until all
// that was written before has been handled.
func rekeyChanges(ctx context.Context, d *untyped.Documents, r *rekey.Rekey, settings rekeySettings) error {
	p := sharing(d.Undecoded(), rekey.Op, settings.leases, settings.shared, r.Changed)
	if p.wrong != nil {
		return p.wrong
	}
	return r.Share(ctx, p.inner)
}

// sharing returns a processor whose handler gets documents, as the store of d decodes them.
// It leaves out those that do not decode, which a pass over all of them finds afterwards. In
// a container of several types, each has leases of its own.
func sharing[D any](d *untyped.Documents, name string, leases *azcosmos.ContainerClient, shared []ProcessorOption, handle func(context.Context, iter.Seq[D]) error) *Processor {
	opts := append([]ProcessorOption{
		OnUndecodable(func(context.Context, []byte, error) bool { return true }),
	}, shared...)
	if d.Store.Discriminator != nil {
		name += "-" + d.Store.Type
	}
	return newProcessor(name, d.Store, nil, leases, func(ctx context.Context, changes []feed.Item) error {
		return handle(ctx, func(yield func(D) bool) {
			for _, change := range changes {
				if doc, ok := change.Doc.(D); ok && !yield(doc) {
					return
				}
			}
		})
	}, opts, func(*processorSettings) {})
}

// rekeySummaryOf returns a summary as callers get it.
func rekeySummaryOf(s rekey.Summary) RekeySummary {
	return RekeySummary(s)
}

// earlier is how many numbers of buckets was lists at least.
func earlier[T any, K generated.Key](m *generated.Model[T, K]) int {
	if m.Others == nil {
		return 0
	}
	var none K
	return len(m.Others(none)) - m.Later
}
