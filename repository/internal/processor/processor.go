package processor

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Op names a processor in errors.
const Op = "process"

// Settings configure a processor. All fields are set.
type Settings struct {
	Dialect  lease.Dialect
	Look     time.Duration // between two looks at the leases
	Renew    time.Duration // between two writes of a lease
	Expire   time.Duration // a lease that was not written for this long is free
	MaxPause time.Duration // the longest pause between two polls of a part without changes
	PageSize int32         // 0 means the service's choice
	Since    int64         // in seconds; 0 means the beginning

	// Types are the stores of several document types, as in feed.ReaderSettings.
	Types  []*store.Store
	Others bool

	Versions bool // all versions and deletions, from now on

	// For a type with several containers, as in feed.Settings:
	Quiet       time.Duration
	SkipDropped bool

	// Handle handles documents of one page and one type, in order.
	Handle func(ctx context.Context, items []feed.Item) error

	// OnEvent is called for each event. It may be nil. If it returns true for opFail or
	// OpUndecodable, the page or the document is skipped.
	OnEvent func(ctx context.Context, e Event) (leaveOut bool)
}

// Defaults returns the settings without options. The times, and the longest pause, are
// those of the SDKs for .NET and Java.
func Defaults(pageSize int32) Settings {
	return Settings{
		Look: 13 * time.Second, Renew: 17 * time.Second, Expire: 60 * time.Second,
		MaxPause: DefaultMaxPause, PageSize: pageSize, Quiet: DefaultQuiet,
	}
}

// Default settings.
const (
	DefaultMaxPause = 5 * time.Second
	DefaultQuiet    = time.Hour
)

// SetTimes sets the intervals of leases. 0 leaves an interval unchanged.
func (s *Settings) SetTimes(look, renew, expire time.Duration) error {
	set := func(to *time.Duration, d time.Duration) {
		if d != 0 {
			*to = d
		}
	}
	set(&s.Look, look)
	set(&s.Renew, renew)
	set(&s.Expire, expire)
	switch {
	case s.Look <= 0 || s.Renew <= 0:
		return fmt.Errorf("leases are looked for every %s and renewed every %s: both times must be positive", s.Look, s.Renew)
	case s.Expire/2 < s.Renew:
		return fmt.Errorf("leases are renewed every %s and expire after %s: they must expire after twice the time of a renewal at least", s.Renew, s.Expire)
	}
	return nil
}

// Options collect the options of package feed, for processors and for one process alone.
type Options struct {
	Settings

	// For one process alone, as in feed.Settings:
	Once      bool
	CaughtUp  func(cursor string)
	ListEvery time.Duration

	OfChanges, OfProcessors string // the name of an option that is only for one of the two
	Wrong                   error  // the first error of the options
}

// Apply applies options to the defaults.
func Apply[O ~func(*Options)](pageSize int32, opts []O) Options {
	s := Options{Settings: Defaults(pageSize)}
	if wrong := api.Apply(&s, opts, "an Option"); wrong != nil {
		s.Wrong = wrong
	}
	return s
}

// Refuse records an error if an option that what does not support was used.
func (o *Options) Refuse(what, option string) {
	if option != "" && o.Wrong == nil {
		o.Wrong = fmt.Errorf("the option %s is not for %s: leave it out", option, what)
	}
}

// Changes returns the settings for one process alone.
func (o *Options) Changes() feed.Settings {
	return feed.Settings{
		MaxPause: o.MaxPause, PageSize: o.PageSize, Quiet: o.Quiet, SkipDropped: o.SkipDropped,
		Once: o.Once, CaughtUp: o.CaughtUp, ListEvery: o.ListEvery,
	}
}

// Event is an event of a processor. feed.Event documents the fields.
type Event struct {
	Op, Processor, Type, Container, Lease string
	Documents                             int
	Document                              []byte
	Lag                                   int64
	Duration                              time.Duration
	Err                                   error
}

// Operations of events, apart from those of leases.
const (
	opHandle      = "handle"      // a call of the handler
	opRetry       = "retry"       // a request failed and will be sent again
	opFail        = "fail"        // the handler failed
	OpUndecodable = "undecodable" // a document does not decode
)

// Processor handles the changes of a store. It is safe for concurrent use.
type Processor struct {
	Settings
	name      string
	store     *store.Store
	container *wire.Container // of the leases

	turn  chan struct{} // a lock for ready
	ready *shared

	several []*feed.Containers // one for each type, if types have several containers; otherwise nil
	readers readers            // for several containers
	window  *window            // the container, if it is one of several
}

// shared is the state that a processor reads once.
type shared struct {
	reader *feed.Reader
	leases *lease.Container
	slots  chan struct{} // has an element for each page that is being read or handled
}

// New returns the processor with this name. It sends no request.
func New(name string, s *store.Store, leases *wire.Client, settings Settings) *Processor {
	return &Processor{
		Settings: settings, name: name, store: s, turn: make(chan struct{}, 1),
		container: &wire.Container{Client: leases, Type: s.Type, Paths: []string{"/id"}, Observe: s.Observe, Relies: lease.Relies},
	}
}

// Run handles changes until ctx ends, and then frees its leases.
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
		Whole:  sh.leases.Whole, Restore: sh.leases.Begin,
		Failed:  func(err error) { p.failed(ctx, err) },
		Changed: func(l lease.Lease, c lease.Change, err error) { p.changed(ctx, l, c, err) },
	}
	err = worker.Run(ctx)
	p.forget(sh, err)
	return p.failure(err)
}

// begin reads the containers and creates missing leases. It retries temporary errors, so
// that a process can start while the service is busy.
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

// Lag is the distance of a lease's saved progress from the end of its changes.
type Lag struct {
	Container, Lease, Owner string
	feed.Lag
}

// Lag returns the lag of each lease.
func (p *Processor) Lag(ctx context.Context) ([]Lag, error) {
	return p.LagExcept(ctx, func(string) bool { return false })
}

// LagExcept returns the lag of each lease. For leases that leaveOut selects, the lag is
// zero and costs no request. With several containers, leaveOut is ignored.
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
	leases.Restored = p.restored
	if err := leases.Check(ctx); err != nil {
		return nil, err
	}
	reader, err := feed.NewReader(ctx, p.store, feed.ReaderSettings{
		Since: p.Since, PageSize: p.PageSize, Types: p.Types, Others: p.Others, Versions: p.Versions, LeaveOut: p.undecodable,
	})
	if err != nil {
		return nil, err
	}
	p.ready = &shared{reader, leases, make(chan struct{}, p.store.Settings.Concurrency)}
	return p.ready, nil
}

func (p *Processor) refresh(ctx context.Context) (*route.Map, error) {
	_, version, err := p.store.Physical(ctx)
	if err != nil {
		return nil, err
	}
	physical, _, err := p.store.Refresh(ctx, version)
	return physical, err
}

// forget makes the next call read the container again, if err says that it was created again or
// that the leases cannot be used.
func (p *Processor) forget(sh *shared, err error) {
	if !feed.CreatedAgain(err) && !errors.Is(err, lease.ErrUnusable) {
		return
	}
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.ready == sh {
		p.ready = nil
	}
}

// monitored identifies the container whose changes are read, as leases store it.
func (p *Processor) monitored(ctx context.Context) (m lease.Monitored, err error) {
	ctx, asked := route.Asking(p.store.Marked(ctx))
	var response wire.ContainerResponse
	err = wire.Reread(ctx, func() (err error) {
		response, err = p.store.Client.Read(ctx, nil)
		return wire.ContainerAnswer(response, p.store.Client.ID(), err)
	})
	if err != nil {
		return m, err
	}
	levels := strings.Split(strings.TrimPrefix(asked.EscapedPath(), "/"), "/") // dbs, id, colls, id
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

// failure returns err as an error of the operation.
func (p *Processor) failure(err error) error {
	if err == nil {
		return nil
	}
	if own, ok := err.(*documents.Error); ok { //nolint:errorlint // one that is wrapped does not say all
		return own
	}
	return wire.NewError(Op, p.store.Type, "", "", err)
}

// failed reports an error of requests, which may join several, as one error of the
// operation.
func (p *Processor) failed(ctx context.Context, err error) {
	p.tell(ctx, Event{Op: opRetry, Err: p.failure(err)})
}

// undecodable reports a document that does not decode. It returns true if the document is
// skipped.
func (p *Processor) undecodable(ctx context.Context, document []byte, err error) (leaveOut bool) {
	return p.tell(ctx, Event{Op: OpUndecodable, Document: document, Err: err})
}

// observe reports an event of handling or of a lease.
func (p *Processor) observe(ctx context.Context, e Event) {
	e.Processor, e.Type = p.name, cmp.Or(e.Type, p.store.Type)
	if p.window != nil {
		e.Container = p.window.name
	}
	p.tell(ctx, e)
}

// changed reports a change of a lease.
func (p *Processor) changed(ctx context.Context, l lease.Lease, c lease.Change, err error) {
	p.observe(ctx, Event{Op: string(c), Container: l.Window.Container, Lease: l.Token, Err: err})
}

// restored reports a lease that was created again.
func (p *Processor) restored(ctx context.Context, l lease.Lease) {
	p.changed(ctx, l, lease.Restored, nil)
}

func (p *Processor) tell(ctx context.Context, e Event) (leaveOut bool) {
	return p.OnEvent != nil && p.OnEvent(ctx, e)
}

// newName returns a unique worker name: the host name and a random text.
func newName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return host + "-" + rand.Text()[:10]
}

// work handles the changes of one lease.
type work struct {
	*Processor
	*shared
	held *lease.Held
}

// Pauses between retries. They double up to lastPause.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 30 * time.Second
)

// run reads and handles pages until the lease is lost or divided.
func (w *work) run(ctx context.Context) error {
	l := w.held.Lease()
	part := feed.Part{Min: l.Range.Min, Max: l.Range.Max, Tag: l.Tag}
	poll, failures := min(firstPause, w.MaxPause), firstPause
	for ctx.Err() == nil {
		after, idle, err := w.page(ctx, part)
		switch {
		case errors.Is(err, lease.ErrLost) || ctx.Err() != nil:
			return err
		case w.window != nil && w.mayBeGone(err):
			if gone, why := w.gone(ctx); gone {
				return why
			}
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue
		case feed.CreatedAgain(err) || errors.Is(err, feed.ErrVersions):
			return err
		case err != nil:
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue
		case len(after) > 1:
			err := w.divide(ctx, after)
			if err == nil || errors.Is(err, lease.ErrLost) {
				return nil
			}
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue // from the same tag: the page is read again
		}
		part, failures = after[0], firstPause
		if physical, _, err := w.store.Physical(ctx); err == nil && w.leases.Merged(physical, w.held.Lease()) {
			err := w.divide(ctx, after)
			if err == nil || errors.Is(err, lease.ErrLost) {
				return nil
			}
			w.failed(ctx, err)
		}
		if w.window != nil && idle && w.rests() {
			return nil
		}
		if idle {
			poll = pause(ctx, poll, w.MaxPause)
		} else {
			poll = min(firstPause, w.MaxPause)
		}
	}
	return nil
}

// pause waits for d, and returns the next pause.
func pause(ctx context.Context, d, longest time.Duration) time.Duration {
	_ = backoff.Sleep(ctx, d) // the caller looks at ctx
	return min(2*d, longest)
}

// page reads and handles a page, and saves the progress. It returns the parts that follow.
func (w *work) page(ctx context.Context, part feed.Part) (after []feed.Part, idle bool, err error) {
	page, err := w.handled(ctx, part)
	if err != nil {
		return nil, false, err
	}
	begins := w.Versions && part.Tag == "" // a beginning of "now" must be saved, or another process would begin later
	if len(page.After) > 1 || page.Idle && !begins || page.After[0].Tag == part.Tag {
		return page.After, page.Idle, nil
	}
	return page.After, page.Idle, w.save(ctx, page.After[0].Tag)
}

// handled reads a page and handles it, in runs of one type. Slots bound the pages in
// memory.
func (w *work) handled(ctx context.Context, part feed.Part) (page feed.Page, err error) {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return page, ctx.Err()
	}
	page, err = w.reader.Next(ctx, part)
	if w.window != nil && err == nil && !page.Idle {
		err = w.wakes(ctx)
	}
	for rest := page.Items; err == nil && len(rest) > 0; {
		n := len(rest)
		if i := slices.IndexFunc(rest, func(item feed.Item) bool { return item.Kind != rest[0].Kind }); i > 0 {
			n = i
		}
		lag := page.Lag
		if lag >= 0 {
			lag += int64(len(rest) - n)
		}
		err = w.handle(ctx, rest[:n], lag)
		rest = rest[n:]
	}
	page.Items = nil
	return page, err
}

// handle calls the handler with documents of one type, until it succeeds or ctx ends.
func (w *work) handle(ctx context.Context, items []feed.Item, lag int64) error {
	event := Event{Op: opHandle, Lease: w.held.Lease().Token, Documents: len(items), Lag: lag}
	if w.Types != nil {
		event.Type = w.Types[items[0].Kind].Type
	}
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		err := w.Handle(ctx, items)
		event.Duration, event.Err = time.Since(start), err
		w.observe(ctx, event)
		if err == nil || ctx.Err() == nil && w.tell(ctx, Event{Op: opFail, Err: err}) {
			return nil
		}
	}
}

// save saves the progress, until that succeeds or the lease is lost. The next page waits,
// so that at most one page is handled again. If ctx has ended, the release of the lease
// saves the progress.
func (w *work) save(ctx context.Context, tag string) error {
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		err := w.held.Save(ctx, tag)
		if err == nil || errors.Is(err, lease.ErrLost) || ctx.Err() != nil {
			return err
		}
		w.failed(ctx, err)
	}
}

// divide replaces the lease by leases of the parts, after its physical partition was split
// or merged.
func (w *work) divide(ctx context.Context, parts []feed.Part) error {
	physical, version, err := w.store.Physical(ctx)
	if err != nil {
		return err
	}
	if !divided(physical, parts) {
		if physical, _, err = w.store.Refresh(ctx, version); err != nil { // physical is from before the split
			return err
		}
	}
	successors := make([]lease.Part, len(parts))
	for i, p := range parts {
		successors[i] = lease.Part{Range: lease.Range{Min: p.Min, Max: p.Max}, Tag: p.Tag}
	}
	others, err := w.leases.Successors(physical, successors)
	if err != nil {
		return err
	}
	return w.held.Divide(ctx, others)
}

// divided reports whether a map is from after the division: each part begins in another
// physical partition.
func divided(physical *route.Map, parts []feed.Part) bool {
	for i, p := range parts[1:] {
		if physical.Find(p.Min).ID == physical.Find(parts[i].Min).ID {
			return false
		}
	}
	return true
}

// window is one of the containers of a type with several.
type window struct {
	name, rid string
	ends      time.Time // of its period; zero if it has none
	now       func() time.Time

	reads *Processor // reads the changes of this container
	*shared

	opening bool // it is being opened, or queued for that
	open    bool // its leases exist, and reader is set
	gaps    int  // consecutive looks that found a gap
}

func (w *window) ended() bool { return !w.ends.IsZero() && !w.now().Before(w.ends) }

// wakes records that there are changes after the tag. If the stored lease says that there
// are none, wakes writes it before the changes are handled: a process that finds the
// container dropped relies on the stored lease.
func (w *work) wakes(ctx context.Context) error {
	said := w.held.Lease().Window
	before := said
	said.Changed, said.End, said.Closed = w.leases.Now(), false, time.Time{}
	w.held.Note(said)
	if !before.End && before.Closed.IsZero() {
		return nil
	}
	err := w.held.Renew(ctx)
	if err != nil {
		w.held.Note(before) // so that the next attempt writes it
	}
	return err
}

// rests is called when there are no changes after the tag. If the period of the container
// has ended, it records that the lease is at its end. It returns true if the lease closes,
// because nothing has changed for the quiet time.
func (w *work) rests() bool {
	if !w.window.ended() {
		return false
	}
	now, said := w.leases.Now(), w.held.Lease().Window
	if said.Changed.IsZero() {
		said.Changed = now
	}
	said.End = true
	closes := w.Quiet > 0 && (!said.Closed.IsZero() || now.Sub(said.Changed) >= w.Quiet)
	if closes {
		said.Closed = now
	}
	w.held.Note(said)
	return closes
}

// mayBeGone reports whether a page may have failed because the container was dropped.
func (w *work) mayBeGone(err error) bool { return feed.CreatedAgain(err) || w.store.LacksItself(err) }

// gone reports whether the container of the lease was dropped or created again. If all its
// changes were read, or the settings allow it, gone removes the lease. Otherwise it returns
// an error.
func (w *work) gone(ctx context.Context) (bool, error) {
	properties, err := w.store.Properties(w.store.Marked(ctx))
	dropped := err != nil && w.store.LacksItself(err)
	again := err == nil && properties.ResourceID != w.window.rid
	if !dropped && !again { // the container exists, or the answer is unknown
		return false, nil
	}
	if !w.SkipDropped && !w.held.Lease().Window.End {
		reason := "before its period has ended, or before all its changes were handled"
		if w.window.ends.IsZero() {
			reason = "while its changes were handled"
		}
		failure := feed.Lost(w.window.name, dropped, reason)
		failure.Op, failure.Type = Op, w.store.Type
		failure.Note = "skip its changes by feed.SkipDroppedWindows"
		return true, failure
	}
	err = w.held.Remove(ctx)
	if err == nil {
		err = w.leases.Forget(ctx)
	}
	if err != nil && !errors.Is(err, lease.ErrLost) && ctx.Err() == nil {
		w.failed(ctx, err)
	}
	return true, nil
}

// documents returns the types that p handles, as leases store them. It returns nil if the
// container has one type.
func (p *Processor) documents() []string {
	types := p.Types
	if types == nil {
		types = []*store.Store{p.store}
	}
	var all []string
	for _, s := range types {
		if d := s.Discriminator; d != nil {
			all = append(all, d.Property+"="+d.Value)
		}
	}
	slices.Sort(all)
	return all
}

// together returns an error unless all types are in the monitored container.
func (p *Processor) together(ctx context.Context, rid string) error {
	for _, s := range p.Types {
		if err := s.JoinSession(ctx, Op); err != nil {
			return err
		}
		properties, err := s.Properties(s.Marked(ctx))
		if err != nil {
			return wire.NewError(Op, s.Type, "", "", err)
		}
		if properties.ResourceID != rid {
			return fmt.Errorf("the documents of %s are in the container %q, and those of %s in %q: make a processor for each container",
				p.store.Type, p.store.Client.ID(), s.Type, properties.ID)
		}
	}
	return nil
}
