package migration

import (
	"context"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

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
			azcosmos.QueryParameter{Name: own + "I", Value: id}, azcosmos.QueryParameter{Name: own + "M", Value: m.Token})
		return q.Exists(ctx)
	}
}
