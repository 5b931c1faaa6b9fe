package migration

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/pass"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Migration is the documents of two containers, which decode to a *[write.Marked] if they
// have a mark of a move.
type Migration struct {
	Phase    write.Phase
	Old, New *store.Store                             // which show what is marked as deleted
	Writer   *write.Writer                            // of the new container
	Place    func(doc any) (*write.Relocation, error) // where a document of either container may be
}

// All yields the documents of both containers, each once. The old one is read first, to
// its end: a document that is not there any more is in the new one by then.
func (m *Migration) All(ctx context.Context, old, fresh query.Selection) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		g := &giving{Migration: m, given: make(map[string]bool), left: fresh.Limit, yield: yield}
		if m.Phase != write.PhaseDone && !g.fromOld(ctx, old.And(marks.Shown+" OR "+marks.Uncertain)) || m.Phase == write.PhaseOld {
			return
		}
		g.fromNew(ctx, fresh.And(marks.Documents+" OR "+marks.Uncertain))
	}
}

// giving is one run of a query of both containers.
type giving struct {
	*Migration
	given map[string]bool // documents of the old container
	left  int             // how many more documents the limit allows; below 0 without one
	yield func(any, error) bool
}

// give gives a document or an error, and reports whether there may be more.
func (g *giving) give(doc any, err error) bool {
	g.left--
	return g.yield(doc, err) && err == nil && g.left != 0
}

// fromOld gives the documents of the old container.
func (g *giving) fromOld(ctx context.Context, q query.Selection) bool {
	for doc, err := range q.All(ctx) {
		if marked, ok := doc.(*write.Marked); ok && err == nil {
			if doc, err = g.decided(ctx, marked, func(r *write.Relocation) *write.Side { return r.Old }); doc == nil && err == nil {
				continue // it is in the new container by now, or no document
			}
		}
		if err == nil && g.Phase != write.PhaseOld {
			if r, failed := g.Place(doc); failed == nil {
				g.given[r.Identity()] = true
			}
		}
		if !g.give(doc, err) {
			return false
		}
	}
	return true
}

// fromNew gives the documents of the new container that the old one has not given.
func (g *giving) fromNew(ctx context.Context, q query.Selection) {
	for doc, err := range q.All(ctx) {
		if marked, ok := doc.(*write.Marked); ok && err == nil {
			if doc, err = g.decided(ctx, marked, func(r *write.Relocation) *write.Side { return r.New }); doc == nil && err == nil {
				continue
			}
		}
		if err == nil && len(g.given) > 0 {
			if r, failed := g.Place(doc); failed == nil && g.given[r.Identity()] {
				continue
			}
		}
		if !g.give(doc, err) {
			return
		}
	}
}

// decided returns the document of a mark that a query has met on a side, nil if it is not
// there.
func (m *Migration) decided(ctx context.Context, marked *write.Marked, side func(*write.Relocation) *write.Side) (any, error) {
	r, err := m.Place(marked.Doc)
	if err != nil {
		return nil, err
	}
	return r.On(ctx, "query", side(r))
}

// Counting returns what decides about uncertain marks of a container: a query of one id in
// all its logical partitions.
func Counting(s *store.Store) func(ctx context.Context, id string, m marks.Mark) (bool, error) {
	return func(ctx context.Context, id string, m marks.Mark) (bool, error) {
		const own = text.OwnParameter
		q := query.NewSelection(s, generated.Keys{}).And(marks.Deciding(own+"I", own+"M"),
			wire.Parameter{Name: own + "I", Value: id}, wire.Parameter{Name: own + "M", Value: m.Token})
		return q.Exists(ctx)
	}
}

// maxBlocked is how many reasons a summary has.
const maxBlocked = 100

// Summary says what MoveAll has done.
type Summary struct {
	Moved        int
	Removed      int     // drafts and copies in the new container
	Blocked      []error // why documents cannot move
	Done         bool    // all that had to move has moved
	RequestUnits float64
}

// MoveAll is one call of it.
type MoveAll struct {
	*Migration
	*pass.Report[Summary]
	runner pass.Runner
	feed   *write.Reading
}

// NewMoveAll returns a call of MoveAll with settings.
func NewMoveAll(m *Migration, settings api.Bulk) *MoveAll {
	a := &MoveAll{Migration: m, Report: pass.NewReport[Summary](nil)}
	a.runner = pass.Runner{Bulk: write.NewBulk(m.Writer, write.OpMove, settings, nil), Charged: a.charged, Ended: a.ended}
	a.feed = a.runner.Bulk.NewReading(a.charged)
	return a
}

// charged counts request units.
func (a *MoveAll) charged(units float64) { a.Change(func(s *Summary) { s.RequestUnits += units }) }

// ended counts what was done. An error that is not about one document ends the run.
func (a *MoveAll) ended(item *write.BulkItem) error {
	blocked := item.Err != nil && stays(item.Err)
	a.Change(func(s *Summary) {
		s.count(item)
		if blocked && len(s.Blocked) < maxBlocked {
			s.Blocked = append(s.Blocked, item.Err)
		}
	})
	if blocked {
		return nil
	}
	return item.Err
}

// count counts what was done to a document.
func (s *Summary) count(item *write.BulkItem) {
	if done, ok := item.Given.(*outcome); ok {
		s.Moved += one(done.moved)
		s.Removed += one(done.removed)
	}
}

// Check returns an error unless the phase allows MoveAll.
func (a *MoveAll) Check() error {
	if a.Phase == write.PhaseNew || a.Phase == write.PhaseDone {
		return nil
	}
	return a.New.Failure(write.OpMove, wire.Place{}, errors.New("documents move in PhaseNew, when every program has a phase that knows the new container: release the earlier phases first"))
}

// Run moves what is in the old container, until a pass finds nothing more to move, and
// removes what moves and creations that ended early have left in the new one. In
// PhaseDone it moves nothing: what is in the old container then is a reason.
func (a *MoveAll) Run(ctx context.Context) (Summary, error) {
	for {
		before := a.Summary()
		a.Change(func(s *Summary) { s.Blocked = nil })
		each := a.move
		if a.Phase == write.PhaseDone {
			each = a.late
		}
		err := a.over(ctx, a.Old, marks.Shown+" OR "+marks.Uncertain+" OR "+marks.Unfinished, each)
		if err == nil {
			err = a.over(ctx, a.New, marks.Unfinished, a.tidy)
		}
		now := a.Summary()
		if err != nil {
			return now, err
		}
		// Programs of PhaseNew make drafts again and again, those of PhaseDone none.
		if now.Moved == before.Moved && (a.Phase == write.PhaseNew || now.Removed == before.Removed) {
			now.Done = len(now.Blocked) == 0
			return now, nil
		}
	}
}

// Share runs a processor whose handler is Changed, within the budget.
func (a *MoveAll) Share(ctx context.Context, run func(context.Context) error) error {
	defer a.feed.Count()
	return run(a.feed.Context(ctx))
}

// Changed moves documents that the change feed of the old container gives. What has not
// moved is left to Run, which says why.
func (a *MoveAll) Changed(ctx context.Context, docs iter.Seq[any]) error {
	runner := a.runner
	runner.Ended = func(item *write.BulkItem) error {
		a.Change(func(s *Summary) { s.count(item) })
		return nil
	}
	return runner.Do(a.feed.Without(ctx), func(yield func(*write.BulkItem) bool) {
		for doc := range docs {
			if !yield(a.item(a.Old, placed{doc: doc}, a.move)) {
				return
			}
		}
	})
}

// errLate is why a document cannot move in PhaseDone.
var errLate = errors.New("it is still in the old container, where no program of PhaseDone finds it: a program of PhaseBoth created it after MoveAll. Go back to PhaseNew and call MoveAll again")

// An outcome is what was done to a document.
type outcome struct{ moved, removed bool }

// move moves a document of the old container.
func (a *MoveAll) move(ctx context.Context, r *write.Relocation, _ marks.Mark) (o outcome, err error) {
	o.moved, err = r.Move(ctx)
	return o, err
}

// late is what happens to a document of the old container in PhaseDone.
func (a *MoveAll) late(ctx context.Context, r *write.Relocation, mark marks.Mark) (outcome, error) {
	if mark.Hidden() {
		if holds, err := r.Holds(ctx, write.OpMove, r.Old); !holds || err != nil {
			return outcome{}, err
		}
	}
	failure := r.Old.Failure(write.OpMove, r.Old.Place, errLate)
	failure.Kind = errBlocked
	return outcome{}, failure
}

// tidy removes a draft or a copy of the new container.
func (a *MoveAll) tidy(ctx context.Context, r *write.Relocation, _ marks.Mark) (o outcome, err error) {
	o.removed, err = r.Tidy(ctx)
	return o, err
}

// errBlocked is the kind of an error about a document that cannot move.
var errBlocked = errors.New("it cannot move")

// step does something to a document.
type step func(context.Context, *write.Relocation, marks.Mark) (outcome, error)

// errMisplaced is why a document cannot move that no operation on its key finds.
var errMisplaced = errors.New("it is stored under another partition key than its properties make, so that no operation on its key finds it. If the number of buckets has grown, write \"was\" again and call Rekey until it is done; else store the document under its key, which pkgen-data verify tells, and delete this one")

// blocked is the item of a document that cannot move, which is stored under a partition key.
func blocked(s *store.Store, id, at string, err error) *write.BulkItem {
	return &write.BulkItem{Err: &documents.Error{Op: write.OpMove, Type: s.Type, ID: id, PartitionKey: at, Kind: errBlocked, Err: err}}
}

// item returns what does a step to a document of a container, or says why that is impossible.
func (a *MoveAll) item(s *store.Store, found placed, each step) *write.BulkItem {
	doc, mark := found.doc, marks.Mark{}
	if marked, ok := doc.(*write.Marked); ok {
		doc, mark = marked.Doc, marked.Mark
	}
	r, err := a.Place(doc)
	if err != nil {
		return blocked(s, found.id, found.at, err)
	}
	if s == a.Old && found.at != "" && found.at != r.Old.Place.Name {
		return blocked(s, found.id, found.at, errMisplaced)
	}
	done := new(outcome)
	item := &write.BulkItem{Given: done, Document: write.Document{Place: r.New.Place}}
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		o, err := each(ctx, r, mark)
		done.moved, done.removed = done.moved || o.moved, done.removed || o.removed
		return "", err
	}
	return item
}

// over does a step to each document of a container for which a condition holds.
func (a *MoveAll) over(ctx context.Context, s *store.Store, condition string, each step) error {
	q := query.NewSelection(s, generated.Keys{}).And(condition)
	return a.runner.Over(ctx, q, func(raw []byte) *write.BulkItem {
		p, err := store.PlaceOf(s, raw)
		if p.ID == "" {
			return a.runner.Bulk.FailedItem(err)
		}
		doc, wrong := s.Decode(raw)
		if err = cmp.Or(wrong, err); err != nil { // the others still move
			return blocked(s, p.ID, p.Name, err)
		}
		return a.item(s, placed{doc, p.ID, p.Name}, each)
	})
}

// placed is a document, its id, and the name of the partition key under which it is stored.
type placed struct {
	doc    any
	id, at string
}

// stays reports whether a document fails to move for a reason of its own, which another
// attempt would meet too.
func stays(err error) bool {
	var failure *documents.Error
	return errors.Is(err, errBlocked) || errors.Is(err, wire.ErrAlreadyExists) ||
		errors.As(err, &failure) && (failure.Status == http.StatusBadRequest || failure.Status == http.StatusRequestEntityTooLarge)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
