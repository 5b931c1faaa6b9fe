package processor

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Op is the operation of a processor, as errors name it.
const Op = "process"

// Settings say how a processor works. All are set.
type Settings struct {
	Dialect  lease.Dialect
	Look     time.Duration // from one look at the leases to the next
	Renew    time.Duration // from one write of a lease to the next
	Expire   time.Duration // a lease that was not written for so long is free
	MaxPause time.Duration // the longest pause between two polls of a part without changes
	PageSize int32         // 0 leaves it to the service
	Since    int64         // in seconds, 0 is the beginning

	// Types are the stores of several document types, as in feed.ReaderSettings.
	Types  []*store.Store
	Others bool

	Versions bool // all versions and deletions are handled, from now on

	// Of a type with several containers, as in feed.Settings:
	Quiet       time.Duration
	SkipDropped bool

	// Handle handles documents of one page and one type, in order.
	Handle func(ctx context.Context, items []feed.Item) error

	// The others may be nil. Failed is told which request failed and will be sent
	// again. HandlerFailed is told the error of a handler, and Undecodable of a
	// document that does not decode; if they return true, the page or the document is
	// left out. Observe is told what the processor does.
	Failed        func(ctx context.Context, err error)
	HandlerFailed func(ctx context.Context, err error) (leaveOut bool)
	Undecodable   func(ctx context.Context, document []byte, err error) (leaveOut bool)
	Observe       func(ctx context.Context, e Event)
}

// Event is what a processor has done. Its fields are those of the face's
// ProcessorEvent, which says more of them.
type Event struct {
	Op, Processor, Type, Container, Lease string
	Documents                             int
	Lag                                   int64
	Duration                              time.Duration
	Err                                   error
}

// opHandle is a call of the handler, as events name it.
const opHandle = "handle"

// Processor has the changes of a store handled. It is safe for concurrent use.
type Processor struct {
	Settings
	name      string
	store     *store.Store
	container *wire.Container // of the leases

	turn  chan struct{} // is full while ready is read or set
	ready *shared

	several []*feed.Several // of each type, which has several containers; nil if it has one
	readers readers         // of several containers
	window  *window         // the container, if it is one of several
}

// shared is what a processor learns once, with requests.
type shared struct {
	reader *feed.Reader
	leases *lease.Container
	slots  chan struct{} // has a message for each page that is read or handled
}

// New returns the processor of this name. Nothing is sent.
func New(name string, s *store.Store, leases *azcosmos.ContainerClient, settings Settings) *Processor {
	return &Processor{
		Settings: settings, name: name, store: s, turn: make(chan struct{}, 1),
		container: &wire.Container{Client: leases, Type: s.Type, Paths: []string{"/id"}, Observe: s.Observe},
	}
}

// Run has changes handled until ctx ends. Then its leases are free for others.
func (p *Processor) Run(ctx context.Context) error {
	if p.several != nil {
		return p.failure(p.runSeveral(ctx))
	}
	if err := p.store.JoinSession(ctx, Op); err != nil {
		return err
	}
	sh, err := p.begin(ctx)
	if err != nil {
		return p.failure(err)
	}
	worker := &lease.Worker{
		Store: sh.leases, Name: newName(), Look: p.Look, Renew: p.Renew, Expire: p.Expire,
		Handle: func(ctx context.Context, h *lease.Held) error { return (&work{p, sh, h}).run(ctx) },
		Whole:  sh.leases.Whole,
		Failed: func(err error) { p.failed(ctx, err) },
		Changed: func(l lease.Lease, c lease.Change, err error) {
			p.observe(ctx, Event{Op: string(c), Lease: l.Token, Err: err})
		},
	}
	err = worker.Run(ctx)
	p.forget(sh, err)
	return p.failure(err)
}

// begin reads the containers and sees that there are leases. It begins again after an
// error that may pass, as the worker does later: a process that starts while the
// service is busy must not end.
func (p *Processor) begin(ctx context.Context) (*shared, error) {
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		sh, err := p.prepare(ctx)
		if err == nil {
			err = sh.leases.Begin(ctx)
			p.forget(sh, err)
		}
		if err == nil || ctx.Err() != nil || !wire.MayPass(err) {
			return sh, err
		}
		p.failed(ctx, err)
	}
}

// Lag is how far the saved progress of a lease is from the end of its changes.
type Lag struct {
	Container, Lease, Owner string
	feed.Lag
}

// Lag returns the lag of each lease.
func (p *Processor) Lag(ctx context.Context) ([]Lag, error) {
	return p.LagExcept(ctx, func(string) bool { return false })
}

// LagExcept returns the lag of each lease but of those that it leaves out, whose lag is
// zero and costs nothing. Of several containers it leaves out none.
func (p *Processor) LagExcept(ctx context.Context, leaveOut func(lease string) bool) ([]Lag, error) {
	if p.several != nil {
		all, err := p.lagSeveral(ctx)
		return all, p.failure(err)
	}
	if err := p.store.JoinSession(ctx, Op); err != nil {
		return nil, err
	}
	sh, err := p.prepare(ctx)
	if err != nil {
		return nil, p.failure(err)
	}
	leases, err := sh.leases.List(ctx)
	if err != nil {
		p.forget(sh, err)
		return nil, p.failure(err)
	}
	all := make([]Lag, len(leases))
	for i, l := range leases {
		if all[i].Lease, all[i].Owner = l.Token, l.Owner; leaveOut(l.Token) {
			continue
		}
		n, err := sh.reader.Lag(ctx, feed.Part{Min: l.Range.Min, Max: l.Range.Max, Tag: l.Tag})
		if err != nil {
			p.forget(sh, err)
			return nil, err
		}
		all[i].Lag = n
	}
	return all, nil
}

// prepare reads the containers, once.
func (p *Processor) prepare(ctx context.Context) (*shared, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p.ready != nil {
		return p.ready, nil
	}
	monitored, err := p.monitored(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.together(ctx, monitored.RID); err != nil {
		return nil, err
	}
	prefix, err := p.Dialect.Prefix(p.name, monitored)
	if err != nil {
		return nil, err
	}
	leases := &lease.Container{
		Leases: p.container, Dialect: p.Dialect, Processor: p.name, Prefix: prefix, Monitored: monitored,
		Physical: func(ctx context.Context) (*route.Map, error) {
			physical, _, err := p.store.Physical(ctx)
			return physical, err
		},
		Refresh: p.refresh, Versions: p.Versions,
	}
	leases.Documents = p.documents()
	if err := leases.Check(ctx); err != nil {
		return nil, err
	}
	reader, err := feed.NewReader(ctx, p.store, feed.ReaderSettings{
		Since: p.Since, PageSize: p.PageSize, Types: p.Types, Others: p.Others, Versions: p.Versions, LeaveOut: p.Undecodable,
	})
	if err != nil {
		return nil, err
	}
	p.ready = &shared{reader, leases, make(chan struct{}, p.store.Settings.Concurrency)}
	return p.ready, nil
}

// refresh reads the physical partitions anew.
func (p *Processor) refresh(ctx context.Context) (*route.Map, error) {
	_, version, err := p.store.Physical(ctx)
	if err != nil {
		return nil, err
	}
	physical, _, err := p.store.Refresh(ctx, version)
	return physical, err
}

// forget lets the next call learn anew what a container is that was made again, if
// an error says so.
func (p *Processor) forget(sh *shared, err error) {
	if !feed.MadeAgain(err) && !errors.Is(err, lease.ErrUnusable) {
		return
	}
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.ready == sh {
		p.ready = nil
	}
}

// monitored reads what leases say of the container whose changes are read.
func (p *Processor) monitored(ctx context.Context) (m lease.Monitored, err error) {
	ctx, asked := route.Asking(p.store.Marked(ctx))
	var response azcosmos.ContainerResponse
	err = wire.Reread(ctx, func() (err error) {
		response, err = p.store.Client.Read(ctx, nil)
		return wire.ContainerAnswer(response, p.store.Client.ID(), err)
	})
	if err != nil {
		return m, err
	}
	levels := strings.Split(strings.TrimPrefix(asked.EscapedPath(), "/"), "/") // dbs, its id, colls, its id
	if len(levels) < 4 {
		return m, route.ErrNotConfigured
	}
	database, err := url.PathUnescape(levels[1])
	if err != nil {
		return m, err
	}
	return lease.Monitored{
		Host: asked.Hostname(), Database: database,
		Container: response.ContainerProperties.ID, RID: response.ContainerProperties.ResourceID,
	}, nil
}

// failure returns err as one of the operation.
func (p *Processor) failure(err error) error {
	if err == nil {
		return nil
	}
	if own, ok := err.(*wire.OperationError); ok { //nolint:errorlint // one that is wrapped does not say all
		return own
	}
	return wire.NewOperationError(Op, p.store.Type, "", "", err)
}

// failed tells of requests that failed, as one error of the operation: what began or ended
// a run may have joined several.
func (p *Processor) failed(ctx context.Context, err error) {
	if p.Failed != nil {
		p.Failed(ctx, p.failure(err))
	}
}

func (p *Processor) observe(ctx context.Context, e Event) {
	if p.Observe != nil {
		e.Processor, e.Type = p.name, cmp.Or(e.Type, p.store.Type)
		if p.window != nil {
			e.Container = p.window.name
		}
		p.Observe(ctx, e)
	}
}

// newName returns a name that no other worker has: that of the machine, and a random
// text.
func newName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return host + "-" + rand.Text()[:10]
}
