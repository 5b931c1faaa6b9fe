package feed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// feed is one iteration of a change feed: workers, one for each lane, that read
// pages, and the consumer that takes them.
type feed struct {
	Settings
	store     *store.Store
	container string // its RID
	since     int64
	mapped    bool // whether effective partition keys can be computed

	slots   chan struct{} // what limits the pages under way
	pages   chan page
	workers *sync.WaitGroup
	ends    ends
	renewed bool // whether the SDK was made to read the container again; in the turn of turn.FeedRanges

	types    []*store.Store                                             // of a Reader of several types; nil for that of the store alone
	versions bool                                                       // all versions and deletions are read
	others   bool                                                       // documents of none of the types are left out
	leased   bool                                                       // it is that of a Reader
	leaveOut func(ctx context.Context, document []byte, err error) bool // of a Reader; nil leaves nothing out
}

// page is a page on its way from a worker to the consumer.
type page struct {
	step
	of    *feed
	items []Item
	err   error // after the items
	lag   int64 // changes after the page, -1 if that is not known
}

// Item is a document that the change feed gives.
type Item struct {
	Doc    any
	Time   time.Time
	Passed int // how many versions of the page end with this one
	Kind   int // of the types of a Reader; 0 without these

	// Deleted says that the document is marked as deleted: Doc is as it was then.
	Deleted bool

	Version *Version // of a Reader of all versions; nil otherwise
}

func newFeed(st *store.Store, s Settings, p *Position, keyVersion int) *feed {
	return &feed{
		Settings: s, store: st, container: p.Container, since: p.Since, mapped: keyVersion == 2,
		slots: make(chan struct{}, st.Settings.Concurrency),
		pages: make(chan page), workers: new(sync.WaitGroup),
		ends: ends{reached: map[string]bool{}, news: true},
	}
}

// start starts the workers. The channel is closed when the last has left.
func (f *feed) start(ctx context.Context, lanes []lane) <-chan page {
	f.work(ctx, lanes)
	go func() {
		f.workers.Wait()
		close(f.pages)
	}()
	return f.pages
}

// work starts a worker for each lane.
func (f *feed) work(ctx context.Context, lanes []lane) {
	for _, l := range lanes {
		f.workers.Go(func() { f.follow(ctx, l) })
	}
}

// firstPoll is the first pause of a lane after a page without changes.
const firstPoll = 100 * time.Millisecond

// follow reads a lane to its present end, or without end. If the physical partition
// is split, follow waits until the page before the split is taken, goes on with one
// part, and starts workers for the others.
func (f *feed) follow(ctx context.Context, l lane) {
	pause := min(firstPoll, f.MaxPause)
	for {
		p, ok := f.deliver(ctx, l)
		if !ok || p.err != nil {
			return
		}
		for _, other := range p.after[1:] {
			f.workers.Go(func() { f.follow(ctx, other) })
		}
		l = p.after[0]
		switch {
		case !p.idle:
			pause = min(firstPoll, f.MaxPause)
		case f.Once:
			return
		default:
			if backoff.Sleep(ctx, pause-chance.Below(pause/4+1)) != nil {
				return
			}
			pause = min(2*pause, f.MaxPause)
		}
	}
}

// deliver reads a page of a lane and waits until the consumer has taken it. It
// returns false when there is no consumer any more.
func (f *feed) deliver(ctx context.Context, l lane) (page, bool) {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return page{}, false
	}
	p := f.next(ctx, l)
	p.of = f
	if ctx.Err() != nil {
		return p, false
	}
	select {
	case f.pages <- p:
		return p, true
	case <-ctx.Done():
		return p, false
	}
}

// next reads the page after a lane's tag. A request that fails for a reason that
// may pass is sent again.
func (f *feed) next(ctx context.Context, l lane) page {
	request, renewed := requester(f.request), false
	for attempt := 1; ; attempt++ {
		p, err := f.attempt(ctx, l, request)
		if errors.Is(err, ErrMadeAgain) && !renewed {
			renewed = true // it may be the SDK that does not know it yet
			if err = f.renew(ctx); err == nil {
				continue
			}
		}
		if err == nil {
			return p
		}
		failure := f.failure(err)
		if attempt == wire.MaxReads || ctx.Err() != nil || !passes(failure) || backoff.Pause(ctx, backoff.MaxAttempts) != nil {
			p.err = failure
			return p
		}
		if failure.Status == 0 {
			request = f.requestAlone
		}
	}
}

// attempt reads the page after a lane's tag. If the SDK knows already that
// the physical partition was split, attempt divides the lane without a request.
func (f *feed) attempt(ctx context.Context, l lane, request requester) (page, error) {
	p := page{step: step{lane: l}}
	parts, err := f.divide(ctx, l)
	if err != nil {
		return p, err
	}
	if len(parts) > 1 {
		p.after = parts
		return p, nil
	}
	for reads := 1; ; reads++ {
		response, err := request(ctx, l)
		if err != nil {
			return p, err
		}
		shared, err := f.shared(ctx, l, len(response.Items))
		if err != nil {
			return p, err
		}
		if shared || reads == maxMixed || !f.mixed(l, response.Items) {
			return f.page(ctx, l, &response, shared)
		}
	}
}

// maxMixed is how often a page is read that has documents of other lanes, and should
// not. The last time it is taken as it is: a document that is there again is one whose
// effective partition key the service computes in another way.
const maxMixed = 3

type requester func(context.Context, lane) (wire.ChangePage, error)

// requestAlone is request, one at a time. Where requests meet splits at the same
// time, the SDK lets some of them fail: each drops the physical partitions that
// another one is reading.
func (f *feed) requestAlone(ctx context.Context, l lane) (wire.ChangePage, error) {
	end, err := turn.FeedRanges.Take(ctx)
	if err != nil {
		return wire.ChangePage{}, err
	}
	defer end()
	return f.request(ctx, l)
}

// request reads the page after a lane's tag, once.
func (f *feed) request(ctx context.Context, l lane) (wire.ChangePage, error) {
	continuation, demanded := continuationOf(l), wire.OptionsOf(ctx)
	options := wire.FeedOptions{
		Continuation:     &continuation,
		MaxItemCount:     f.PageSize,
		PriorityLevel:    demanded.Priority,
		ThroughputBucket: demanded.Bucket,
	}
	if l.Tag == "" && f.since > 0 {
		start := time.Unix(f.since, 0)
		options.StartFrom = &start
	}
	if err := wire.BeforePage(ctx); err != nil {
		return wire.ChangePage{}, err
	}
	callCtx, done := f.store.Begin(ctx, wire.Event{Op: Op})
	response, err := f.store.Client.ReadChangeFeed(callCtx, &options)
	if err = wire.Unparsed(err); err == nil {
		property := wire.IDPath[0]
		if f.versions {
			property = metadata
		}
		err = wire.CheckFeed(response, property)
	}
	done(response.RequestCharge, err)
	return response, err
}

// renew makes the SDK read the container and its physical partitions again, unless
// another worker of the feed has done so. What the SDK has in memory stays good after a
// split, since a 410 ends it, but not after the container was deleted and made again: if
// the new one has more physical partitions, the SDK would read those with the ids of the
// old ones, and miss the others.
func (f *feed) renew(ctx context.Context) error {
	end, err := turn.FeedRanges.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	if f.renewed {
		return nil
	}
	if err := route.RenewFeedRanges(ctx, f.store.Client); err != nil {
		return err
	}
	f.renewed = true
	return nil
}

// maxLanes is how many parts of the key space an open cursor may have for each
// physical partition: more than one where several were merged. Each is polled by
// requests of its own.
const maxLanes = 4

// admit returns why a cursor is refused that divides the key space into so many
// lanes, if it is: somebody may have made it up. A cursor that is closed by a key
// is taken as it is.
func admit(ctx context.Context, s *store.Store, lanes int) (refused, err error) {
	if len(s.Settings.CursorKeys) > 0 {
		return nil, nil
	}
	for renewed := false; ; renewed = true {
		ranges, err := s.Client.ReadFeedRanges(ctx, nil)
		if err == nil {
			err = covered(newLanes(ranges), route.FirstKey, route.LastKey)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case lanes <= maxLanes*len(ranges):
			return nil, nil
		case renewed:
			return fmt.Errorf("it has %d parts, and the container %d physical partitions: begin again without a cursor, or close cursors by WithCursorKey", lanes, len(ranges)), nil
		}
		if err := route.RenewFeedRanges(ctx, s.Client); err != nil { // the SDK may know them from before a split
			return nil, err
		}
	}
}

// divide returns the parts of a lane that are in one physical partition each, as
// far as the SDK knows, which asks for these once. It would divide a lane itself,
// but fails where it finds more than eight parts ("safety cap" in azcosmos 1.5.0).
func (f *feed) divide(ctx context.Context, l lane) ([]lane, error) {
	ranges, err := f.store.Client.ReadFeedRanges(ctx, nil)
	if err != nil {
		return nil, err
	}
	var parts []lane
	for _, r := range ranges {
		part := l
		part.Min = slices.MaxFunc([]string{l.Min, r.MinInclusive}, partition.CompareEPK)
		part.Max = slices.MinFunc([]string{l.Max, r.MaxExclusive}, partition.CompareEPK)
		if partition.CompareEPK(part.Min, part.Max) < 0 {
			parts = append(parts, part)
		}
	}
	sortLanes(parts)
	return parts, covered(parts, l.Min, l.Max)
}

// shared reports whether a page of so many documents may hold others than the
// lane's, and whether that can be told: a physical partition that was merged from
// several holds the documents of several lanes, and the SDK reads all of it.
func (f *feed) shared(ctx context.Context, l lane, documents int) (bool, error) {
	if documents == 0 || !f.mapped {
		return false, nil
	}
	ranges, err := f.store.Client.ReadFeedRanges(ctx, nil)
	return slices.ContainsFunc(ranges, func(r wire.FeedRange) bool {
		return partition.CompareEPK(r.MinInclusive, l.Max) < 0 && partition.CompareEPK(l.Min, r.MaxExclusive) < 0 &&
			!route.Contains(l.Min, l.Max, route.Range{Min: r.MinInclusive, Max: r.MaxExclusive})
	}), err
}

// mixed reports whether some documents belong to other lanes, although a page is not
// shared by what the SDK knows now. Then the SDK has read a physical partition that was
// merged from several and has been split since: what it reads next is not mixed.
func (f *feed) mixed(l lane, documents [][]byte) bool {
	if !f.mapped || f.versions { // accounts that keep all versions merge nothing
		return false
	}
	return slices.ContainsFunc(documents, func(raw []byte) bool {
		epk, err := f.store.EPK(raw)
		return err == nil && !l.has(epk)
	})
}

// has reports whether a lane has an effective partition key.
func (l lane) has(epk string) bool {
	return partition.CompareEPK(epk, l.Min) >= 0 && partition.CompareEPK(epk, l.Max) < 0
}

// Op is the operation of a change feed, as errors and events name it.
const Op = "changes"

// From says where in the change feed to begin. The zero value is the beginning.
type From struct {
	Since  int64 // in seconds, 0 is the beginning
	Cursor string
}

// Settings say how a change feed is read.
type Settings struct {
	Once     bool                // until every physical partition has said that there is nothing new
	MaxPause time.Duration       // the longest pause between two polls
	PageSize int32               // 0 leaves it to the service
	CaughtUp func(cursor string) // may be nil

	// Of a type with several containers:
	Quiet       time.Duration // without changes, after which a container whose period has ended is closed; 0 closes none
	SkipDropped bool          // a container that was dropped is no error
	ListEvery   time.Duration // the pause from one list of the containers to the next; 0 is that of the polls, a second at least
}

// Read reads a change feed from a position on, and yields its items until yield
// returns false, or to the end that settings ask for. An error comes without an item,
// and is the last. Read costs a request for metadata, and one for each page.
func Read(ctx context.Context, s *store.Store, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	ctx, end := s.StartSpan(ctx, Op)
	failure := error(nil)
	defer func() { end(failure) }()
	read(ctx, s, from, settings, func(mark *Mark, item Item, err error) bool {
		failure = err
		return yield(mark, item, err)
	})
}

// read is Read within a span.
func read(ctx context.Context, s *store.Store, from From, settings Settings, yield func(*Mark, Item, error) bool) {
	failed := func(err error) { yield(nil, Item{}, err) }
	position, keyVersion, err := startOf(ctx, s, from)
	if err != nil {
		failed(err)
		return
	}
	f := newFeed(s, settings, &position, keyVersion)
	workCtx, cancel := context.WithCancel(ctx)
	pages := f.start(route.InContainer(workCtx, position.Container), position.Lanes)
	defer func() {
		cancel()
		f.workers.Wait()
	}()
	for p := range pages {
		mark := &Mark{position: position, page: p.step, keys: s.Settings.CursorKeys}
		for _, item := range p.items {
			if !yield(mark, item, nil) {
				return
			}
		}
		if p.err != nil {
			failed(p.err)
			return
		}
		position = position.advance(p.step)
		if f.ends.note(position, p.step) && settings.CaughtUp != nil {
			settings.CaughtUp(position.Cursor(s.Settings.CursorKeys))
		}
	}
	if err := ctx.Err(); err != nil {
		failed(&wire.OperationError{Op: Op, Type: s.Type, Err: err})
	}
}

// startOf returns where to begin, and the version of the container's partition
// key.
func startOf(ctx context.Context, s *store.Store, from From) (position Position, keyVersion int, err error) {
	refused := func(reason error) error {
		return &wire.OperationError{Op: Op, Type: s.Type, Kind: wire.ErrCursor, Err: reason}
	}
	position = Position{Type: s.Type, Since: from.Since}
	if from.Cursor != "" {
		if position, err = ParseCursor(s.Settings.CursorKeys, from.Cursor); err != nil {
			return position, 0, refused(err)
		}
		if position.Type != s.Type {
			return position, 0, refused(fmt.Errorf("it is of another type, %.100q", position.Type))
		}
	}
	if err := s.JoinSession(ctx, Op); err != nil {
		return position, 0, err
	}
	ctx = s.Marked(ctx)
	properties, err := s.Properties(ctx)
	if err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	keyVersion = properties.PartitionKeyDefinition.Version
	if from.Cursor != "" {
		if position.Container != properties.ResourceID {
			return position, 0, refused(cursor.ErrOtherContainer)
		}
		reason, err := admit(ctx, s, len(position.Lanes))
		switch {
		case err != nil:
			err = wire.NewContainerError(Op, s.Type, "", err)
		case reason != nil:
			err = refused(reason)
		}
		return position, keyVersion, err
	}
	position.Container = properties.ResourceID
	ranges, err := s.Client.ReadFeedRanges(ctx, nil) // old ones make up the key space as well
	if err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	position.Lanes = newLanes(ranges)
	if err := covered(position.Lanes, route.FirstKey, route.LastKey); err != nil {
		return position, 0, wire.NewContainerError(Op, s.Type, "", err)
	}
	return position, keyVersion, nil
}

// Reader reads the changes of parts of the key space, a page at a time, for callers
// that keep the positions. It is safe for concurrent use.
type Reader struct {
	feed      *feed
	single    *feed  // reads pages of one document
	container string // its RID
}

// Part is a part of the key space, and the service's ETag after which its changes go
// on; empty at the beginning.
type Part struct {
	Min, Max string
	Tag      string
}

// ReaderSettings say what a Reader reads.
type ReaderSettings struct {
	Since    int64 // in seconds, 0 is the beginning
	PageSize int32 // 0 leaves it to the service

	// Types are the stores of the document types that are read, all of one container.
	// Nil is that of the store alone. A document of none of them is an error, as one
	// that does not decode, unless Others says that it is left out.
	Types  []*store.Store
	Others bool

	// Versions has all versions and deletions read, from now on.
	Versions bool

	// LeaveOut is told of a document that does not decode, and reports whether the
	// page comes without it. Nil leaves nothing out.
	LeaveOut func(ctx context.Context, document []byte, err error) bool
}

// NewReader returns a reader of changes. It costs a request for metadata.
func NewReader(ctx context.Context, s *store.Store, settings ReaderSettings) (*Reader, error) {
	position, keyVersion, err := startOf(ctx, s, From{Since: settings.Since})
	if err != nil {
		return nil, err
	}
	r := &Reader{
		feed:      newFeed(s, Settings{PageSize: settings.PageSize}, &position, keyVersion),
		single:    newFeed(s, Settings{PageSize: 1}, &position, keyVersion),
		container: position.Container,
	}
	r.feed.leased, r.single.leased = true, true
	r.feed.leaveOut = settings.LeaveOut
	r.feed.types, r.feed.others = settings.Types, settings.Others
	r.feed.versions, r.single.versions = settings.Versions, settings.Versions
	if settings.Versions {
		_, err := r.Next(ctx, Part{Min: position.Lanes[0].Min, Max: position.Lanes[0].Max}) // whether the account can
		return r, err
	}
	return r, nil
}

// RID is that of the container.
func (r *Reader) RID() string { return r.container }

// pinned returns the context of requests of the reader.
func (r *Reader) pinned(ctx context.Context) context.Context {
	if r.feed.versions {
		return route.VersionsInContainer(ctx, r.container)
	}
	return route.InContainer(ctx, r.container)
}

// Page is the documents after a part's tag, and how the part goes on: as one, or
// divided after its physical partition was split.
type Page struct {
	Items []Item
	After []Part
	Idle  bool  // there is nothing new
	Lag   int64 // an estimate of the changes after the page, as of Lag; -1 if it is not known
}

// Next reads the page after a part's tag: one request, which is sent again if it
// fails for a reason that may pass. A document that does not decode is an error of
// the whole page, unless it is left out. The error matches ErrMadeAgain if the
// container is no more.
func (r *Reader) Next(ctx context.Context, p Part) (Page, error) {
	ctx, l := r.pinned(ctx), lane{Min: p.Min, Max: p.Max, Tag: p.Tag}
	got := r.feed.next(ctx, l)
	if got.err != nil {
		var failure *wire.OperationError
		if errors.As(got.err, &failure) {
			return Page{}, r.feed.refused(ctx, failure, l)
		}
		return Page{}, got.err
	}
	page := Page{Items: got.items, Idle: got.idle, Lag: got.lag}
	for _, l := range got.after {
		page.After = append(page.After, Part{l.Min, l.Max, l.Tag})
	}
	return page, nil
}

// Lag is how far a part's tag is from the end of its changes.
type Lag struct {
	Changes int64 // after the tag, an estimate

	// Next and Last are the log sequence numbers of the first of the changes and of the
	// service's last one; both are 0 without changes, or if the part is in several physical
	// partitions, whose numbers do not compare.
	Next, Last int64
}

// Lag estimates how many changes come after a part's tag, as the estimators of other
// SDKs do: from the first of them to the service's last one, by their log sequence
// numbers. Documents of other types count, and a transaction counts as one. So do
// writes from before a split of the physical partition, which both halves number alike,
// and after a merge those to all of it: nothing in the answers tells whose they are. It
// costs a page of one document for each physical partition that the part is in.
func (r *Reader) Lag(ctx context.Context, p Part) (Lag, error) {
	ctx = r.pinned(ctx)
	parts := []lane{{Min: p.Min, Max: p.Max, Tag: p.Tag}}
	var lag Lag
	for whole := true; len(parts) > 0; {
		within, err := r.single.divide(ctx, parts[0])
		if err != nil {
			return Lag{}, r.single.failure(err)
		}
		if len(within) > 1 {
			parts, whole = append(within, parts[1:]...), false
			continue
		}
		n, after, err := r.single.lagOf(ctx, parts[0])
		if err != nil {
			return Lag{}, r.single.refused(ctx, r.single.failure(err), parts[0])
		}
		if len(after) == 1 {
			if lag.Changes += n.Changes; whole {
				lag = n
			}
			parts = parts[1:]
			continue
		}
		whole = false
		for i := range after { // the SDK has met a split, and has read one of the halves
			after[i].Tag = parts[0].Tag
		}
		parts = append(after, parts[1:]...)
	}
	return lag, nil
}

// lagOf returns how many changes come after the tag of a lane, as one request tells, and
// the lanes that are left of it: several if its physical partition was split.
func (f *feed) lagOf(ctx context.Context, l lane) (lag Lag, after []lane, err error) {
	var response wire.ChangePage
	err = wire.Reread(ctx, func() (err error) {
		response, err = f.request(ctx, l)
		return err
	})
	if err != nil {
		return lag, nil, err
	}
	if after, err = f.after(l, &response); err != nil {
		return lag, nil, err
	}
	if response.RawResponse.StatusCode == http.StatusNotModified || len(response.Items) == 0 {
		return lag, after, nil
	}
	lag, err = f.lagAfter(&response, response.Items[0])
	lag.Changes++ // the document itself
	return lag, after, err
}

// lagAfter returns how many changes come after a document of a response, by their log
// sequence numbers; Next is that of the document.
func (f *feed) lagAfter(response *wire.ChangePage, document []byte) (Lag, error) {
	last, err := lastNumber(response.RawResponse.Header.Get("x-ms-session-token"))
	if err != nil {
		return Lag{Changes: -1}, err
	}
	path := []string{"_lsn"}
	if f.versions {
		path = []string{metadata, "lsn"}
	}
	number, err := strconv.ParseInt(string(text.ValueAt(document, path)), 10, 64)
	if err != nil {
		return Lag{Changes: -1}, errors.New("a change has no _lsn")
	}
	return Lag{max(last-number, 0), number, last}, nil
}

// lastNumber returns the log sequence number of a session token such as
// "0:-1#12#4=3" or "0:12".
func lastNumber(token string) (int64, error) {
	_, token, _ = strings.Cut(token, ":")
	fields := strings.Split(token, "#")
	number := fields[0]
	if len(fields) > 1 {
		number = fields[1]
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, wire.Broken("its session token has no log sequence number")
	}
	return n, nil
}
