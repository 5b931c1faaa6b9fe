package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// opRekey is the operation of Rekey, as errors and events name it.
const opRekey = "rekey"

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
	bulk     write.BulkSettings
	progress func(RekeySummary)
	leases   *azcosmos.ContainerClient // nil for one process alone
	shared   []ProcessorOption
	wrong    error
}

// MinRekeyBudget is the least budget of request units a second that [RekeyBudget]
// takes: moving one document of some KB takes about as many.
const MinRekeyBudget = 100

// RekeyBudget limits [Documents.Rekey] to an average of perSecond request units a second
// in this process. It counts the charges of all requests, as [WithRequestUnitBudget]
// does. A budget below [MinRekeyBudget] is an error.
func RekeyBudget(perSecond float64) RekeyOption {
	return func(s *rekeySettings) {
		if !(perSecond >= MinRekeyBudget) {
			s.wrong = fmt.Errorf("a budget of %s request units a second is too small: give at least %d, or no budget", strconv.FormatFloat(perSecond, 'g', -1, 64), MinRekeyBudget)
		}
		s.bulk.PerSecond = perSecond
	}
}

// RekeyConcurrency limits [Documents.Rekey] to n documents at once, in place of the
// limit of [WithConcurrency].
func RekeyConcurrency(n int) RekeyOption {
	return func(s *rekeySettings) { s.bulk.Concurrency = max(n, 1) }
}

// RekeyLeases shares the work of [Documents.Rekey] among all processes that call it with
// this lease container, as [Documents.Processor] does: each document is moved by one of
// them, as the change feed gives it from its beginning. Progress is kept in the leases,
// so that Rekey goes on where it was. When all changes are handled, each process reads the
// container once, to verify that all documents have moved.
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
	return func(s *rekeySettings) { s.progress = f }
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
	r := rekey{documents: d.untyped}
	r.settings.bulk.Concurrency = d.untyped.store.Settings.Concurrency
	for _, o := range opts {
		if o == nil {
			r.settings.wrong = errors.New("a RekeyOption is nil")
			continue
		}
		o(&r.settings)
	}
	wrong := r.settings.wrong
	if wrong == nil && earlier(d.model) == 0 {
		wrong = errors.New("its tag has no was, so that no document has an earlier key: see More buckets in docs/keys.md")
	}
	if wrong != nil {
		return RekeySummary{}, &Error{Op: opRekey, Type: d.untyped.store.Type, Err: wrong}
	}
	err := r.begin(ctx)
	if err == nil && r.settings.leases != nil {
		err = sharedRekey(ctx, d, &r)
	}
	if err == nil {
		err = r.run(ctx)
	}
	return r.summary, exported(err)
}

// lookEvery is the pause between two looks at whether all changes are handled.
const lookEvery = time.Second

// sharedRekey moves the documents that the change feed gives to this process, until no
// process has changes left.
func sharedRekey[T any, K generated.Key](ctx context.Context, d *Documents[T, K], r *rekey) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	opts := append([]ProcessorOption{
		// The pass that verifies counts it as failed.
		OnUndecodable(func(context.Context, []byte, error) bool { return true }),
	}, r.settings.shared...)
	p := d.Processor(opRekey, r.settings.leases, func(ctx context.Context, changes []Delivery[T]) error {
		return r.move(ctx, func(yield func(*write.BulkItem) bool) {
			for _, change := range changes {
				if item := r.change(change.Doc); item != nil && !yield(item) {
					return
				}
			}
		})
	}, opts...)
	ended := map[string]bool{}
	go func() {
		for ctx.Err() == nil {
			if p.caughtUp(ctx, ended) {
				cancel(errCaughtUp)
			}
			_ = backoff.Sleep(ctx, lookEvery) // the loop looks at ctx
		}
	}()
	err := p.Run(ctx)
	if errors.Is(context.Cause(ctx), errCaughtUp) {
		return nil
	}
	return err
}

// errCaughtUp is why a processor ends that has nothing left to do.
var errCaughtUp = errors.New("all changes are handled")

// caughtUp notes which leases are at the end of the changes, and reports whether all of
// them have been there once. While programs write, they are not all there at one time.
func (p *Processor) caughtUp(ctx context.Context, ended map[string]bool) bool {
	lags, err := p.Lag(ctx)
	all := err == nil && len(lags) > 0
	for _, l := range lags {
		ended[l.Lease] = ended[l.Lease] || l.Changes <= 0
		all = all && ended[l.Lease]
	}
	return all
}

// earlier is how many numbers of buckets was lists at least.
func earlier[T any, K generated.Key](m *generated.Model[T, K]) int {
	if m.Others == nil {
		return 0
	}
	var none K
	return len(m.Others(none)) - m.Later
}

// rekey is a call of Documents.Rekey.
type rekey struct {
	*documents
	settings rekeySettings
	bulk     *write.Bulk
	ttl      int64 // of the container, in seconds

	mu      sync.Mutex
	summary RekeySummary

	telling sync.Mutex
	told    time.Time
}

// maxPasses bounds how often the container is read.
const maxPasses = 5

// begin reads the container.
func (r *rekey) begin(ctx context.Context) error {
	if err := r.store.JoinSession(ctx, opRekey); err != nil {
		return err
	}
	properties, err := r.store.Properties(ctx)
	if err != nil {
		return wire.NewOperationError(opRekey, r.store.Type, "", "", err)
	}
	if properties.DefaultTimeToLive != nil {
		r.ttl = int64(*properties.DefaultTimeToLive)
	}
	r.bulk = write.NewBulk(r.writer, opRekey, r.settings.bulk, nil)
	return nil
}

// run moves documents and removes marks.
func (r *rekey) run(ctx context.Context) error {
	for range maxPasses {
		r.summary.Left, r.summary.Failed, r.summary.Err = 0, 0, nil
		if err := r.pass(ctx, query.Documents, r.relocation); err != nil {
			return err
		}
		if r.summary.Left == r.summary.Failed {
			break // all others are at their present keys
		}
	}
	r.summary.Marks, r.summary.NextAt = 0, time.Time{}
	err := r.pass(ctx, query.Marks, r.clearing)
	r.tell(true)
	return err
}

// pass reads what is stored, and does to each what item says. A nil item is nothing.
func (r *rekey) pass(ctx context.Context, what query.Stored, item func(raw []byte) (*write.BulkItem, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return r.move(ctx, r.items(ctx, what, item))
}

// move does what items say. An error of one of them does not end it.
func (r *rekey) move(ctx context.Context, items iter.Seq[*write.BulkItem]) error {
	for done := range r.bulk.All(ctx, items) {
		if done.SourceErr != nil {
			return done.Err
		}
		r.mu.Lock()
		r.summary.RequestUnits += done.RequestUnits
		if done.Err != nil {
			r.summary.Failed++
			if r.summary.Err == nil {
				r.summary.Err = exported(done.Err)
			}
		}
		r.mu.Unlock()
		r.tell(false)
	}
	return ctx.Err()
}

// items are what a pass does, as it reads what is stored.
func (r *rekey) items(ctx context.Context, what query.Stored, item func(raw []byte) (*write.BulkItem, error)) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		var m Meter
		counted := 0.0
		q := query.NewSelection(r.store, generated.Keys{}).AsStored(what)
		each := func(raw []byte) (*write.BulkItem, error) {
			one, err := item(raw)
			if err != nil { // of this document alone
				one = newBulkItem(error(nil))
				one.Err = err
			}
			return one, nil
		}
		for one, err := range run(WithMeter(ctx, &m), q, q.Statement(), each, 0) {
			units := m.RequestUnits()
			r.bulk.Budget.Spend(units - counted)
			r.mu.Lock()
			r.summary.RequestUnits += units - counted
			r.mu.Unlock()
			counted = units
			if err != nil {
				one = sourceError(r.bulk, err)
			}
			if one != nil && !yield(one) {
				return
			}
		}
	}
}

// places returns the places of a document, and false if its fields make no key, which
// pkgen verify finds.
func (r *rekey) places(doc any) (write.Places, bool) {
	places, err := r.types.places(r.writer, doc)
	return places, err == nil
}

// at returns the places of a stored document, and the index of the one where it is; -1 if
// it is at none of them.
func (r *rekey) at(raw []byte) (places write.Places, item *write.BulkItem, index int, err error) {
	p, err := store.PlaceOf(r.store, raw)
	if err != nil {
		return places, nil, -1, err
	}
	doc, err := r.store.Decode(raw)
	if err != nil {
		return places, nil, -1, &wire.OperationError{Op: opRekey, Type: r.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	places, keyed := r.places(doc)
	if !keyed {
		return places, nil, -1, nil
	}
	item = newBulkItem(doc)
	item.Place = p
	for i, site := range places.All {
		if site.Name == p.Name {
			return places, item, i, nil
		}
	}
	return places, item, -1, nil
}

// relocation moves a document that is under an earlier number of buckets.
func (r *rekey) relocation(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err == nil && (index < 0 || index >= places.Present) {
		return nil, nil
	}
	r.mu.Lock()
	r.summary.Left++ // also if nobody knows where it belongs
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		return "", r.relocate(ctx, places, places.All[index])
	}
	return item, nil
}

// relocate moves the document from a site to its present one, if it is there.
func (r *rekey) relocate(ctx context.Context, places write.Places, from write.Site) error {
	moved, err := places.Relocate(ctx, opRekey, from, places.Home(), r.ttl)
	if moved {
		r.mu.Lock()
		r.summary.Moved++
		r.mu.Unlock()
	}
	return err
}

// change moves a document that has changed, if it may be under an earlier number of
// buckets.
func (r *rekey) change(doc any) *write.BulkItem {
	places, err := r.types.places(r.writer, doc)
	if err != nil || r.rememberedText(doc) == places.Home().Text && places.Home().Text != "" {
		return nil
	}
	item := newBulkItem(doc)
	item.Place = places.Home().Place
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		for _, site := range places.All[:places.Present] {
			if err := r.relocate(ctx, places, site); err != nil {
				return "", err
			}
		}
		return "", nil
	}
	return item
}

// clearing removes a mark or a void copy.
func (r *rekey) clearing(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err != nil || index < 0 {
		return nil, err
	}
	mark, err := store.MarkOf(raw)
	if err != nil {
		return nil, err
	}
	var written int64
	if err := json.Unmarshal(text.ValueAt(raw, []string{"_ts"}), &written); err != nil {
		return nil, err
	}
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		removed, err := places.Tidy(ctx, opRekey, places.All[index])
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case removed:
			r.summary.Removed++
		case mark.State == store.Moved || mark.State == store.Removed:
			r.summary.Marks++
			at := time.Unix(written, 0).Add(store.Grace).UTC()
			if r.summary.NextAt.IsZero() || at.Before(r.summary.NextAt) {
				r.summary.NextAt = at
			}
		}
		return "", err
	}
	return item, nil
}

// tell calls the function for the progress.
func (r *rekey) tell(last bool) {
	r.telling.Lock()
	defer r.telling.Unlock()
	if r.settings.progress == nil || !last && time.Since(r.told) < time.Second {
		return
	}
	r.told = time.Now()
	r.mu.Lock()
	s := r.summary
	r.mu.Unlock()
	r.settings.progress(s)
}
