package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
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
	}
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
