package query

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ahead is a run of a query without an order and without a limit over several containers.
// Their documents come one container after the other, and the requests of the next ones
// begin while the last of those before are under way: a worker that has no job in one
// container takes the first of the next. Jobs begin in the order of containers, so that a
// worker that waits with a page until its container's turn keeps no other job from
// beginning.
type ahead struct {
	q         Selection
	statement Statement
	decode    func([]byte) (any, error)

	slots  chan struct{} // one for each worker
	crowd  chan struct{} // of these, for jobs of which several read one physical partition
	opened chan *turn    // in the order of containers
	begun  sync.WaitGroup
}

// turn is a container of such a run.
type turn struct {
	q       Selection // in this container
	decode  func([]byte) (any, error)
	batches chan batch[any]
	workers sync.WaitGroup
	err     error      // before the first request
	late    chan error // of a job, after the context has ended
	alone   bool       // its documents are read when its turn comes
	end     func(error)
}

// runAhead is Run over several containers one after the other, for a query without an
// order and without a limit.
func (q Selection) runAhead(ctx context.Context, parts []Part, s Statement, decode func([]byte) (any, error), take func(any, error) bool) {
	a := &ahead{
		q: q, statement: s, decode: decode,
		slots: make(chan struct{}, widest(q.Store.Settings)),
		crowd: make(chan struct{}, q.Store.Settings.Concurrency), opened: make(chan *turn, len(parts)),
	}
	workCtx, cancel := context.WithCancel(ctx)
	a.begun.Go(func() { a.begin(workCtx, parts) })
	defer func() {
		cancel()
		a.begun.Wait()
		for t := range a.opened { // whose turn has not come
			t.end(nil)
		}
	}()
	for t := range a.opened {
		err := t.deliver(ctx, s, take)
		if errors.Is(err, errStopped) {
			t.end(nil)
			return
		}
		t.end(err)
		if err != nil {
			return
		}
	}
	if err := ctx.Err(); err != nil {
		take(nil, &wire.OperationError{Op: "query", Type: q.Store.Type, Err: err})
	}
}

// begin begins the jobs of each container, as workers are free.
func (a *ahead) begin(ctx context.Context, parts []Part) {
	defer close(a.opened)
	for _, p := range parts {
		if !acquire(ctx, a.slots) {
			return
		}
		t := &turn{q: a.q.in(p), decode: a.q.decoding(p, a.decode), batches: make(chan batch[any]), late: make(chan error, 1)}
		var own context.Context
		own, t.end = t.q.start(ctx)
		e, jobs := a.plan(own, t)
		a.opened <- t
		if t.err != nil {
			return
		}
		crowd := a.crowd
		if apart(jobs) {
			crowd = make(chan struct{}, 1+len(jobs))
		}
		for i, j := range jobs {
			if i > 0 && !acquire(ctx, a.slots) {
				break
			}
			if !acquire(ctx, crowd) {
				<-a.slots
				break
			}
			t.workers.Go(func() {
				defer func() {
					<-crowd
					<-a.slots
				}()
				t.read(own, e, j)
			})
		}
		if len(jobs) == 0 {
			<-a.slots
		}
		a.begun.Go(func() {
			t.workers.Wait()
			close(t.batches)
		})
	}
}

// acquire takes a slot, and reports whether it did before the context ended.
func acquire(ctx context.Context, slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// plan returns the jobs of a container.
func (a *ahead) plan(ctx context.Context, t *turn) (*execution, []job) {
	if t.decode == nil && t.q.Store.Once != nil {
		t.alone = true
		return nil, nil
	}
	s, decode := a.statement, t.decode
	if decode == nil {
		decode = t.q.Store.Decode
	}
	if t.err = t.q.Validate(); t.err == nil {
		t.err = t.q.settle(ctx, &s)
	}
	if t.err != nil {
		return nil, nil
	}
	jobs, plan, err := t.q.jobs(ctx, s)
	if t.err = err; err != nil {
		return nil, nil
	}
	if plan.Strategy == store.Gateway {
		t.alone = true
		return nil, nil
	}
	e := newExecution(t.q.Store, s, decode)
	e.pageSize = cmp.Or(e.pageSize, t.q.pageSize)
	return e, jobs
}

// read reads a job, and waits with each page until the container's turn has come.
func (t *turn) read(ctx context.Context, e *execution, j job) {
	send := func(b batch[any]) bool {
		select {
		case t.batches <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	err := e.read(ctx, j, func(items []any) bool { return send(batch[any]{items: items}) })
	if err == nil || errors.Is(err, errStopped) || send(batch[any]{err: err}) {
		return
	}
	select {
	case t.late <- err:
	default: // one is enough
	}
}

// deliver hands over what the container has. It returns the error that it handed over, or
// errStopped if the consumer wants no more.
func (t *turn) deliver(ctx context.Context, s Statement, take func(any, error) bool) (failure error) {
	hand := func(item any, err error) bool {
		more := take(item, err)
		if failure = err; err == nil && !more {
			failure = errStopped
		}
		return failure == nil
	}
	if t.err != nil {
		hand(nil, t.err)
		return failure
	}
	for b := range t.batches {
		if b.err != nil {
			hand(nil, b.err)
			return failure
		}
		for _, item := range b.items {
			err := t.q.inTime()
			if err != nil {
				item = nil
			}
			if !hand(item, err) {
				return failure
			}
		}
	}
	select {
	case err := <-t.late:
		hand(nil, err)
		return failure
	default:
	}
	if t.alone {
		t.q.Run(ctx, s, t.decode, 0, hand)
	}
	return failure
}
