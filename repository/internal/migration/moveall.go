package migration

import (
	"context"
	"errors"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// maxBlocked is how many reasons a summary has.
const maxBlocked = 100

// Summary says what MoveAll has done.
type Summary struct {
	Moved   int
	Blocked []error // why documents cannot move
	Done    bool    // the old container has no documents any more
}

// MoveAll moves what is in the old container, until a pass finds nothing more to move.
func (m *Migration) MoveAll(ctx context.Context) (Summary, error) {
	var summary Summary
	if m.Phase != write.PhaseNew {
		return summary, m.New.Failure(write.OpMove, wire.Place{}, errors.New("documents move in PhaseNew, when all programs know it: release the phases before it first"))
	}
	for {
		moved, blocked, err := m.pass(ctx)
		summary.Moved += moved
		summary.Blocked = blocked
		if err != nil {
			return summary, err
		}
		if moved == 0 {
			summary.Done = len(blocked) == 0
			return summary, nil
		}
	}
}

// pass moves what is in the old container, and then removes what moves and creations
// that ended early have left in the new one.
func (m *Migration) pass(ctx context.Context) (moved int, blocked []error, err error) {
	var mu sync.Mutex
	move := func(r *write.Relocation) func(context.Context) error {
		return func(ctx context.Context) error {
			did, err := r.Move(ctx)
			mu.Lock()
			defer mu.Unlock()
			if did {
				moved++
			}
			if errors.Is(err, wire.ErrAlreadyExists) {
				if len(blocked) < maxBlocked {
					blocked = append(blocked, err)
				}
				return nil
			}
			return err
		}
	}
	refused := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if len(blocked) < maxBlocked {
			blocked = append(blocked, err)
		}
	}
	if err := m.over(ctx, m.Old, "", move, refused); err != nil {
		return moved, blocked, err
	}
	err = m.over(ctx, m.New, write.OnlyMarks, func(r *write.Relocation) func(context.Context) error { return r.Tidy }, func(error) {})
	return moved, blocked, err
}

// over runs a function for each document of a container for which a condition holds.
func (m *Migration) over(ctx context.Context, s *store.Store, condition string, run func(*write.Relocation) func(context.Context) error, refused func(error)) error {
	q := query.NewSelection(s, generated.Keys{})
	if condition != "" {
		q = q.And(condition)
	}
	var failure error
	err := m.Together(ctx, func(yield func(func(context.Context) error) bool) {
		for doc, err := range q.All(ctx) {
			if err != nil {
				failure = err
				return
			}
			if marked, ok := doc.(*write.Marked); ok {
				doc = marked.Doc
			}
			r, err := m.Place(doc)
			if err != nil {
				refused(err)
				continue
			}
			if !yield(run(r)) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return failure
}
