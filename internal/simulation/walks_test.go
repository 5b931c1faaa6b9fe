package simulation

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// walk is a query whose pages are read by several operations, of any programs, one after the
// other.
type walk struct {
	*running
	cursor string
	docs   []shapes.Doc
	busy   bool
}

// walkLane is the lane of the walk, which no actor has.
const walkLane = lanes - 1

// walks reads the next page of the walk that is under way, or begins one.
func (r *run) walks(ctx context.Context, by *running, size int) {
	r.mu.Lock()
	w := r.walk
	if w != nil && w.busy {
		r.mu.Unlock()
		return
	}
	if w == nil {
		w = &walk{running: &running{index: by.index, name: "pages", began: by.began, before: by.before}}
		r.walk = w
	}
	w.busy = true
	r.mu.Unlock()
	if w.cursor == "" {
		r.all(walkLane, w.running)
	}
	docs, next, err := by.store.Page(ctx, w.cursor, size)
	anew := r.lost() != w.before && errors.Is(err, repository.ErrCursor) // the container may have been made anew
	if err != nil && !anew {
		r.readFailed(ctx, by, err)
	}
	r.mu.Lock()
	w.docs, w.cursor, w.busy = append(w.docs, docs...), next, false
	w.elsewhere = w.elsewhere || by.elsewhere
	w.in = append(w.in, by.in...)
	ends := err != nil || next == ""
	if ends {
		w.busy = true
		w.met += by.met
	}
	r.mu.Unlock()
	if !ends {
		return
	}
	if err != nil {
		r.leave()
		return
	}
	r.compare(ctx, walkLane, w.running, nil, w.docs, nil)
	r.mu.Lock()
	r.walk = nil
	r.mu.Unlock()
}

// leave ends a walk before its last page.
func (r *run) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.walk == nil {
		return
	}
	for _, s := range r.slots {
		s.abandon(walkLane)
	}
	r.walk = nil
}
