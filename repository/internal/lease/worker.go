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

// Worker takes its share of the leases of a store. Its fields must not change during Run.
type Worker struct {
	Store Store
	Name  string // unique among workers and runs

	Look   time.Duration // between two looks at the leases
	Renew  time.Duration // between two writes of a lease
	Expire time.Duration // a lease that was not written for this long is free

	// Handle does the work of a lease until ctx ends. It must then return soon, because
	// other workers may take the lease. An error other than ErrLost ends Run.
	Handle func(ctx context.Context, h *Held) error

	// Whole returns an error if leases do not cover the key space. After several looks in a
	// row with an error, Restore creates the missing leases, because the changes of the gap
	// would be skipped. Both may be nil.
	Whole   func(all []Lease) error
	Restore func(ctx context.Context) error

	// Failed is called for requests that failed and will be sent again. It may be nil.
	Failed func(err error)

	// Again triggers a look before it is due. It may be nil.
	Again <-chan struct{}

	// Steals bounds the leases stolen in one look. 0 means one, as in the SDKs for .NET and
	// Java.
	Steals int

	// Changed is called after the worker has acquired a lease, and after it no longer has
	// the lease, with the reason. It may be nil.
	Changed func(l Lease, c Change, err error)
}

// Change says what happened to a lease.
type Change string

// Changes of a lease.
const (
	Acquired Change = "acquire"
	Released Change = "release" // with an error if the lease is free only after it expires
	Lost     Change = "lose"    // to another worker, or because it could not be renewed
	Divided  Change = "divide"
	Removed  Change = "remove"  // because its container does not exist any more
	Restored Change = "restore" // it was missing, and is read from the beginning
)

// releaseTimeout bounds how long a stopping worker tries to free a lease.
const releaseTimeout = 5 * time.Second

// ErrRunning says that a handler did not return, although other workers may take its lease.
var ErrRunning = errors.New("a handler did not return after its context ended: it is still running, while another worker may have its lease")

// Run acquires leases and calls Handle for each until ctx ends, and then frees them. It
// returns the error of ctx, an error of a handler, or ErrUnusable. A look costs a query.
// Acquiring, renewing and releasing a lease cost one write each.
//
// Run waits for handlers until their leases have expired, and then returns without them. If
// a handler panics, Run frees the leases and panics too.
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

// reason returns why a run ends. If ctx has a cause, for example a signal, the result
// matches both the cause and ctx.Err().
func reason(ctx, runCtx context.Context) error {
	cause := context.Cause(runCtx)
	if err := ctx.Err(); err != nil && cause == context.Cause(ctx) && !errors.Is(cause, err) { //nolint:errorlint // the same one
		return fmt.Errorf("%w: %w", err, cause)
	}
	return cause
}

// run is a Worker during Run.
type run struct {
	*Worker
	store    patient
	stop     context.CancelCauseFunc
	handlers sync.WaitGroup
	divided  chan struct{} // has an element after a division, which leaves free leases

	mu   sync.Mutex
	held map[string]bool // by id: the handler has not returned
	gaps int             // consecutive looks that found a gap
}

// finish waits for the handlers, and returns the reason.
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

// look reads the leases and acquires the worker's share.
func (r *run) look(ctx context.Context, watch *Watch) error {
	asked := time.Now()
	leases, err := r.store.List(ctx)
	if err != nil {
		if errors.Is(err, ErrUnusable) { // permanent
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

// gap restores leases that have been missing for several looks, for example after a forced
// failover or a deletion.
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
	if errors.Is(err, ErrUnusable) { // permanent
		r.stop(err)
	}
	return err
}

// abandoned marks leases of this worker that have no handler as expired: the answer to
// their acquisition was lost, or they were given up.
func (r *run) abandoned(all []Seen) []Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, s := range all {
		all[i].Expired = s.Expired || s.Lease.Owner == r.Name && !r.held[s.Lease.ID]
	}
	return all
}

// unhandled removes free leases whose former handler here has not returned yet.
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

// remove deletes superfluous leases that are free. The owner of one that is not free
// deletes it itself.
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

// start runs the handler of a lease.
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

// panicked is the value and the stack of a panic of a handler.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// handle calls the handler. If the handler panics or ends its goroutine, handle stops Run.
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

// end frees a lease. If it was divided, end triggers a look.
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

// Seen is a lease as the balance sees it.
type Seen struct {
	Lease   Lease
	Expired bool // the owner has not renewed it for an interval
}

func (s Seen) free() bool { return s.Lease.Owner == "" || s.Expired }

// Take returns the leases that a worker should acquire now, by the rule of the SDK for .NET
// (EqualPartitionsBalancingStrategy). The target of each worker is the number of leases
// divided by the number of workers, this one included, rounded up. A worker below the
// target takes free and expired leases. If there are none, it steals from the worker with
// the most leases, up to steals.
//
// Workers that look at the same time should choose different leases: order returns a
// permutation of n indexes for the free ones. Outside tests it is rand.Perm.
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

// steal returns one lease of the worker with the most, if that has more than target, or at
// least target while two or more leases are needed.
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

// Watch decides which leases have expired: those whose document has not changed for one
// interval of this process's monotonic clock. Clocks of other machines do not matter, nor
// does the program of the owner: each writes its leases several times in an interval. It is
// not safe for concurrent use.
type Watch struct {
	interval time.Duration
	seen     map[string]sighting // by id
}

// sighting is an ETag, and when it was seen first.
type sighting struct {
	tag   azcore.ETag
	since time.Time // with the reading of the monotonic clock
}

// NewWatch returns a Watch for leases that expire after an interval.
func NewWatch(interval time.Duration) *Watch {
	return &Watch{interval: interval, seen: map[string]sighting{}}
}

// Look records the leases of an answer, and returns what the balance needs. Asked and
// answered are the times of the request and of its answer. Look forgets missing leases.
//
// A lease never expires early: its owner wrote it before the first answer with its ETag,
// and the service still had this ETag after the last request.
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

// patient is a Store whose requests time out after a quarter of the interval in which
// leases expire, so that a hanging request can be sent again in time.
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

// Window is the part of a lease for types with several containers. Times are the service's.
type Window struct {
	Container string    // its id; empty if the type has one container
	Changed   time.Time // when changes were handled last, or the lease was created; zero if unknown

	// End says that the period of the container had ended, and that the last poll found no
	// changes after the tag.
	End bool

	// Closed is when the lease was closed. A closed lease has no owner until it is checked
	// again. Closed is zero while changes are read.
	Closed time.Time
}

// Names within nameProperties. Their values are strings, because .NET keeps only these.
const (
	nameWindow  = "pkgenWindow"
	nameChanged = "pkgenChanged"
	nameEnd     = "pkgenEnd"
	nameClosed  = "pkgenClosed"
)

// windowOf returns the Window of a lease. An invalid time becomes zero.
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

// properties returns the properties of a Window, or nil if the type has one container.
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

// clock is the service's clock, estimated from its answers to about a second. Other SDKs
// decide by the time in a lease whether it has expired.
type clock struct {
	ahead atomic.Int64 // of this machine, in nanoseconds
}

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())).UTC() }

// read sets the clock from the date of an answer. An answer without a date changes nothing.
// The clock starts as that of this machine.
func (c *clock) read(response *http.Response) {
	if at, err := wire.DateOf(response); err == nil {
		const half = time.Second / 2 // it has whole seconds
		c.ahead.Store(int64(time.Until(at.Add(half))))
	}
}

// Now returns the service's time.
func (c *Container) Now() time.Time { return c.time().now() }
