package renewal

import (
	"context"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/pass"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Op names an upgrade in errors and events.
const Op = "upgrade"

// Summary is the result of a run so far.
type Summary struct {
	Found        int   // outdated documents when the run began
	Upgraded     int   // documents that the run has stored
	Failed       int   // documents that the last pass could not store
	Err          error // the first error of these
	Left         int   // documents that the last pass found
	RequestUnits float64
}

// Settings configure a run.
type Settings struct {
	Bulk     api.Bulk
	DryRun   bool          // store nothing
	Progress func(Summary) // called about once a second, one call at a time; may be nil
}

// Part is a container with documents of the type.
type Part struct {
	*write.Writer
	Place   func(doc any) (wire.Place, error)
	Matcher func(doc any) func(other any) bool // distinguishes a document from others at its place; nil if not needed

	// Places returns the places where a document may be. It is nil if a document has one
	// place.
	Places func(doc any) (write.Places, error)
}

// Run is a run over the documents of a type.
type Run struct {
	*pass.Report[Summary]
	parts    []Part
	settings Settings
}

// New returns a run over containers.
func New(parts []Part, s Settings) *Run {
	return &Run{Report: pass.NewReport(s.Progress), parts: parts, settings: s}
}

// Run reads the containers until a pass finds only documents that cannot be stored.
func (r *Run) Run(ctx context.Context) error {
	works := make([]*work, len(r.parts))
	for i, p := range r.parts {
		w, err := r.begin(ctx, p)
		if err != nil {
			return err
		}
		works[i] = w
	}
	defer r.Tell(true)
	for range pass.Most {
		r.Change(func(s *Summary) { s.Left, s.Failed, s.Err = 0, 0, nil })
		for _, w := range works {
			if err := w.runner.Over(ctx, w.old, w.item); err != nil {
				return err
			}
		}
		if s := r.Summary(); r.settings.DryRun || s.Left == s.Failed {
			break
		}
	}
	return nil
}

type work struct {
	*Run
	Part
	runner pass.Runner
	old    query.Selection // the outdated documents
	expiry system.Expiry   // of the container
}

// begin counts the outdated documents of a container.
func (r *Run) begin(ctx context.Context, p Part) (*work, error) {
	charged := func(units float64) { r.Change(func(s *Summary) { s.RequestUnits += units }) }
	w := &work{Run: r, Part: p, runner: pass.Runner{Bulk: write.NewBulk(p.Writer, Op, r.settings.Bulk, p.Unusable), Charged: charged, Ended: r.ended}}
	if err := p.JoinSession(ctx, Op); err != nil {
		return nil, err
	}
	var err error
	if w.expiry, err = p.Expiry(ctx, Op); err != nil {
		return nil, err
	}
	w.old = query.NewSelection(p.Store, generated.Keys{}).And(p.OutdatedCondition())
	reading := w.runner.Bulk.NewReading(charged)
	defer reading.Count()
	found, err := query.Aggregate(reading.Context(ctx), w.old, "count", query.CountColumn)
	if err != nil {
		return nil, err
	}
	r.Change(func(s *Summary) { s.Found += int(found.N) })
	r.Tell(false)
	return w, nil
}

// ended counts failures, which do not end the run.
func (r *Run) ended(item *write.BulkItem) error {
	r.Change(func(s *Summary) { pass.CountFailed(item, &s.Failed, &s.Err) })
	r.Tell(false)
	return nil
}

// errElsewhere is the reason why a misplaced document is not stored.
var errElsewhere = errors.New("its fields make another key than the one under which it is stored: pkgen-data verify says more")

// item returns the item that stores a document. It has the error if the document is
// invalid.
func (w *work) item(raw []byte) *write.BulkItem {
	w.Change(func(s *Summary) { s.Left++ })
	item := &write.BulkItem{}
	var stored wire.Place
	if stored, item.Err = store.PlaceOf(w.Store, raw); item.Err != nil {
		return item
	}
	item.Place = stored
	seen := &write.Sight{Raw: raw}
	var err error
	if seen.Doc, err = w.Decode(raw); err == nil {
		seen.ETag, err = store.TagOf(raw)
	}
	if err != nil {
		item.Err = w.Failure(Op, stored, err)
		return item
	}
	places, renew, err := w.renewal(seen)
	if err != nil || !slices.ContainsFunc(places.All, func(s write.Site) bool { return write.SamePlace(s.Place, stored) }) {
		item.Err = w.Failure(Op, stored, errors.Join(errElsewhere, err))
		return item
	}
	item.Place = places.Home().Place
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		if w.settings.DryRun {
			return "", nil
		}
		return "", w.store(ctx, renew)
	}
	return item
}

// renewal returns the places of a document, and a function that renews it.
func (w *work) renewal(seen *write.Sight) (write.Places, func(context.Context) (write.Renewal, error), error) {
	if w.Places != nil {
		places, err := w.Places(seen.Doc)
		return places, func(ctx context.Context) (write.Renewal, error) { return places.Renew(ctx, Op, w.expiry) }, err
	}
	at, err := w.Place(seen.Doc)
	var means func(any) bool
	if w.Matcher != nil {
		means = w.Matcher(seen.Doc)
	}
	return write.Places{All: []write.Site{{Place: at}}}, func(ctx context.Context) (write.Renewal, error) {
		return write.Renew(ctx, w.Writer, Op, at, means, seen, w.expiry)
	}, err
}

// store stores a document. A document that is gone, or that another program has stored, is
// not an error.
func (w *work) store(ctx context.Context, renew func(context.Context) (write.Renewal, error)) error {
	renewed, err := renew(ctx)
	if renewed.Stored {
		w.Change(func(s *Summary) { s.Upgraded++ })
	}
	raised := w.Schema.ReadsNext() && errors.Is(err, wire.ErrNewerDocument) // by the next release, meanwhile
	if (raised || errors.Is(err, wire.ErrNotFound)) && !errors.Is(err, wire.ErrUnclear) {
		return nil
	}
	return err
}
