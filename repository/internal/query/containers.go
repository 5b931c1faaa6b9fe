package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Source says in which containers the documents of a query are, if that is not the one of
// its store.
type Source interface {
	// Wrong returns why no request is sent, nil if nothing is wrong.
	Wrong() error

	// Begin begins a run of a query: the documents may be elsewhere in the next one. Given
	// are the keys of the query before they are resolved, and keys after that. An error of a
	// run matches wire.ErrMoved if the documents have moved too long ago. The context is
	// that of the requests of the run.
	Begin(ctx context.Context, given, keys generated.Keys) (context.Context, Containers, error)

	// Place returns the name of a container with its place in the order. It returns
	// false if the type has no such container.
	Place(name string) (Place, bool)

	// Time is the path of the property by whose time a document has its container; nil
	// if containers are not for periods of time.
	Time() []string
}

// Containers are those of one run.
type Containers struct {
	Parts []Part // in their order

	// Store is in place of Parts if documents are in one container, which cursors do not name.
	Store *store.Store

	Explained func(error) error // adds to an error why documents are where they are; nil for nothing
}

// In returns q over the containers of a source; nil leaves q as it is. Given are the keys of q
// before they were resolved.
func (q Selection) In(s Source, given generated.Keys) Selection {
	q.source, q.given = s, given
	return q
}

// maxMoves bounds how often a query begins anew because its documents have moved before it
// gave anything.
const maxMoves = 3

// over calls run with q in the one container that it is over, or with the containers. It
// calls run again after the documents have moved, unless run says that it has given something
// to the consumer.
func (q Selection) over(ctx context.Context, run func(ctx context.Context, q Selection, parts []Part) (given bool, err error)) error {
	if q.source == nil {
		_, err := run(ctx, q, nil)
		return err
	}
	for attempt := 1; ; attempt++ {
		runCtx, at, err := q.source.Begin(ctx, q.given, q.keys)
		if err != nil {
			return err
		}
		in := q
		if at.Store != nil {
			in.Store, in.source = at.Store, nil
		}
		given, err := run(runCtx, in, at.Parts)
		if given || attempt == maxMoves || !errors.Is(err, wire.ErrMoved) {
			if at.Explained != nil {
				err = at.Explained(err)
			}
			return err
		}
	}
}

// Place is the place of a container in the order of containers.
type Place struct {
	Name  string
	Start time.Time // of its period; zero if containers are not for periods
}

// Part is one of several containers that a query reads.
type Part struct {
	Place
	Store *store.Store
	Keys  generated.Keys // of the query in this container
}

// before reports whether a container comes before another one.
func (p Place) before(q Place) bool {
	if !p.Start.Equal(q.Start) {
		return p.Start.Before(q.Start)
	}
	return p.Name < q.Name
}

// Decoding returns q with what decodes the documents of a container; nil is what all have in
// common.
func (q Selection) Decoding(decode func(*store.Store) func([]byte) (any, error)) Selection {
	q.decodeIn = decode
	return q
}

// in returns q in one of its containers.
func (q Selection) in(p Part) Selection {
	q.Store, q.keys, q.source = p.Store, p.Keys, nil
	return q
}

// byTime reports whether q is sorted by the time that its containers are for.
func (q Selection) byTime() bool {
	return len(q.Orders) > 0 && q.source != nil && q.source.Time() != nil && slices.Equal(q.Orders[0].Path, q.source.Time())
}

// groups returns containers in the order in which they are read. The documents of a group
// have to be merged.
func (q Selection) groups(parts []Part) [][]Part {
	var groups [][]Part
	for _, p := range parts {
		last := len(groups) - 1
		if last < 0 || len(q.Orders) == 0 || q.byTime() && !groups[last][0].Start.Equal(p.Start) {
			groups = append(groups, []Part{p})
			continue
		}
		groups[last] = append(groups[last], p)
	}
	if q.byTime() && q.Orders[0].Descending {
		slices.Reverse(groups)
	}
	return groups
}

// runOver is Run over several containers: one after the other where that is the order of the
// documents, so that a limit ends early, and else merged. Without an order and a limit, the
// next containers are read ahead.
func (q Selection) runOver(ctx context.Context, parts []Part, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	ctx, end := q.start(ctx)
	var failure error
	defer func() { end(failure) }()
	groups := q.groups(parts)
	n, stopped := 0, false
	take := func(item any, err error) bool {
		n++
		failure = err
		stopped = !yield(item, err) || n == limit || err != nil
		return !stopped
	}
	if len(q.Orders) == 0 && limit == 0 && (s.Top == 0 || s.Ranked != "") && len(groups) > 1 {
		q.runAhead(ctx, slices.Concat(groups...), s, decode, take)
		return
	}
	top := s.Top
	for _, group := range groups {
		if stopped {
			return
		}
		left := 0
		if limit > 0 {
			left = limit - n
		}
		if top > 0 && s.Ranked == "" {
			s.Top = top - n
		}
		if len(group) == 1 {
			q.in(group[0]).Run(ctx, s, q.decoding(group[0], decode), left, take)
			continue
		}
		q.runMerged(ctx, group, s, decode, take)
	}
}

// decoding returns what decodes the documents of a container.
func (q Selection) decoding(p Part, decode func([]byte) (any, error)) func([]byte) (any, error) {
	if q.decodeIn != nil {
		return q.decodeIn(p.Store)
	}
	return decode
}

// runMerged merges the documents of several containers.
func (q Selection) runMerged(ctx context.Context, group []Part, s Statement, decode func([]byte) (any, error), take func(any, error) bool) {
	e, jobs, err := q.together(ctx, group, s, func(p Part) func([]byte) (any, error) {
		if own := q.decoding(p, decode); own != nil {
			return own
		}
		return p.Store.Decode
	})
	if err != nil {
		take(nil, err)
		return
	}
	for r, err := range e.merged(ctx, jobs) {
		if !take(r.item, err) {
			return
		}
	}
}

// together returns an execution of s in several containers, and the jobs of all of them.
func (q Selection) together(ctx context.Context, parts []Part, s Statement, decode func(Part) func([]byte) (any, error)) (*execution, []job, error) {
	planned, _, err := q.planned(ctx, parts, s)
	if err != nil {
		return nil, nil, err
	}
	e := q.newExecution(s, nil)
	var all []job
	for i, p := range parts {
		e.parts = append(e.parts, q.in(p).newExecution(s, decode(p)))
		for _, j := range planned[i] {
			j.part = i
			all = append(all, j)
		}
	}
	e.slots = make(chan struct{}, width(q.Store.Settings, all))
	for _, in := range e.parts {
		in.slots = e.slots
	}
	return e, all, nil
}

// planned returns the jobs of s in each of several containers, and their plans.
func (q Selection) planned(ctx context.Context, parts []Part, s Statement) ([][]job, []Plan, error) {
	jobs, plans := make([][]job, len(parts)), make([]Plan, len(parts))
	err := parallel.Each(ctx, len(parts), q.Store.Settings.Concurrency, func(ctx context.Context, i int) (err error) {
		jobs[i], plans[i], err = q.in(parts[i]).jobs(ctx, s)
		return err
	})
	return jobs, plans, err
}

// in returns the execution of a job, in its container.
func (e *execution) in(j job) *execution {
	if e.parts == nil {
		return e
	}
	return e.parts[j.part]
}

// planOver is Plan over several containers.
func (q Selection) planOver(ctx context.Context, parts []Part) (Plan, error) {
	groups := q.groups(parts)
	parts = slices.Concat(groups...)
	_, plans, err := q.planned(ctx, parts, q.Statement())
	if err != nil {
		return Plan{}, err
	}
	sum := Plan{Containers: []string{}}
	var reasons []string
	for i, p := range plans {
		if i == 0 {
			sum.Strategy = p.Strategy
		} else if p.Strategy != sum.Strategy {
			sum.Strategy = store.Automatic
		}
		if !slices.Contains(reasons, p.Why) {
			reasons = append(reasons, p.Why)
		}
		sum.Containers = append(sum.Containers, parts[i].Name)
		sum.LogicalPartitions += p.LogicalPartitions
		sum.PhysicalPartitions += p.PhysicalPartitions
		sum.Requests += p.Requests
		sum.RequestUnits += p.RequestUnits
	}
	how := "merged"
	if len(groups) == len(parts) {
		how = "one after the other"
	}
	sum.Why = fmt.Sprintf("%d containers, %s", len(parts), how)
	if len(reasons) > 0 {
		sum.Why += ": " + strings.Join(reasons, "; ")
	}
	return sum, nil
}

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
		take(nil, &documents.Error{Op: "query", Type: q.Store.Type, Err: err})
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
	e := t.q.newExecution(s, decode)
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
