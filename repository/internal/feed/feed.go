package feed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// feed is one iteration over a change feed. It has a worker for each lane, which reads
// pages, and a consumer that takes them.
type feed struct {
	Settings
	store     *store.Store
	container string // its RID
	since     int64
	mapped    bool // effective partition keys can be computed

	slots   chan struct{} // limits the pages under way
	pages   chan page
	workers *sync.WaitGroup
	renewed bool // the SDK has read the container again; guarded by the turn of turn.FeedRanges

	types    []*store.Store                                             // of a Reader of several types; nil for the store's type
	versions bool                                                       // all versions and deletions are read
	others   bool                                                       // skip documents of other types
	leased   bool                                                       // it belongs to a Reader
	leaveOut func(ctx context.Context, document []byte, err error) bool // of a Reader; nil skips nothing
}

// page is a page from a worker to the consumer.
type page struct {
	step
	of    *feed
	items []Item
	err   error // after the items
	lag   int64 // changes after the page, or -1 if unknown
}

// Item is a document from the change feed.
type Item struct {
	Doc    any
	Time   time.Time
	Passed int // the number of versions of the page up to this one
	Kind   int // index into the types of a Reader; 0 without types

	// Deleted says that the document is marked as deleted. Doc is the marked document.
	Deleted bool

	Version *Version // for a Reader of all versions; nil otherwise
}

func newFeed(st *store.Store, s Settings, p *Position, keyVersion int) *feed {
	return &feed{
		Settings: s, store: st, container: p.Container, since: p.Since, mapped: keyVersion == 2,
		slots: make(chan struct{}, st.Settings.Concurrency),
		pages: make(chan page), workers: new(sync.WaitGroup),
	}
}

func (f *feed) work(ctx context.Context, lanes []lane) {
	for _, l := range lanes {
		f.workers.Go(func() { f.follow(ctx, l) })
	}
}

// firstPoll is the first pause after a page without changes.
const firstPoll = 100 * time.Millisecond

// follow reads a lane, to its present end if Once is set. After a split it continues with
// one part, and starts workers for the others.
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

// deliver reads a page and waits until the consumer has taken it. It returns false if the
// consumer has ended.
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

// next reads the page after the lane's tag. It retries temporary failures.
func (f *feed) next(ctx context.Context, l lane) page {
	request, renewed := requester(f.request), false
	for attempt := 1; ; attempt++ {
		p, err := f.attempt(ctx, l, request)
		if errors.Is(err, ErrCreatedAgain) && !renewed {
			renewed = true // perhaps only the SDK's cache is outdated
			if err = f.renew(ctx); err == nil {
				continue
			}
		}
		if err == nil {
			return p
		}
		failure := f.failure(err)
		if !again(ctx, failure, attempt) {
			p.err = failure
			return p
		}
		if failure.Status == 0 {
			request = f.requestAlone
		}
	}
}

// again waits before the next attempt at a page, and returns false if there is none. While a
// physical partition is being split or moved, it waits as long as queries do.
func again(ctx context.Context, failure *documents.Error, attempt int) bool {
	switch {
	case ctx.Err() != nil || !passes(failure):
		return false
	case failure.Status == http.StatusGone:
		return attempt < backoff.MaxAttempts && backoff.Settle(ctx, attempt) == nil
	}
	return attempt < wire.MaxReads && backoff.Pause(ctx, backoff.MaxAttempts) == nil
}

// attempt reads the page after the lane's tag. If the SDK already has the parts of a split,
// attempt divides the lane without a request.
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

// maxMixed bounds the reads of a page that unexpectedly has documents of other lanes. The
// last read is accepted: if a document is there again, the service computes its effective
// partition key in another way.
const maxMixed = 3

type requester func(context.Context, lane) (wire.ChangePage, error)

// requestAlone is request, one at a time. When concurrent requests meet a split, the SDK
// lets some fail, because each drops the cached physical partitions that another one is
// reading.
func (f *feed) requestAlone(ctx context.Context, l lane) (wire.ChangePage, error) {
	end, err := turn.FeedRanges.Take(ctx)
	if err != nil {
		return wire.ChangePage{}, err
	}
	defer end()
	return f.request(ctx, l)
}

// request reads the page after the lane's tag once.
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

// renew makes the SDK read the container and its physical partitions again, unless another
// worker of the feed has done so. After a split the SDK renews its cache itself, because of
// a 410. After the container was deleted and created again it does not: if the new container
// has more physical partitions, the SDK would read only those with the ids of the old ones.
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

// maxLanes bounds the parts of the key space in an open cursor, for each physical
// partition. There is more than one after a merge. Each part is polled by its own requests.
const maxLanes = 4

// admit returns the reason to refuse a cursor with too many lanes, which may be forged. A
// cursor that is closed by a key is always accepted.
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
		if err := route.RenewFeedRanges(ctx, s.Client); err != nil { // the SDK's cache may be from before a split
			return nil, err
		}
	}
}

// divide splits a lane into one part for each physical partition in the SDK's cache. The
// SDK would divide a lane itself, but fails for more than eight parts ("safety cap" in
// azcosmos 1.5.0).
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

// shared reports whether a page of the lane may have documents of other lanes, and
// effective partition keys can tell. After a merge, a physical partition has the documents
// of several lanes, and the SDK reads all of it.
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

// mixed reports whether documents belong to other lanes, although the page is not shared by
// the SDK's present cache. Then the SDK has read a physical partition that was merged and
// has been split since; the next read is correct.
func (f *feed) mixed(l lane, documents [][]byte) bool {
	if !f.mapped || f.versions { // accounts that keep all versions do not merge physical partitions
		return false
	}
	return slices.ContainsFunc(documents, func(raw []byte) bool {
		epk, err := f.store.EPK(raw)
		return err == nil && !l.has(epk)
	})
}

func (l lane) has(epk string) bool {
	return partition.CompareEPK(epk, l.Min) >= 0 && partition.CompareEPK(epk, l.Max) < 0
}
