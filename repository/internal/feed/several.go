package feed

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Several are the containers of a type that has several, whose change feeds are read as
// one. Store is of no container.
type Several struct {
	Store *store.Store

	// Wrong returns why no request is sent, nil if nothing is wrong.
	Wrong func() error

	// List returns the containers that exist.
	List func(ctx context.Context) ([]Listed, error)

	// In returns the documents of a container.
	In func(name string) (*store.Store, error)

	// Ends returns the end of the period that a container is for, the zero time if it
	// is for none. It returns false if the type has no container of this name.
	Ends func(name string) (time.Time, bool)

	Now func() time.Time
}

// Listed is a container that exists.
type Listed struct {
	Name, RID  string
	KeyVersion int // of its partition key
}

// ReadSeveral is Read over several containers. It opens containers as they appear, and
// closes those whose period has ended after they have been quiet.
func ReadSeveral(ctx context.Context, s *Several, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	ctx, end := s.Store.StartSpan(ctx, Op)
	failure := error(nil)
	defer func() { end(failure) }()
	work, cancel := context.WithCancel(ctx)
	r := &several{
		Several: s, Settings: settings, yield: yield,
		position:   severalPosition{Type: s.Store.Type, Since: from.Since, Containers: []*containerPosition{}},
		containers: map[string]*container{}, feeds: map[*feed]*container{},
		slots: make(chan struct{}, s.Store.Settings.Concurrency), pages: make(chan page),
		opened: make(chan opened), lists: make(chan list), news: true,
	}
	defer func() {
		cancel()
		r.workers.Wait()
	}()
	err := r.run(work, from.Cursor)
	if ctx.Err() != nil && !r.stopped {
		err = &wire.OperationError{Op: Op, Type: s.Store.Type, Err: ctx.Err()}
	}
	if err != nil && !r.stopped {
		failure = err
		yield(nil, Item{}, err)
	}
}

// several is one iteration over several containers. The goroutine of the consumer has
// its fields; others read pages, lists, and physical partitions.
type several struct {
	*Several
	Settings
	yield   func(*Mark, Item, error) bool
	stopped bool // by the consumer

	position   severalPosition
	containers map[string]*container // by name
	feeds      map[*feed]*container  // those that are open

	slots   chan struct{} // what limits the pages under way
	pages   chan page
	opened  chan opened
	lists   chan list
	workers sync.WaitGroup

	opening   int  // containers
	forgotten int  // containers; a list from before the last one is of no use
	listing   bool // a list is under way, or the pause before it
	news      bool // since all had come to their ends
}

// run reads until the consumer stops, or to the end that settings ask for.
func (r *several) run(ctx context.Context, cursor string) error {
	if err := r.begin(ctx, cursor); err != nil {
		return err
	}
	for {
		r.tell()
		if r.Once && r.atEnds() {
			return nil
		}
		if !r.Once && !r.listing {
			r.listLater(ctx)
		}
		var err error
		select {
		case p := <-r.pages:
			err = r.take(ctx, p)
		case o := <-r.opened:
			err = r.start(ctx, o)
		case l := <-r.lists:
			r.listing = false
			if err = l.err; err == nil && l.forgotten == r.forgotten {
				err = r.compare(ctx, l.containers)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		if err != nil || r.stopped {
			return err
		}
	}
}

// begin opens the containers of a cursor, and the others that exist.
func (r *several) begin(ctx context.Context, cursor string) error {
	if err := r.Wrong(); err != nil {
		return &wire.OperationError{Op: Op, Type: r.Store.Type, Err: err}
	}
	if cursor != "" {
		p, err := parseSeveral(r.Store.Settings.CursorKeys, cursor)
		if err == nil && p.Type != r.Store.Type {
			err = fmt.Errorf("it is of another type, %.100q", p.Type)
		}
		if err != nil {
			return r.refused(err)
		}
		r.position = p
	}
	for _, c := range r.position.Containers {
		ends, ok := r.Ends(c.Name)
		if !ok {
			return r.refused(fmt.Errorf("the type has no container %.100q", c.Name))
		}
		in, err := r.In(c.Name)
		if err != nil {
			return err
		}
		r.containers[c.Name] = &container{at: c, store: in, ends: ends, given: true}
	}
	all, err := r.List(ctx)
	if err != nil {
		return err
	}
	return r.compare(ctx, all)
}

// refused is the error of a cursor.
func (r *several) refused(reason error) error {
	return &wire.OperationError{Op: Op, Type: r.Store.Type, Kind: wire.ErrCursor, Err: reason}
}

// list are the containers that exist.
type list struct {
	containers []Listed
	forgotten  int
	err        error
}

// minList is the least pause from one list of the containers to the next.
const minList = time.Second

// listLater lists the containers after a pause.
func (r *several) listLater(ctx context.Context) {
	every, forgotten := r.ListEvery, r.forgotten
	if every == 0 {
		every = max(r.MaxPause, minList)
	}
	r.listing = true
	r.workers.Go(func() {
		if backoff.Sleep(ctx, every) != nil {
			return
		}
		l := list{forgotten: forgotten}
		l.containers, l.err = r.List(ctx)
		select {
		case r.lists <- l:
		case <-ctx.Done():
		}
	})
}

// compare opens the containers of a list that are new, looks at closed ones when it is
// time, and finds those that were dropped or made again.
func (r *several) compare(ctx context.Context, all []Listed) error {
	exists := make(map[string]string, len(all))
	for _, l := range all {
		exists[l.Name] = l.RID
	}
	for name, c := range r.containers {
		if rid := exists[name]; rid == c.at.RID {
			continue
		}
		if err := r.gone(ctx, c, nil); err != nil {
			return err
		}
	}
	now := r.Now()
	for _, l := range all {
		c := r.containers[l.Name]
		if c == nil {
			if err := r.openNew(ctx, l); err != nil {
				return err
			}
			continue
		}
		if c.at.RID == l.RID {
			c.keyVersion = l.KeyVersion
			if !c.open && !now.Before(c.look) {
				r.open(ctx, c)
			}
			r.closeQuiet(c)
		}
	}
	return nil
}

// take gives the consumer a page.
func (r *several) take(ctx context.Context, p page) error {
	c := r.feeds[p.of]
	if c == nil { // it was closed meanwhile, and the page comes again when it is looked at
		return nil
	}
	mark := &Mark{position: c.at.position(), page: p.step, keys: r.Store.Settings.CursorKeys, among: &among{r.position, c.at.Name}}
	for _, item := range p.items {
		if !r.yield(mark, item, nil) {
			r.stopped = true
			return nil
		}
	}
	if p.err != nil {
		return r.gone(ctx, c, p.err)
	}
	r.news = r.news || len(p.versions) > 0
	if c.note(p.step, r.Now()) {
		r.position = r.position.with(c.at)
	}
	r.closeQuiet(c)
	return nil
}

// atEnds reports whether each container that is open has come to its end.
func (r *several) atEnds() bool {
	for _, c := range r.feeds {
		if !c.all(c.idle) {
			return false
		}
	}
	return r.opening == 0
}

// tell calls CaughtUp when something has changed and all containers have come to their
// ends since it did so before.
func (r *several) tell() {
	if !r.news || r.opening > 0 {
		return
	}
	for _, c := range r.feeds {
		if !c.all(c.reached) {
			return
		}
	}
	r.news = false
	for _, c := range r.feeds {
		clear(c.reached)
	}
	if r.CaughtUp != nil {
		r.CaughtUp(r.position.cursor(r.Store.Settings.CursorKeys))
	}
}

// closeQuiet closes a container whose period has ended and in which nothing has changed
// for long. It is looked at again after as long.
func (r *several) closeQuiet(c *container) {
	now := r.Now()
	if r.Once || r.Quiet <= 0 || r.feeds[c.feed] != c || !c.ended(now) || now.Sub(c.changed) < r.Quiet || !c.all(c.idle) {
		return
	}
	r.stop(c)
	c.look = now.Add(r.Quiet)
	if !c.at.Closed {
		closed := *c.at
		closed.Closed = true
		c.at = &closed
		r.position = r.position.with(c.at)
	}
}

// stop ends the workers of a container.
func (r *several) stop(c *container) {
	if !c.open {
		return
	}
	c.cancel()
	delete(r.feeds, c.feed)
	c.open, c.feed = false, nil
}

// newFeed returns the feed of a container, among those of the others.
func (r *several) newFeed(c *container) *feed {
	p := c.at.position()
	p.Since = r.position.Since
	f := newFeed(c.store, r.Settings, &p, c.keyVersion)
	f.slots, f.pages, f.workers = r.slots, r.pages, &r.workers
	return f
}

// context is that of requests for the changes of a container.
func (c *container) context(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(route.InContainer(c.store.Marked(ctx), c.at.RID))
}
