package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
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

	// Whole returns an error if leases do not cover the key space. If they do not in
	// several looks in a row, Restore creates those that are missing: else the changes of
	// the gap would be skipped. Both may be nil.
	Whole   func(all []Lease) error
	Restore func(ctx context.Context) error

	// Failed is told of requests that failed and will be sent again. It may be nil.
	Failed func(err error)

	// Again has the leases looked at before it is time. It may be nil.
	Again <-chan struct{}

	// Steals is how many leases are stolen in one look at most; 0 is one, as in the SDKs
	// for .NET and Java.
	Steals int

	// Changed is told when the worker has acquired a lease, and when and why it has
	// it no more. It may be nil.
	Changed func(l Lease, c Change, err error)
}

// Change is what became of a lease.
type Change string

// What may become of a lease.
const (
	Acquired Change = "acquire"
	Released Change = "release" // with an error if it is free only once it has expired
	Lost     Change = "lose"    // to another worker, or because it could not be renewed
	Divided  Change = "divide"
	Removed  Change = "remove"  // because its container is no more
	Restored Change = "restore" // it was missing, and is read from the beginning
)

// releaseTimeout bounds how long a worker that stops waits to make a lease free.
const releaseTimeout = 5 * time.Second

// ErrRunning says that a handler has not returned, although others may have its lease.
var ErrRunning = errors.New("a handler did not return after its context ended: it is still running, while another worker may have its lease")

// Run takes leases and has them handled until ctx ends, and makes them free. It
// returns the error of ctx, that of a handler, or ErrUnusable. A look costs a query, acquiring,
// renewing and releasing a lease one write each.
//
// Run waits for handlers until their leases have expired, and then returns without
// them. If a handler panics, so does Run, after the leases are free.
func (w *Worker) Run(ctx context.Context) error {
	runCtx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := run{Worker: w, store: newPatient(w.Store, w.Expire), stop: stop, held: map[string]bool{}, divided: make(chan struct{}, 1)}
	for watch := NewWatch(w.Expire); ; {
		if err := r.look(runCtx, watch); err != nil && runCtx.Err() == nil && w.Failed != nil {
			w.Failed(err)
		}
		timer := time.NewTimer(w.Look - chance.Below(w.Look/8+1))
		select {
		case <-timer.C:
		case <-r.divided:
			timer.Stop()
		case <-r.Again:
			timer.Stop()
		case <-runCtx.Done():
			timer.Stop()
			return r.finish(reason(ctx, runCtx))
		}
	}
}

// reason returns why a run ends. Where ctx has a cause of its own, as after a signal,
// the reason matches both that and the error of ctx.
func reason(ctx, runCtx context.Context) error {
	cause := context.Cause(runCtx)
	if err := ctx.Err(); err != nil && cause == context.Cause(ctx) && !errors.Is(cause, err) { //nolint:errorlint // the same one
		return fmt.Errorf("%w: %w", err, cause)
	}
	return cause
}

// run is a worker at work.
type run struct {
	*Worker
	store    patient
	stop     context.CancelCauseFunc
	handlers sync.WaitGroup
	divided  chan struct{} // has a message when leases were divided: some are free

	mu   sync.Mutex
	held map[string]bool // by id: its handler has not returned
	gaps int             // how many looks in a row have found a gap
}

// finish waits for the handlers, and returns why they were stopped.
func (r *run) finish(reason error) error {
	returned := make(chan struct{})
	go func() {
		r.handlers.Wait()
		close(returned)
	}()
	timer := time.NewTimer(r.Expire)
	defer timer.Stop()
	select {
	case <-returned:
	case <-timer.C:
		reason = errors.Join(reason, ErrRunning)
	}
	var p *panicked
	if errors.As(reason, &p) {
		panic(p)
	}
	return reason
}

// look reads the leases and acquires those that the worker should have.
func (r *run) look(ctx context.Context, watch *Watch) error {
	asked := time.Now()
	leases, err := r.store.List(ctx)
	if err != nil {
		if errors.Is(err, ErrUnusable) { // that does not pass
			r.stop(err)
		}
		return err
	}
	if err := r.gap(ctx, leases); err != nil {
		return err
	}
	all, left := leftovers(r.abandoned(watch.Look(leases, asked, time.Now())))
	failed := r.remove(ctx, left)
	all = r.unhandled(all)
	for _, l := range Take(all, r.Name, max(r.Steals, 1), chance.Perm) {
		if r.handles(l.ID) { // another worker has it, and the handler that lost it has not returned
			continue
		}
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

// gap has leases restored that have been missing for some time: a forced failover has
// lost them, or somebody has deleted them.
func (r *run) gap(ctx context.Context, all []Lease) error {
	if r.Whole == nil {
		return nil
	}
	if r.Whole(all) == nil {
		r.gaps = 0
		return nil
	}
	if r.gaps++; r.gaps < lists {
		return nil
	}
	err := r.Restore(ctx)
	if errors.Is(err, ErrUnusable) { // that does not pass
		r.stop(err)
	}
	return err
}

// abandoned returns all, in which leases of this worker that have no handler are free:
// acquired by a write whose answer was lost, or given up.
func (r *run) abandoned(all []Seen) []Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, s := range all {
		all[i].Expired = s.Expired || s.Lease.Owner == r.Name && !r.held[s.Lease.ID]
	}
	return all
}

// unhandled returns the needed leases without the free ones whose earlier handler is
// still at work here: after it was lost, it has not returned.
func (r *run) unhandled(needed []Seen) (some []Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range needed {
		if !s.free() || !r.held[s.Lease.ID] {
			some = append(some, s)
		}
	}
	return some
}

// remove removes leases that nobody needs and nobody has. A worker that has one is
// about to remove it.
func (r *run) remove(ctx context.Context, left []Seen) error {
	for _, s := range left {
		if !s.free() {
			continue
		}
		if err := r.store.Delete(ctx, s.Lease); err != nil && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrGone) {
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
	r.note(h.Lease().ID, true)
	r.tell(h.Lease(), Acquired, nil)
	r.handlers.Go(func() {
		keeping, stopKeeping := context.WithCancel(ctx)
		var keeper sync.WaitGroup
		keeper.Go(func() { h.Keep(keeping, r.Renew) })
		defer func() { // also if the handler ends its goroutine
			stopKeeping()
			keeper.Wait()
			r.end(ctx, h)
		}()
		r.handle(ctx, h)
	})
}

// panicked is what a handler panicked with, and where.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// handle calls the handler. A panic, and the end of its goroutine, end Run.
func (r *run) handle(ctx context.Context, h *Held) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil {
			r.stop(&panicked{v, debug.Stack()})
			return
		}
		r.stop(errors.New("a handler has ended its goroutine"))
	}()
	err := r.Handle(ctx, h)
	returned = true
	if err != nil && !errors.Is(err, ErrLost) && ctx.Err() == nil {
		r.stop(err)
	}
}

// end makes a lease free, and looks again if it was divided.
func (r *run) end(ctx context.Context, h *Held) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	err, change := h.Release(ctx), Released
	switch lost := errors.Is(err, ErrLost); {
	case h.divided:
		err, change = nil, Divided
	case h.removed:
		err, change = nil, Removed
	case lost:
		change = Lost
	case err != nil && r.Failed != nil:
		r.Failed(err)
	}
	r.note(h.Lease().ID, false)
	r.tell(h.Lease(), change, err)
	if h.divided {
		select {
		case r.divided <- struct{}{}:
		default: // a look is due already
		}
	}
}

func (r *run) tell(l Lease, c Change, err error) {
	if r.Changed != nil {
		r.Changed(l, c, err)
	}
}

func (r *run) handles(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[id]
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

// Seen is what a balance knows of a lease.
type Seen struct {
	Lease   Lease
	Expired bool // its owner has not renewed it for an interval
}

// free reports whether nobody has the lease.
func (s Seen) free() bool { return s.Lease.Owner == "" || s.Expired }

// Take returns the leases that a worker should acquire now, by the rule of the SDKs
// for .NET (EqualPartitionsBalancingStrategy): each worker is to have as many leases
// as there are for each of those that have some and for itself, rounded up. A worker
// that has fewer takes leases that are free or have expired. If there are none, it
// steals one from the worker that has most, and then another while it may.
//
// Workers who look at the same time choose different leases: order, a permutation of
// n indexes, says in which order free ones are taken. It is rand.Perm outside tests.
func Take(all []Seen, worker string, steals int, order func(n int) []int) []Lease {
	if len(all) == 0 {
		return nil
	}
	counts := map[string]int{worker: 0}
	var free []Lease
	for _, s := range all {
		if s.free() {
			free = append(free, s.Lease)
		} else {
			counts[s.Lease.Owner]++
		}
	}
	target := (len(all) + len(counts) - 1) / len(counts)
	needed := target - counts[worker]
	switch {
	case needed <= 0:
		return nil
	case len(free) > 0:
		var taken []Lease
		for _, i := range order(len(free))[:min(needed, len(free))] {
			taken = append(taken, free[i])
		}
		return taken
	default:
		var stolen []Lease
		for range min(steals, needed) {
			one := steal(all, counts, stolen, worker, target, needed-len(stolen))
			if one == nil {
				break
			}
			stolen = append(stolen, *one)
			counts[one.Owner]--
		}
		return stolen
	}
}

// steal returns one lease of the worker that has most, if it has more than it should:
// more than target, or target itself where two leases are needed or more.
func steal(all []Seen, counts map[string]int, stolen []Lease, worker string, target, needed int) *Lease {
	fullest := ""
	for owner, n := range counts {
		if owner != worker && (fullest == "" || n > counts[fullest] || n == counts[fullest] && owner < fullest) {
			fullest = owner
		}
	}
	limit := target
	if needed > 1 {
		limit--
	}
	if fullest == "" || counts[fullest] <= limit {
		return nil
	}
	i := slices.IndexFunc(all, func(s Seen) bool {
		return s.Lease.Owner == fullest && !slices.ContainsFunc(stolen, func(l Lease) bool { return l.ID == s.Lease.ID })
	})
	return &all[i].Lease
}

// Watch tells which leases have expired: those whose document has not changed while
// this process was looking for one interval, by its own monotonic clock. The clocks
// of other machines do not matter, nor does the program that owns the lease: each
// writes its leases several times in an interval. A Watch is used by one goroutine.
type Watch struct {
	interval time.Duration
	seen     map[string]sighting // by id
}

// sighting is an ETag, and when it was known for the first time.
type sighting struct {
	tag   azcore.ETag
	since time.Time // with the reading of the monotonic clock
}

// NewWatch returns a watch of leases that expire after an interval.
func NewWatch(interval time.Duration) *Watch {
	return &Watch{interval: interval, seen: map[string]sighting{}}
}

// Look notes leases that were asked for at one time and answered at another, and
// returns what a balance needs. Leases that are no more are forgotten.
//
// A lease never expires early: its owner wrote it before the first answer that had
// its ETag, and the service still had that ETag after the last question.
func (w *Watch) Look(leases []Lease, asked, answered time.Time) []Seen {
	seen := make(map[string]sighting, len(leases))
	all := make([]Seen, len(leases))
	for i, l := range leases {
		before, known := w.seen[l.ID]
		if !known || before.tag != l.ETag {
			before = sighting{l.ETag, answered}
		}
		seen[l.ID] = before
		all[i] = Seen{Lease: l, Expired: l.Owner != "" && asked.Sub(before.since) >= w.interval}
	}
	w.seen = seen
	return all
}

// patient is a Store whose requests may take a quarter of the time after which leases
// expire. A request that hangs is given up, so that there is time to send it again.
type patient struct {
	Store
	patience time.Duration
}

func newPatient(s Store, interval time.Duration) patient { return patient{s, interval / 4} }

func (p patient) List(ctx context.Context) ([]Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.List(ctx)
}

func (p patient) Read(ctx context.Context, id string) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Read(ctx, id)
}

func (p patient) Replace(ctx context.Context, l Lease) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Replace(ctx, l)
}

func (p patient) Create(ctx context.Context, l Lease) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Create(ctx, l)
}

func (p patient) Delete(ctx context.Context, l Lease) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Delete(ctx, l)
}

// Window is what a lease says besides, where the documents of a type are in several
// containers. The times are those of the service.
type Window struct {
	Container string    // its id; empty where the type has one container
	Changed   time.Time // when the last changes were handled, or the lease was created; zero if that is not known

	// End says that the period of the container had ended, and that there was nothing
	// after the tag when its changes were read last.
	End bool

	// Closed is when that was found of a lease that nobody needs until it is looked at
	// again. It is zero while its changes are read.
	Closed time.Time
}

// Names of properties within nameProperties, whose values are strings: .NET keeps them.
const (
	nameWindow  = "pkgenWindow"
	nameChanged = "pkgenChanged"
	nameEnd     = "pkgenEnd"
	nameClosed  = "pkgenClosed"
)

// windowOf reads what a lease says of a window. A time that does not parse is zero.
func windowOf(properties []byte) (w Window) {
	said := func(name string) (value string) {
		if json.Unmarshal(text.Member(properties, name), &value) != nil {
			return ""
		}
		return value
	}
	at := func(name string) time.Time {
		t, err := time.Parse(time.RFC3339Nano, said(name))
		if err != nil {
			return time.Time{}
		}
		return t.UTC()
	}
	if w.Container = said(nameWindow); w.Container == "" {
		return w
	}
	w.Changed, w.End, w.Closed = at(nameChanged), said(nameEnd) == "true", at(nameClosed)
	return w
}

// properties are what a lease writes of a window, none if the type has one container.
func (w Window) properties() []property {
	if w.Container == "" {
		return nil
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(timeLayout)
	}
	return []property{{nameWindow, w.Container}, {nameChanged, at(w.Changed)}, {nameEnd, fmt.Sprint(w.End)}, {nameClosed, at(w.Closed)}}
}

// clock is that of the service, as far as its answers tell: to about a second. Other
// SDKs judge by the time in a lease whether it has expired.
type clock struct {
	ahead atomic.Int64 // of this machine's, in nanoseconds
}

// now returns what the time is for the service.
func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())).UTC() }

// read notes the date of an answer. After an answer without a date, the clock goes on as
// before: as that of this machine, if there was none yet.
func (c *clock) read(response *http.Response) {
	if at, err := wire.DateOf(response); err == nil {
		const half = time.Second / 2 // it has whole seconds
		c.ahead.Store(int64(time.Until(at.Add(half))))
	}
}

// Now is the time of the service.
func (c *Container) Now() time.Time { return c.time().now() }
