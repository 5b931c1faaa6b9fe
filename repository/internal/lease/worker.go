package lease

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

// Worker takes its share of the leases of a store. Its fields are set once.
type Worker struct {
	Store Store
	Name  string // no other worker has it, nor this one in an earlier run

	Look   time.Duration // from one look at the leases to the next
	Renew  time.Duration // from one write of a lease to the next
	Expire time.Duration // a lease that was not written for so long is free

	// Handle does the work of a lease until ctx ends. Then others may have the lease,
	// so it returns soon. An error other than ErrLost ends Run.
	Handle func(ctx context.Context, h *Held) error

	// Failed is told of requests that failed and will be sent again. It may be nil.
	Failed func(err error)
}

// releaseTimeout bounds how long a worker that stops waits to make a lease free.
const releaseTimeout = 5 * time.Second

// Run takes leases and has them handled until ctx ends, and makes them free. It
// returns the error of ctx, or that of a handler. A look costs a query, acquiring,
// renewing and releasing a lease one write each.
func (w *Worker) Run(ctx context.Context) error {
	runCtx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := run{Worker: w, stop: stop, held: map[string]bool{}, divided: make(chan struct{}, 1)}
	defer r.handlers.Wait()
	for watch := NewWatch(w.Expire); ; {
		if err := r.look(runCtx, watch); err != nil && runCtx.Err() == nil && w.Failed != nil {
			w.Failed(err)
		}
		timer := time.NewTimer(w.Look - rand.N(w.Look/8+1))
		select {
		case <-timer.C:
		case <-r.divided:
			timer.Stop()
		case <-runCtx.Done():
			timer.Stop()
			stop(nil)
			r.handlers.Wait()
			return context.Cause(runCtx)
		}
	}
}

// run is a worker at work.
type run struct {
	*Worker
	stop     context.CancelCauseFunc
	handlers sync.WaitGroup
	divided  chan struct{} // has a message when leases were divided: some are free

	mu   sync.Mutex
	held map[string]bool // by id
}

// look reads the leases and acquires those that the worker should have.
func (r *run) look(ctx context.Context, watch *Watch) error {
	asked := time.Now()
	leases, err := r.Store.List(ctx)
	if err != nil {
		return err
	}
	all := watch.Look(leases, asked, time.Now())
	r.mu.Lock()
	for i, s := range all {
		if s.Lease.Owner == r.Name && !r.held[s.Lease.ID] {
			all[i].Expired = true // acquired by a write whose answer was lost, or given up
		}
	}
	r.mu.Unlock()
	all, left := leftovers(all)
	failed := r.remove(ctx, left)
	for _, l := range Take(all, r.Name, rand.Perm) {
		steal := l.Owner != "" && l.Owner != r.Name && !expired(all, l.ID)
		h, heldCtx, err := Acquire(ctx, r.Store, l, r.Name, r.Expire, steal)
		if err != nil {
			if !errors.Is(err, ErrLost) {
				failed = err
			}
			continue
		}
		r.start(heldCtx, h)
	}
	return failed
}

// remove removes leases that nobody needs and nobody has. A worker that has one is
// about to remove it.
func (r *run) remove(ctx context.Context, left []Seen) error {
	for _, s := range left {
		if !s.free() {
			continue
		}
		if err := r.Store.Delete(ctx, s.Lease); err != nil && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrGone) {
			return err
		}
	}
	return nil
}

func expired(all []Seen, id string) bool {
	for _, s := range all {
		if s.Lease.ID == id {
			return s.Expired
		}
	}
	return false
}

// start has a lease handled.
func (r *run) start(ctx context.Context, h *Held) {
	id := h.Lease().ID
	r.note(id, true)
	r.handlers.Go(func() {
		keeping, stopKeeping := context.WithCancel(ctx)
		var keeper sync.WaitGroup
		keeper.Go(func() { h.Keep(keeping, r.Renew) })
		err := r.Handle(ctx, h)
		if err != nil && !errors.Is(err, ErrLost) && ctx.Err() == nil {
			r.stop(err)
		}
		stopKeeping()
		keeper.Wait()
		r.end(ctx, h)
	})
}

// end makes a lease free, and looks again if it was divided.
func (r *run) end(ctx context.Context, h *Held) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := h.Release(ctx); err != nil && !errors.Is(err, ErrLost) && r.Failed != nil {
		r.Failed(err)
	}
	r.note(h.Lease().ID, false)
	if h.divided {
		select {
		case r.divided <- struct{}{}:
		default: // a look is due already
		}
	}
}

func (r *run) note(id string, held bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if held {
		r.held[id] = true
	} else {
		delete(r.held, id)
	}
}
