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

// Source provides the containers of a query, if its store has no container of its own.
type Source interface {
	// Wrong returns an error if no request can be sent.
	Wrong() error

	// Begin begins a run of a query. In a later run the documents may be elsewhere. Given
	// are the keys of the query before they are resolved, and keys are the resolved ones.
	// If the documents have moved too long ago, errors of the run match wire.ErrMoved. The
	// returned context is for the requests of the run.
	Begin(ctx context.Context, given, keys generated.Keys) (context.Context, Containers, error)

	// Place returns the place of a container in the order. It returns false if the type has
	// no such container.
	Place(name string) (Place, bool)

	// Time returns the path of the property whose time selects the container. It is nil if
	// containers are not for periods.
	Time() []string
}

// Containers has the containers of one run.
type Containers struct {
	Parts []Part // in their order

	// Store replaces Parts if the documents are in one container, which cursors do not
	// name.
	Store *store.Store

	Explained func(error) error // adds to an error the reason for the container; may be nil
}

// In returns q over the containers of a source, or q itself for a nil source. Given are the
// keys of q before they were resolved.
func (q Selection) In(s Source, given generated.Keys) Selection {
	q.source, q.given = s, given
	return q
}

// maxMoves bounds how often a query starts again because its documents have moved before
// its first result.
const maxMoves = 3

// over calls run with q in its one container, or with parts. If the documents have moved,
// it calls run again, unless run has already given a result.
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
	Start time.Time // of its period; zero if containers have no periods
}

// Part is one of several containers of a query.
type Part struct {
	Place
	Store *store.Store
	Keys  generated.Keys // of the query in this container
}

func (p Place) before(q Place) bool {
	if !p.Start.Equal(q.Start) {
		return p.Start.Before(q.Start)
	}
	return p.Name < q.Name
}

// Decoding returns q with a decoder for each container. Nil uses the common one.
func (q Selection) Decoding(decode func(*store.Store) func([]byte) (any, error)) Selection {
	q.decodeIn = decode
	return q
}

// in returns q for one of its containers.
func (q Selection) in(p Part) Selection {
	q.Store, q.keys, q.source = p.Store, p.Keys, nil
	return q
}

// byTime reports whether q is sorted by the time of its containers.
func (q Selection) byTime() bool {
	return len(q.Orders) > 0 && q.source != nil && q.source.Time() != nil && slices.Equal(q.Orders[0].Path, q.source.Time())
}

// groups returns the containers in the order in which they are read. Documents of one group
// must be merged.
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

// runOver is Run over several containers. If the order of containers is that of the
// documents, it reads one after the other, so that a limit ends early. Otherwise it merges.
// Without an order and a limit, it reads ahead.
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

// decoding returns the decoder for a container.
func (q Selection) decoding(p Part, decode func([]byte) (any, error)) func([]byte) (any, error) {
	if q.decodeIn != nil {
		return q.decodeIn(p.Store)
	}
	return decode
}

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

// together returns an execution of s in several containers, with all jobs.
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

// planned returns the jobs and the plan of s for each of several containers.
func (q Selection) planned(ctx context.Context, parts []Part, s Statement) ([][]job, []Plan, error) {
	jobs, plans := make([][]job, len(parts)), make([]Plan, len(parts))
	err := parallel.Each(ctx, len(parts), q.Store.Settings.Concurrency, func(ctx context.Context, i int) (err error) {
		jobs[i], plans[i], err = q.in(parts[i]).jobs(ctx, s)
		return err
	})
	return jobs, plans, err
}

// in returns the execution of a job's container.
func (e *execution) in(j job) *execution {
	if e.parts == nil {
		return e
	}
	return e.parts[j.part]
}

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

// ahead is a run without an order or a limit over several containers. Documents come one
// container after the other. A worker without a job in one container takes the first job of
// the next, so requests overlap. Jobs begin in the order of containers, so a worker that
// holds a page until its container's turn blocks no other job.
type ahead struct {
	q         Selection
	statement Statement
	decode    func([]byte) (any, error)

	slots  chan struct{} // one for each worker
	crowd  chan struct{} // for jobs of which several read one physical partition
	opened chan *turn    // in the order of containers
	begun  sync.WaitGroup
}

// turn is one container of such a run.
type turn struct {
	q       Selection // in this container
	decode  func([]byte) (any, error)
	batches chan batch[any]
	workers sync.WaitGroup
	err     error      // before the first request
	late    chan error // an error of a job after the context has ended
	alone   bool       // the container is read when its turn comes
	end     func(error)
}

// runAhead is Run over several containers, one after the other, without an order or a
// limit.
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
		for t := range a.opened { // turns that have not come
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

// begin begins the jobs of each container, as workers become free.
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

// acquire takes a slot. It returns false if the context ends before.
func acquire(ctx context.Context, slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

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

// read reads a job, and holds each page until the container's turn.
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

// deliver passes the documents of the container to take. It returns the error that it
// passed, or errStopped if the consumer has stopped.
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
