package processor

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// NewSeveral is New for types that have several containers, all the same.
func NewSeveral(name string, types []*feed.Several, leases *azcosmos.ContainerClient, settings Settings) *Processor {
	p := New(name, types[0].Store, leases, settings)
	p.several = types
	p.readers.of = map[string]*feed.Reader{}
	p.readers.slots = make(chan struct{}, p.store.Settings.Concurrency)
	return p
}

// readers are those of the containers that were opened, by RID, and what bounds their pages.
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

// Bounds of one process.
const (
	openers    = 8  // containers that are opened at once
	mostSteals = 16 // leases in one look
	mostGaps   = 4  // looks in a row that find a gap in the leases of a container
)

// fleet has the changes of several containers handled. It is the store of the leases of
// all, so that one worker takes its share of them together.
type fleet struct {
	*Processor
	all    *lease.All
	own    string          // the RID of the lease container
	first  lease.Monitored // whose account and database are those of all
	work   context.Context
	stop   context.CancelCauseFunc
	again  chan struct{} // has a message when containers were opened
	opened sync.WaitGroup

	mu      sync.Mutex
	windows map[string]*window // by RID; its goroutine is that of the looks, but for what mu guards
	queue   []*window          // to be opened
	busy    int                // how many goroutines open them
}

// fatal ends a run.
type fatal struct{ error }

func (f fatal) Unwrap() error { return f.error }

// runSeveral is Run over several containers.
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
		Failed: func(err error) { p.failed(ctx, err) },
		Changed: func(l lease.Lease, c lease.Change, err error) {
			p.observe(ctx, Event{Op: string(c), Container: l.Window.Container, Lease: l.Token, Err: err})
		},
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

// begin sees that the leases can be used, and lists the containers. It begins again after
// an error that may pass.
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

// prepare is begin, once.
func (f *fleet) prepare(ctx context.Context) (err error) {
	if f.own, err = f.all.Check(ctx); err != nil {
		return err
	}
	_, _, err = f.list(ctx)
	return err
}

// list returns the containers that exist, and whether leases of another database are to be
// found than before.
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
	leases.Physical = func(ctx context.Context) (*route.Map, error) {
		physical, _, err := w.reads.store.Physical(ctx)
		return physical, w.reads.failure(err)
	}
	w.leases = leases
	f.windows[m.RID] = w
	return w, nil
}

// read prepares the reader of a window.
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
		Since: p.Since, PageSize: p.PageSize, Types: p.Types, Others: p.Others, LeaveOut: p.Undecodable,
	})
	if err == nil && r.RID() != w.rid {
		err = feed.ErrMadeAgain
	}
	if err == nil {
		f.readers.put(w.rid, r)
	}
	return r, err
}

// later has a window opened, after those that are to be opened already.
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

// openAll opens the windows of the queue, one after the other.
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
		if w.opening = false; err == nil {
			w.open, w.reader = true, r
		}
		f.mu.Unlock()
		switch {
		case err == nil || f.work.Err() != nil:
		case feed.MadeAgain(err) || w.reads.store.LacksItself(err): // the next look finds out
		case passes(err): // and a look has it opened again
			f.failed(f.work, err)
		default:
			f.stop(fatal{err})
		}
	}
}

// passes reports whether a container may be opened later, after this error: unless the
// service refuses a request, or the leases cannot be used.
func passes(err error) bool {
	var failure *wire.OperationError
	return wire.MayPass(err) || errors.As(err, &failure) && failure.Status == 0
}

// wake has the worker look again.
func (f *fleet) wake() {
	select {
	case f.again <- struct{}{}:
	default: // a look is due already
	}
}

// handle has the changes of a lease handled.
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
