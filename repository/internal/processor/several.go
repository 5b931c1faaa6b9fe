package processor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// NewSeveral is New for types with several containers, which must be the same for all
// types.
func NewSeveral(name string, types []*feed.Containers, leases *wire.Client, settings Settings) *Processor {
	p := New(name, types[0].Store, leases, settings)
	p.several = types
	p.readers.of = map[string]*feed.Reader{}
	p.readers.slots = make(chan struct{}, p.store.Settings.Concurrency)
	return p
}

// readers has the readers of open containers, by RID, and the slots that bound their pages.
type readers struct {
	mu    sync.Mutex
	of    map[string]*feed.Reader
	slots chan struct{}
}

func (r *readers) get(rid string) *feed.Reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[rid]
}

func (r *readers) put(rid string, reader *feed.Reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reader == nil {
		delete(r.of, rid)
	} else {
		r.of[rid] = reader
	}
}

// Bounds for one process.
const (
	openers    = 8  // containers opened at once
	mostSteals = 16 // leases stolen in one look
	mostGaps   = 4  // consecutive looks that find a gap in the leases of a container
)

// fleet handles the changes of several containers. It is the lease.Store of all their
// leases, so that one worker takes its share of all.
type fleet struct {
	*Processor
	all    *lease.All
	own    string          // the RID of the lease container
	first  lease.Monitored // provides the account and the database of all
	work   context.Context
	stop   context.CancelCauseFunc
	again  chan struct{} // has an element after containers were opened
	opened sync.WaitGroup

	mu      sync.Mutex
	windows map[string]*window // by RID; used by the goroutine of the looks, apart from fields that mu guards
	queue   []*window          // to be opened
	busy    int                // goroutines that open windows
}

// fatal is an error that ends the run.
type fatal struct{ error }

func (f fatal) Unwrap() error { return f.error }

// runSeveral is Run for several containers.
func (p *Processor) runSeveral(ctx context.Context) error {
	f := p.newFleet()
	if err := f.begin(ctx); err != nil {
		return err
	}
	work, stop := context.WithCancelCause(ctx)
	f.work, f.stop = work, stop
	defer f.opened.Wait()
	defer stop(nil)
	worker := &lease.Worker{
		Store: f, Name: newName(), Look: p.Look, Renew: p.Renew, Expire: p.Expire,
		Handle: f.handle, Again: f.again, Steals: mostSteals,
		Failed:  func(err error) { p.failed(ctx, err) },
		Changed: func(l lease.Lease, c lease.Change, err error) { p.changed(ctx, l, c, err) },
	}
	err := worker.Run(work)
	var wrong fatal
	if ctx.Err() == nil && errors.As(context.Cause(work), &wrong) {
		return wrong.error
	}
	return err
}

func (p *Processor) newFleet() *fleet {
	return &fleet{
		Processor: p, all: &lease.All{Leases: p.container, Processor: p.name},
		again: make(chan struct{}, 1), windows: map[string]*window{},
	}
}

// begin checks that leases can be used, and lists the containers. It retries temporary
// errors.
func (f *fleet) begin(ctx context.Context) error {
	for _, s := range f.several {
		if err := s.Wrong(); err != nil {
			return err
		}
	}
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		err := f.prepare(ctx)
		if err == nil || ctx.Err() != nil || !wire.MayPass(err) {
			return err
		}
		f.failed(ctx, err)
	}
}

// prepare is one attempt of begin.
func (f *fleet) prepare(ctx context.Context) (err error) {
	if f.own, err = f.all.Check(ctx); err != nil {
		return err
	}
	_, _, err = f.list(ctx)
	return err
}

// list returns the existing containers. News is true if the leases are now searched in
// another database.
func (f *fleet) list(ctx context.Context) (all []lease.Monitored, news bool, err error) {
	listed, err := f.several[0].List(ctx)
	if err != nil || len(listed) == 0 {
		return nil, false, err
	}
	for i := 0; f.first.Host == "" && i < len(listed); i++ {
		in, err := f.several[0].In(listed[i].Name)
		if err != nil {
			return nil, false, err
		}
		f.first, err = (&Processor{store: in}).monitored(ctx)
		if err != nil && (i == len(listed)-1 || !in.LacksItself(err)) { // it may just have been dropped
			return nil, false, err
		}
	}
	for _, l := range listed {
		if l.RID == f.own {
			return nil, false, fatal{lease.Monitors(l.Name)}
		}
		m := f.first
		m.Container, m.RID = l.Name, l.RID
		all = append(all, m)
	}
	news, err = f.all.In(all[0])
	return all, news, err
}

// of returns the window of a container.
func (f *fleet) of(m lease.Monitored) (*window, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.windows[m.RID]; w != nil {
		return w, nil
	}
	w := &window{name: m.Container, rid: m.RID, now: f.several[0].Now, shared: &shared{slots: f.readers.slots}}
	var stores []*store.Store
	for i, s := range f.several {
		ends, ok := s.Ends(m.Container)
		if !ok {
			return nil, fmt.Errorf("the documents of %s are in the container %q, and those of %s are not: make a processor for each template",
				f.store.Type, m.Container, s.Store.Type)
		}
		if i == 0 {
			w.ends = ends
		}
		in, err := s.In(m.Container)
		if err != nil {
			return nil, err
		}
		stores = append(stores, in)
	}
	settings := f.Settings
	if settings.Types != nil {
		settings.Types = stores
	}
	w.reads = &Processor{Settings: settings, name: f.name, store: stores[0], container: f.container, window: w}
	leases, err := f.all.Of(m)
	if err != nil {
		return nil, err
	}
	leases.Documents = w.reads.documents()
	leases.Refresh = w.reads.refresh
	leases.Restored = w.reads.restored
	leases.Physical = func(ctx context.Context) (*route.Map, error) {
		physical, _, err := w.reads.store.Physical(ctx)
		return physical, w.reads.failure(err)
	}
	w.leases = leases
	f.windows[m.RID] = w
	return w, nil
}

// read returns the reader of a window.
func (f *fleet) read(ctx context.Context, w *window) (*feed.Reader, error) {
	if r := f.readers.get(w.rid); r != nil {
		return r, nil
	}
	p := w.reads
	if err := p.store.JoinSession(ctx, Op); err != nil {
		return nil, err
	}
	if err := p.together(ctx, w.rid); err != nil {
		return nil, err
	}
	r, err := feed.NewReader(ctx, p.store, feed.ReaderSettings{
		Since: p.Since, PageSize: p.PageSize, Types: p.Types, Others: p.Others, LeaveOut: p.undecodable,
	})
	if err == nil && r.RID() != w.rid {
		err = feed.ErrCreatedAgain
	}
	if err == nil {
		f.readers.put(w.rid, r)
	}
	return r, err
}

// later queues a window for opening.
func (f *fleet) later(w *window) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w.opening {
		return
	}
	w.opening = true
	f.queue = append(f.queue, w)
	if f.busy < openers {
		f.busy++
		f.opened.Go(f.openAll)
	}
}

// openAll opens the queued windows, one after the other.
func (f *fleet) openAll() {
	for {
		f.mu.Lock()
		if len(f.queue) == 0 || f.work.Err() != nil {
			f.busy--
			last := f.busy == 0
			f.mu.Unlock()
			if last {
				f.wake()
			}
			return
		}
		w := f.queue[0]
		f.queue = f.queue[1:]
		f.mu.Unlock()
		r, err := f.read(f.work, w)
		if err == nil {
			err = w.leases.Begin(f.work)
		}
		f.mu.Lock()
		if w.opening = false; err == nil && !w.open { // handlers may read with the reader of an open window
			w.open, w.reader = true, r
		}
		f.mu.Unlock()
		switch {
		case err == nil || f.work.Err() != nil:
		case feed.CreatedAgain(err) || w.reads.store.LacksItself(err): // the next look handles it
		case passes(err): // a look queues it again
			f.failed(f.work, err)
		default:
			f.stop(fatal{err})
		}
	}
}

// passes reports whether opening a container may succeed later: the service has not refused
// a request, and the leases can be used.
func passes(err error) bool {
	var failure *documents.Error
	return wire.MayPass(err) || errors.As(err, &failure) && failure.Status == 0
}

// wake makes the worker look again.
func (f *fleet) wake() {
	select {
	case f.again <- struct{}{}:
	default: // a look is due already
	}
}

// handle handles the changes of a lease.
func (f *fleet) handle(ctx context.Context, h *lease.Held) error {
	f.mu.Lock()
	w := f.windows[f.all.RID(h.Lease().ID)]
	open := w != nil && w.open
	f.mu.Unlock()
	if w == nil {
		return nil
	}
	does := &work{w.reads, w.shared, h}
	if open {
		return does.run(ctx)
	}
	_, err := does.gone(ctx)
	return err
}

// List implements lease.Store. It returns the leases of all containers, except closed
// leases that are not due. It queues new containers for opening. It costs a query of the
// lease container, and a request that lists the containers.
func (f *fleet) List(ctx context.Context) ([]lease.Lease, error) {
	found, err := f.all.Find(ctx) // before the containers: then leases of missing containers belong to dropped ones
	if err != nil {
		return nil, err
	}
	listed, news, err := f.list(ctx)
	if err != nil {
		return nil, f.judged(err)
	}
	if news { // nothing could be found
		f.wake()
		return nil, nil
	}
	looks := cap(f.readers.slots) // bounds the looks at closed leases; the others wait for the next time
	exists := make(map[string]bool, len(listed))
	var all []lease.Lease
	for _, m := range shuffled(listed) {
		exists[m.RID] = true
		w, err := f.of(m)
		if err != nil {
			return nil, f.judged(fatal{err})
		}
		some, err := f.leasesOf(ctx, w, found[m.RID], &looks)
		if err != nil {
			return nil, f.judged(err)
		}
		all = append(all, some...)
	}
	for rid, of := range found {
		if !exists[rid] {
			all = append(all, f.leftBy(rid, of)...)
		}
	}
	f.prune(func(rid string) bool { return exists[rid] || found[rid] != nil })
	return all, nil
}

// judged returns an error of a look. A permanent one ends the run.
func (f *fleet) judged(err error) error {
	var wrong fatal
	if errors.As(err, &wrong) && f.stop != nil {
		f.stop(wrong)
	}
	return err
}

// leasesOf returns the leases of a container to read. It queues the container if that is
// not open.
func (f *fleet) leasesOf(ctx context.Context, w *window, of *lease.Found, looks *int) ([]lease.Lease, error) {
	if of == nil {
		of = &lease.Found{}
	}
	if of.Wrong != nil {
		return nil, fatal{errors.Join(lease.ErrUnusable, of.Wrong)}
	}
	if !f.isOpen(w) {
		if !of.Created || len(of.Leases) == 0 || len(f.wanted(of.Leases, looks)) > 0 {
			f.later(w)
		}
		return nil, nil
	}
	ranged := make([]lease.Lease, len(of.Leases))
	for i, l := range of.Leases {
		var err error
		if ranged[i], err = w.leases.Ranged(ctx, l); err != nil {
			if errors.Is(err, lease.ErrUnusable) {
				return nil, fatal{err}
			}
			f.failed(ctx, err)
			return nil, nil
		}
	}
	if w.leases.Whole(ranged) != nil {
		if w.gaps++; w.gaps == mostGaps {
			w.gaps = 0
			f.later(w) // opening restores them
		}
		return nil, nil
	}
	w.gaps = 0
	return f.wanted(ranged, looks), nil
}

// leftBy returns the leases of a dropped container of the type. Their handler removes them.
func (f *fleet) leftBy(rid string, of *lease.Found) (some []lease.Lease) {
	for _, l := range of.Leases {
		m := f.first
		if m.Container, m.RID = l.Window.Container, rid; m.Container == "" {
			continue
		}
		if _, ok := f.several[0].Ends(m.Container); !ok || !f.due(l) {
			continue
		}
		if _, err := f.of(m); err == nil {
			some = append(some, l)
		}
	}
	return some
}

// wanted returns the leases to read: open ones, and closed ones that are due, up to looks.
func (f *fleet) wanted(all []lease.Lease, looks *int) (some []lease.Lease) {
	for _, l := range all {
		if !f.due(l) {
			continue
		}
		if !l.Window.Closed.IsZero() && l.Owner == "" {
			if *looks <= 0 {
				continue
			}
			*looks--
		}
		some = append(some, l)
	}
	return some
}

// leases returns the leases of the container to which a lease belongs.
func (f *fleet) leases(id string) (*lease.Container, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.windows[f.all.RID(id)]
	if w == nil {
		return nil, lease.ErrGone
	}
	return w.leases, nil
}

// Read implements lease.Store.
func (f *fleet) Read(ctx context.Context, id string) (lease.Lease, error) {
	c, err := f.leases(id)
	if err != nil {
		return lease.Lease{}, err
	}
	return c.Read(ctx, id)
}

// Replace implements lease.Store.
func (f *fleet) Replace(ctx context.Context, l lease.Lease) (lease.Lease, error) {
	c, err := f.leases(l.ID)
	if err != nil {
		return l, err
	}
	return c.Replace(ctx, l)
}

// Create implements lease.Store.
func (f *fleet) Create(ctx context.Context, l lease.Lease) error {
	c, err := f.leases(l.ID)
	if err != nil {
		return err
	}
	return c.Create(ctx, l)
}

// Delete implements lease.Store.
func (f *fleet) Delete(ctx context.Context, l lease.Lease) error {
	c, err := f.leases(l.ID)
	if err != nil {
		return err
	}
	return c.Delete(ctx, l)
}

// prune forgets windows of dropped containers without leases.
func (f *fleet) prune(needed func(rid string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rid, w := range f.windows {
		if !needed(rid) && !w.opening {
			delete(f.windows, rid)
			f.readers.put(rid, nil)
		}
	}
}

// shuffled returns a random order, so that processes that begin together open different
// containers.
func shuffled[T any](all []T) []T {
	all = slices.Clone(all)
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// due reports whether a lease is open, or closed and due for a look.
func (f *fleet) due(l lease.Lease) bool {
	closed := l.Window.Closed
	return closed.IsZero() || f.Quiet <= 0 || f.all.Now().Sub(closed).Abs() >= f.Quiet
}

func (f *fleet) isOpen(w *window) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return w.open
}

// lagSeveral is Lag for several containers, in the order of their names.
func (p *Processor) lagSeveral(ctx context.Context) ([]Lag, error) {
	f := p.newFleet()
	for _, s := range f.several {
		if err := s.Wrong(); err != nil {
			return nil, err
		}
	}
	if err := f.prepare(ctx); err != nil {
		return nil, err
	}
	found, err := f.all.Find(ctx)
	if err != nil {
		return nil, err
	}
	listed, _, err := f.list(ctx)
	if err != nil {
		return nil, err
	}
	each := make([][]Lag, len(listed))
	err = parallel.Each(ctx, len(listed), openers, func(ctx context.Context, i int) (err error) {
		if of := found[listed[i].RID]; of != nil {
			each[i], err = f.lagOf(ctx, listed[i], of)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var lags []Lag
	for _, some := range each {
		lags = append(lags, some...)
	}
	return lags, nil
}

// lagOf returns the lag of each lease of a container, or none if it was dropped.
func (f *fleet) lagOf(ctx context.Context, m lease.Monitored, of *lease.Found) ([]Lag, error) {
	if of.Wrong != nil {
		return nil, of.Wrong
	}
	w, err := f.of(m)
	if err != nil {
		return nil, err
	}
	gone := func(err error) bool { return feed.CreatedAgain(err) || w.reads.store.LacksItself(err) }
	r, err := f.read(ctx, w)
	lags := make([]Lag, len(of.Leases))
	for i, l := range of.Leases {
		if err == nil {
			l, err = w.leases.Ranged(ctx, l)
		}
		if err == nil {
			lags[i] = Lag{Container: w.name, Lease: l.Token, Owner: l.Owner}
			lags[i].Lag, err = r.Lag(ctx, feed.Part{Min: l.Range.Min, Max: l.Range.Max, Tag: l.Tag})
		}
	}
	if err != nil && gone(err) {
		f.readers.put(w.rid, nil)
		return nil, nil
	}
	return lags, err
}
