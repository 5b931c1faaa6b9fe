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

// Migration reads the documents of two containers. Documents with a mark of a move decode
// to a *[write.Marked].
type Migration struct {
	Phase    write.Phase
	Old, New *store.Store                             // these show documents that are marked as deleted
	Writer   *write.Writer                            // for the new container
	Place    func(doc any) (*write.Relocation, error) // returns where a document of either container may be
}

// All yields each document of both containers once. It reads the old container to its end
// first: a document that has left it by then is in the new one.
func (m *Migration) All(ctx context.Context, old, fresh query.Selection) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		g := &giving{Migration: m, given: make(map[string]bool), left: fresh.Limit, yield: yield}
		if m.Phase != write.PhaseDone && !g.fromOld(ctx, old.And(marks.Shown+" OR "+marks.Uncertain)) || m.Phase == write.PhaseOld {
			return
		}
		g.fromNew(ctx, fresh.And(marks.Documents+" OR "+marks.Uncertain))
	}
}

// giving is one query of both containers.
type giving struct {
	*Migration
	given map[string]bool // documents already given from the old container
	left  int             // documents that the limit still allows; negative without a limit
	yield func(any, error) bool
}

// give yields a document or an error, and reports whether to continue.
func (g *giving) give(doc any, err error) bool {
	g.left--
	return g.yield(doc, err) && err == nil && g.left != 0
}

func (g *giving) fromOld(ctx context.Context, q query.Selection) bool {
	for doc, err := range q.All(ctx) {
		if marked, ok := doc.(*write.Marked); ok && err == nil {
			if doc, err = g.decided(ctx, marked, func(r *write.Relocation) *write.Side { return r.Old }); doc == nil && err == nil {
				continue // it is in the new container by now, or does not count
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

// fromNew yields the documents of the new container that the old one has not given.
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

// decided returns the document of a mark if the document is on the given side. Otherwise it
// returns nil.
func (m *Migration) decided(ctx context.Context, marked *write.Marked, side func(*write.Relocation) *write.Side) (any, error) {
	r, err := m.Place(marked.Doc)
	if err != nil {
		return nil, err
	}
	return r.On(ctx, "query", side(r))
}

// Counting returns a function that decides uncertain marks of a container, by a query of
// one id in all its logical partitions.
func Counting(s *store.Store) func(ctx context.Context, id string, m marks.Mark) (bool, error) {
	return func(ctx context.Context, id string, m marks.Mark) (bool, error) {
		const own = text.OwnParameter
		q := query.NewSelection(s, generated.Keys{}).And(marks.Deciding(own+"I", own+"M"),
			wire.Parameter{Name: own + "I", Value: id}, wire.Parameter{Name: own + "M", Value: m.Token})
		return q.Exists(ctx)
	}
}

// maxBlocked bounds the reasons in a summary.
const maxBlocked = 100

// Summary is the result of MoveAll so far.
type Summary struct {
	Moved        int
	Removed      int     // drafts and copies in the new container
	Blocked      []error // the reasons why documents cannot move
	Done         bool    // everything has moved
	RequestUnits float64
}

// MoveAll is one call of MoveAll.
type MoveAll struct {
	*Migration
	*pass.Report[Summary]
	runner pass.Runner
	feed   *write.Reading
}

// NewMoveAll returns a call with settings.
func NewMoveAll(m *Migration, settings api.Bulk) *MoveAll {
	a := &MoveAll{Migration: m, Report: pass.NewReport[Summary](nil)}
	a.runner = pass.Runner{Bulk: write.NewBulk(m.Writer, write.OpMove, settings, nil), Charged: a.charged, Ended: a.ended}
	a.feed = a.runner.Bulk.NewReading(a.charged)
	return a
}

func (a *MoveAll) charged(units float64) { a.Change(func(s *Summary) { s.RequestUnits += units }) }

// ended records the outcome of an item. An error that is not about one document ends the
// run.
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

// Run moves the documents of the old container until a pass moves none, and removes
// unfinished copies and creations from the new one. In PhaseDone it moves nothing;
// documents in the old container are reported in Blocked.
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
		// Programs of PhaseNew keep making drafts; programs of PhaseDone make none.
		if now.Moved == before.Moved && (a.Phase == write.PhaseNew || now.Removed == before.Removed) {
			now.Done = len(now.Blocked) == 0
			return now, nil
		}
	}
}

// Share runs a processor, whose handler is Changed, within the budget.
func (a *MoveAll) Share(ctx context.Context, run func(context.Context) error) error {
	defer a.feed.Count()
	return run(a.feed.Context(ctx))
}

// Changed moves documents from the change feed of the old container. Run reports the ones
// that did not move.
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

// errLate is the reason why a document cannot move in PhaseDone.
var errLate = errors.New("it is still in the old container, where no program of PhaseDone finds it: a program of PhaseBoth created it after MoveAll. Go back to PhaseNew and call MoveAll again")

type outcome struct{ moved, removed bool }

func (a *MoveAll) move(ctx context.Context, r *write.Relocation, _ marks.Mark) (o outcome, err error) {
	o.moved, err = r.Move(ctx)
	return o, err
}

// late handles a document of the old container in PhaseDone.
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

// tidy removes a draft or a copy from the new container.
func (a *MoveAll) tidy(ctx context.Context, r *write.Relocation, _ marks.Mark) (o outcome, err error) {
	o.removed, err = r.Tidy(ctx)
	return o, err
}

// errBlocked is the kind of errors about documents that cannot move.
var errBlocked = errors.New("it cannot move")

// step processes one document.
type step func(context.Context, *write.Relocation, marks.Mark) (outcome, error)

// errMisplaced is the reason why a document cannot move that is stored under another key
// than its own.
var errMisplaced = errors.New("it is stored under another partition key than its properties make, so that no operation on its key finds it. If the number of buckets has grown, write \"was\" again and call Rekey until it is done; else store the document under its key, which pkgen-data verify tells, and delete this one")

// blocked returns the item of a document that cannot move, stored under partition key at.
func blocked(s *store.Store, id, at string, err error) *write.BulkItem {
	return &write.BulkItem{Err: &documents.Error{Op: write.OpMove, Type: s.Type, ID: id, PartitionKey: at, Kind: errBlocked, Err: err}}
}

// item returns the item that runs a step for a document, or reports why that is impossible.
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

// over runs a step for each document of a container that meets a condition.
func (a *MoveAll) over(ctx context.Context, s *store.Store, condition string, each step) error {
	q := query.NewSelection(s, generated.Keys{}).And(condition)
	return a.runner.Over(ctx, q, func(raw []byte) *write.BulkItem {
		p, err := store.PlaceOf(s, raw)
		if p.ID == "" {
			return a.runner.Bulk.FailedItem(err)
		}
		doc, wrong := s.Decode(raw)
		if err = cmp.Or(wrong, err); err != nil { // other documents still move
			return blocked(s, p.ID, p.Name, err)
		}
		return a.item(s, placed{doc, p.ID, p.Name}, each)
	})
}

// placed is a document, its id, and the name of its stored partition key.
type placed struct {
	doc    any
	id, at string
}

// stays reports whether a document cannot move for a permanent reason of its own.
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
