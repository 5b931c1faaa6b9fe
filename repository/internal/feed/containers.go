package feed

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Containers has the containers of a type. Their change feeds are read as one.
type Containers struct {
	Store *store.Store // without a container if the type has several
	one   bool         // the type has one container, whose name does not matter

	// Wrong returns an error if no request can be sent.
	Wrong func() error

	// List returns the existing containers.
	List func(ctx context.Context) ([]Listed, error)

	// In returns the store of a container.
	In func(name string) (*store.Store, error)

	// Ends returns the end of a container's period, or zero if it has none. It returns
	// false if the type has no such container.
	Ends func(name string) (time.Time, bool)

	Now func() time.Time
}

// Listed is an existing container.
type Listed struct {
	Name, RID  string
	KeyVersion int // of its partition key
}

// One returns Containers with the only container of a type.
func One(s *store.Store) *Containers {
	return &Containers{
		Store: s, one: true, Wrong: func() error { return nil }, Now: time.Now,
		List: func(ctx context.Context) ([]Listed, error) {
			if err := s.JoinSession(ctx, Op); err != nil {
				return nil, err
			}
			properties, err := s.Properties(s.Marked(ctx))
			if err != nil {
				return nil, wire.NewContainerError(Op, s.Type, "", err)
			}
			return []Listed{{RID: properties.ResourceID, KeyVersion: properties.PartitionKeyDefinition.Version}}, nil
		},
		In:   func(string) (*store.Store, error) { return s, nil },
		Ends: func(string) (time.Time, bool) { return time.Time{}, true },
	}
}

// From is the start in the change feed. The zero value is the beginning.
type From struct {
	Since  int64 // in seconds; 0 means the beginning
	Cursor string
}

// Settings configure the reading of a change feed.
type Settings struct {
	Once     bool                // stop when every physical partition has no more changes
	MaxPause time.Duration       // the longest pause between two polls
	PageSize int32               // 0 means the service's choice
	CaughtUp func(cursor string) // may be nil

	// For a type with several containers:
	Quiet       time.Duration // the time without changes after which a container whose period has ended is closed; 0 closes none
	SkipDropped bool          // a dropped container is not an error
	ListEvery   time.Duration // the pause between two lists of the containers; 0 means MaxPause, but at least a second
}

// Op names a change feed in errors and events.
const Op = "changes"

// Read reads the change feeds of containers from a position, and yields their items until
// yield returns false, or to the end that settings define. It opens containers as they
// appear, and closes quiet ones whose period has ended. An error comes last, without an
// item. Read costs a request for metadata, and one for each page.
func Read(ctx context.Context, all *Containers, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	ctx, end := all.Store.StartSpan(ctx, Op)
	failure := error(nil)
	defer func() { end(failure) }()
	work, cancel := context.WithCancel(ctx)
	r := &reading{
		Containers: all, Settings: settings, yield: yield,
		position:   positions{all.one, all.Store.Type, from.Since, []*containerPosition{}},
		containers: map[string]*container{}, feeds: map[*feed]*container{},
		slots: make(chan struct{}, all.Store.Settings.Concurrency), pages: make(chan page),
		opened: make(chan opened), lists: make(chan list), news: true,
	}
	defer func() {
		cancel()
		r.workers.Wait()
	}()
	err := r.run(work, from.Cursor)
	if ctx.Err() != nil && !r.stopped {
		err = &documents.Error{Op: Op, Type: all.Store.Type, Err: ctx.Err()}
	}
	if err != nil && !r.stopped {
		failure = err
		yield(nil, Item{}, err)
	}
}

// reading is one iteration over the containers. Only the consumer's goroutine uses its
// fields; other goroutines read pages, lists and physical partitions.
type reading struct {
	*Containers
	Settings
	yield   func(*Mark, Item, error) bool
	stopped bool // by the consumer

	position   positions
	containers map[string]*container // by name
	feeds      map[*feed]*container  // the open feeds

	slots   chan struct{} // limits the pages under way
	pages   chan page
	opened  chan opened
	lists   chan list
	workers sync.WaitGroup

	opening   int  // containers being opened
	forgotten int  // containers forgotten so far; an older list is ignored
	listing   bool // a list, or the pause before it, is under way
	news      bool // there were changes since CaughtUp was called
}

// run reads until the consumer stops, or to the end that settings define.
func (r *reading) run(ctx context.Context, cursor string) error {
	if err := r.begin(ctx, cursor); err != nil {
		return err
	}
	for {
		r.tell()
		if r.Once && r.atEnds() {
			return nil
		}
		if !r.Once && !r.listing && !r.one {
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

// begin opens the containers of the cursor, and all others that exist.
func (r *reading) begin(ctx context.Context, cursor string) error {
	if err := r.Wrong(); err != nil {
		return &documents.Error{Op: Op, Type: r.Store.Type, Err: err}
	}
	if cursor != "" {
		p, err := parsePositions(r.Store.Settings.CursorKeys, cursor, r.one)
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

// refused returns the error of a cursor.
func (r *reading) refused(reason error) error {
	return &documents.Error{Op: Op, Type: r.Store.Type, Kind: wire.ErrCursor, Err: reason}
}

// list is an answer with the existing containers.
type list struct {
	containers []Listed
	forgotten  int
	err        error
}

// minList is the shortest pause between two lists of the containers.
const minList = time.Second

func (r *reading) listLater(ctx context.Context) {
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

// compare opens new containers of a list, looks at closed ones that are due, and handles
// the ones that were dropped or created again.
func (r *reading) compare(ctx context.Context, all []Listed) error {
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

// take yields a page to the consumer.
func (r *reading) take(ctx context.Context, p page) error {
	c := r.feeds[p.of]
	if c == nil { // it was closed meanwhile; the page is read again at the next look
		return nil
	}
	mark := &Mark{all: r.position, name: c.at.Name, page: p.step, keys: r.Store.Settings.CursorKeys}
	for _, item := range p.items {
		if !r.yield(mark, item, nil) {
			r.stopped = true
			return nil
		}
	}
	if p.err != nil {
		return r.gone(ctx, c, p.err)
	}
	if len(p.versions) > 0 && !r.news {
		r.news = true
		for _, other := range r.feeds { // all must reach their ends again
			clear(other.reached)
		}
	}
	if c.note(p.step, r.Now()) {
		r.position = r.position.with(c.at)
	}
	r.closeQuiet(c)
	return nil
}

// atEnds reports whether every open container is at its end.
func (r *reading) atEnds() bool {
	for _, c := range r.feeds {
		if !c.all(c.idle) {
			return false
		}
	}
	return r.opening == 0
}

// tell calls CaughtUp if there were changes since the last call, and every container has
// reached its end since.
func (r *reading) tell() {
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

// closeQuiet closes a container whose period has ended, after the quiet time without
// changes. Another look is due after the same time.
func (r *reading) closeQuiet(c *container) {
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

func (r *reading) stop(c *container) {
	if !c.open {
		return
	}
	c.cancel()
	delete(r.feeds, c.feed)
	c.open, c.feed = false, nil
}

// newFeed returns the feed of a container. It shares slots and pages with the others.
func (r *reading) newFeed(c *container) *feed {
	p := r.position.in(c.at)
	f := newFeed(c.store, r.Settings, &p, c.keyVersion)
	f.slots, f.pages, f.workers = r.slots, r.pages, &r.workers
	return f
}

// context returns the context for requests for the changes of a container.
func (c *container) context(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(route.InContainer(c.store.Marked(ctx), c.at.RID))
}

// container is a container, and how far it was read.
type container struct {
	at         *containerPosition
	store      *store.Store
	keyVersion int
	ends       time.Time // of its period; zero if it has none
	given      bool      // from the cursor, and not opened yet

	feed    *feed // nil unless open
	cancel  context.CancelFunc
	open    bool
	idle    map[string]bool // the lanes at their ends, by Min
	reached map[string]bool // the lanes that reached their ends since CaughtUp was called
	changed time.Time       // when the last change came
	look    time.Time       // when a closed container is due for a look
}

// all reports whether set has all lanes.
func (c *container) all(set map[string]bool) bool {
	for _, l := range c.at.Lanes {
		if !set[l.Min] {
			return false
		}
	}
	return true
}

func (c *container) ended(now time.Time) bool { return !c.ends.IsZero() && !now.Before(c.ends) }

// note applies a step, and reports whether the position has changed.
func (c *container) note(s step, now time.Time) bool {
	before := c.at
	c.at = before.advance(s)
	if len(s.after) > 1 || len(s.versions) > 0 || !s.idle {
		delete(c.idle, s.lane.Min)
	}
	if len(s.versions) > 0 {
		c.changed = now
	}
	if len(s.after) > 1 {
		delete(c.reached, s.lane.Min)
	}
	if s.idle {
		c.idle[s.lane.Min], c.reached[s.lane.Min] = true, true
		c.at.End = c.at.End || c.all(c.idle)
	}
	if before.End && c.at.End && s.idle && s.lane.Tag == s.after[0].Tag && s.lane.Passed == nil {
		c.at = before // the usual poll
		return false
	}
	return true
}

// opened are the lanes of a container that was opened.
type opened struct {
	container *container
	lanes     []lane
	err       error
}

func (r *reading) openNew(ctx context.Context, l Listed) error {
	in, err := r.In(l.Name)
	if err != nil {
		return err
	}
	ends, _ := r.Ends(l.Name)
	c := &container{at: &containerPosition{Name: l.Name, RID: l.RID}, store: in, keyVersion: l.KeyVersion, ends: ends}
	r.containers[l.Name] = c
	r.open(ctx, c)
	return nil
}

// open reads the physical partitions of a container, or checks that they allow the lanes of
// a cursor.
func (r *reading) open(ctx context.Context, c *container) {
	c.open, c.feed = true, r.newFeed(c)
	c.idle, c.reached = map[string]bool{}, map[string]bool{}
	if c.at.Closed { // and without a change since
		c.changed = time.Time{}
	} else if c.changed.IsZero() {
		c.changed = r.Now()
	}
	work, cancel := c.context(ctx)
	c.cancel = cancel
	r.opening++
	lanes, given := c.at.Lanes, c.given
	c.given = false
	r.workers.Go(func() {
		o := opened{container: c, lanes: lanes}
		o.lanes, o.err = r.lanes(work, c.store, lanes, given)
		select {
		case r.opened <- o:
		case <-ctx.Done():
		}
	})
}

// lanes returns the known lanes of a container, or one for each physical partition.
func (r *reading) lanes(ctx context.Context, s *store.Store, known []lane, given bool) ([]lane, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := s.JoinSession(ctx, Op); err != nil {
		return nil, err
	}
	var lanes []lane
	var refused error
	err := wire.Reads(func(err error) bool { return passes(wire.NewContainerError(Op, s.Type, "", err)) }).Do(ctx, func() (err error) {
		lanes, refused, err = lanesOnce(ctx, s, known, given)
		return err
	})
	switch {
	case err != nil:
		return nil, wire.NewContainerError(Op, s.Type, "", err)
	case refused != nil && !r.one:
		return nil, r.refused(fmt.Errorf("of the container %q: %w", s.Client.ID(), refused))
	case refused != nil:
		return nil, r.refused(refused)
	}
	return lanes, nil
}

// lanesOnce is one attempt of lanes.
func lanesOnce(ctx context.Context, s *store.Store, known []lane, given bool) (lanes []lane, refused, err error) {
	if len(known) > 0 {
		if given {
			refused, err = admit(ctx, s, len(known))
		}
		return known, refused, err
	}
	lanes, err = wholeSpace(ctx, s)
	return lanes, nil, err
}

// wholeSpace returns a lane for each physical partition in the SDK's cache. Outdated ones
// also cover the key space.
func wholeSpace(ctx context.Context, s *store.Store) ([]lane, error) {
	ranges, err := s.Client.ReadFeedRanges(ctx, nil)
	if err != nil {
		return nil, err
	}
	lanes := newLanes(ranges)
	return lanes, covered(lanes, route.FirstKey, route.LastKey)
}

func (r *reading) start(ctx context.Context, o opened) error {
	r.opening--
	c := o.container
	if r.containers[c.at.Name] != c { // it was dropped meanwhile
		return nil
	}
	if o.err != nil {
		return r.gone(ctx, c, o.err)
	}
	if c.at.Lanes == nil {
		at := *c.at
		at.Lanes = o.lanes
		c.at = &at
		r.position = r.position.with(c.at)
		r.news = true
	}
	r.feeds[c.feed] = c
	work, cancel := c.context(ctx)
	c.cancel() // its context was for reading the lanes
	c.cancel = cancel
	c.feed.work(work, c.at.Lanes)
	return nil
}

// gone handles a container that a list lacks, or whose request failed with cause. If the
// type has one container, it returns an error. Otherwise it checks whether the container
// still exists, and returns cause if so. A dropped container is forgotten if all its
// changes were read. A container that was created again is read from its beginning.
func (r *reading) gone(ctx context.Context, c *container, cause error) error {
	switch {
	case r.one && cause == nil:
		return r.refused(cursor.ErrOtherContainer)
	case r.one, cause != nil && !c.store.LacksItself(cause) && !CreatedAgain(cause):
		return cause
	}
	properties, err := c.store.Properties(c.store.Marked(ctx))
	dropped := err != nil && c.store.LacksItself(err)
	switch {
	case dropped:
	case err != nil && cause == nil:
		return wire.NewError(Op, r.Store.Type, "", "", err)
	case err != nil, properties.ResourceID == c.at.RID:
		return cause
	}
	if c.at.Lanes != nil && !r.SkipDropped && (!c.at.End || !c.ended(r.Now())) {
		return r.lost(c, dropped)
	}
	r.stop(c)
	delete(r.containers, c.at.Name)
	r.position = r.position.without(c.at.Name)
	r.forgotten++
	r.news = true
	if dropped {
		return nil
	}
	return r.openNew(ctx, Listed{Name: c.at.Name, RID: properties.ResourceID, KeyVersion: properties.PartitionKeyDefinition.Version})
}

// Lost is the error of a container that was dropped, or deleted and created again. Reason
// completes the sentence.
func Lost(name string, dropped bool, reason string) *documents.Error {
	what := "was deleted and created again"
	if dropped {
		what = "was dropped"
	}
	return &documents.Error{Err: fmt.Errorf("the container %q %s %s", name, what, reason)}
}

// lost is the error of such a container if some changes may be unread.
func (r *reading) lost(c *container, dropped bool) error {
	reason := "before all its changes were read"
	if c.at.End {
		reason = "before its period has ended"
		if c.ends.IsZero() {
			reason = "while its changes were read"
		}
	}
	failure := Lost(c.at.Name, dropped, reason)
	failure.Op, failure.Type = Op, r.Store.Type
	failure.Note = "begin again without a cursor, or skip its changes by feed.SkipDroppedWindows"
	if c.given {
		failure.Kind = wire.ErrCursor
	}
	return failure
}
