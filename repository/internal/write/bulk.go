package write

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Bulk has the settings that the items of a bulk operation share.
type Bulk struct {
	*Writer
	Op string
	api.Bulk

	wrong  error   // the reason why nothing can be sent
	Budget *budget // nil without a limit

	// Looks makes each write read the stored document first, to see whose it is.
	Looks bool

	// WantsETags asks for the ETags of stored documents.
	WantsETags bool

	// OnStored is called for each item that was stored. It may be nil.
	OnStored func(*BulkItem)

	// Around sends a write of a tenant that may move: it calls send with a context that
	// says where the tenant is, and again after it has moved. It is nil for other types.
	Around func(ctx context.Context, send func(context.Context) error) error
}

// WriterOf returns the writer for the container of an item.
func (b *Bulk) WriterOf(i *BulkItem) *Writer {
	if i.In != nil {
		return i.In
	}
	return b.Writer
}

// NewBulk returns a bulk operation. If wrong is not nil, the operation sends nothing and
// fails with it.
func NewBulk(s *Writer, op string, settings api.Bulk, wrong error) *Bulk {
	settings.Batches = settings.Batches && !settings.Transactions
	b := &Bulk{Writer: s, Op: op, Bulk: settings, wrong: wrong}
	if b.PerSecond > 0 {
		b.Budget = newBudget(b.PerSecond)
	}
	return b
}

// Refuse makes the operation send nothing and fail with err.
func (b *Bulk) Refuse(err error) {
	if b.wrong == nil {
		b.wrong = err
	}
}

// laneOf returns the identity that items share if they must be stored one after the other:
// their document, or their logical partition if they may share requests.
func (b *Bulk) laneOf(i *BulkItem) wire.Identity {
	lane := wire.Identity{Partition: i.Name}
	if i.In != nil {
		lane.Partition = i.In.Client.ID() + "/" + i.Name // the name of a container has no slash
	}
	if !b.Batches && !b.Transactions {
		lane.ID = i.ID
	}
	return lane
}

func (b *Bulk) failure(i *BulkItem, err error) *documents.Error {
	return b.WriterOf(i).Failed(b.Op, i.ID, i.Name, b.Op != wire.OpDelete, err)
}

// notSent is the error of an item that was not sent because the context has ended. After a
// refused batch its outcome may be unclear.
func (b *Bulk) notSent(i *BulkItem, err error) error {
	failure := b.failure(i, err)
	if failure.Unclear = i.refused; !i.refused {
		failure.Note = "before it was sent"
	}
	return failure
}

// FailedItem returns the item that reports an error of the source.
func (b *Bulk) FailedItem(err error) *BulkItem {
	item := &BulkItem{Err: err, SourceErr: err}
	var own *documents.Error
	if !errors.As(err, &own) {
		item.Err = &documents.Error{Op: b.Op, Type: b.Type, Err: err}
	}
	return item
}

// bulkRun is one run of a bulk operation. The goroutine of the loop reads items, hands
// groups of them to workers and yields outcomes. The workers send.
type bulkRun struct {
	*Bulk
	ctx   context.Context
	yield func(*BulkItem) bool // receives items with their outcomes

	window window
	open   *run        // in transactions: the items being read
	ended  []*BulkItem // items whose outcomes are not yielded yet

	pace     *backoff.Pace
	workers  sync.WaitGroup
	started  int // workers
	underWay int // groups
	groups   chan *group
	done     chan *group
}

// BulkItem is one item of a bulk operation. It is not generic, so that a program contains
// the sending code once, not once for each type.
type BulkItem struct {
	Given     any // a *given, or nil if the caller did not pass the item
	Index     int
	SourceErr error // the error of the source, for an item that the caller did not pass
	Document        // only the place, for a deletion

	// In writes to the container of the item, if the type has several. Nil means the writer
	// of the bulk operation.
	In *Writer

	// Unchanged is the ETag that the document must have; empty means any. A bulk operation
	// that looks sets it.
	Unchanged azcore.ETag

	// Means selects among documents of the type; see verify.
	Means func(doc any) bool

	// Send sends the item alone. Repeated says that it may have been sent before.
	Send func(ctx context.Context, repeated bool) (azcore.ETag, error)

	part *Operation // of the item in its transaction
	run  *run       // the run that it is part of, or represents in the window

	// refused says that the batch of the item was refused, perhaps because its request
	// arrived twice.
	refused bool

	// marking is the mark of a deletion, made for the first batch and then kept, so that
	// the document shows whether an earlier batch set it.
	marking *wire.Operation

	// The outcome:
	ETag         azcore.ETag
	RequestUnits float64
	Err          error
}

// All sends the items of source, and yields each one with its outcome.
func (b *Bulk) All(ctx context.Context, source iter.Seq[*BulkItem]) iter.Seq[*BulkItem] {
	return func(yield func(*BulkItem) bool) { b.Run(ctx, source, yield) }
}

// Run is one loop over All.
func (b *Bulk) Run(ctx context.Context, source iter.Seq[*BulkItem], yield func(*BulkItem) bool) {
	if b.wrong != nil {
		yield(b.FailedItem(b.wrong))
		return
	}
	most := 1
	if b.Batches {
		most = wire.MaxBatchOperations
		if b.Around != nil {
			most = mostOfTenant
		}
	}
	ctx, end := b.StartSpan(ctx, "bulk "+b.Op)
	defer end(nil) // each item has its own error
	ctx, cancel := context.WithCancel(ctx)
	r := &bulkRun{
		Bulk: b, ctx: ctx, yield: yield, window: newWindow(most), pace: backoff.NewPace(min(b.Concurrency, maxWaiting)),
		groups: make(chan *group), done: make(chan *group),
	}
	defer r.stop(cancel) // even if the source or the loop panics
	if r.feed(source) {
		r.closeRun()
		r.finish()
	}
}

// stop cancels all requests and waits until the last worker has ended.
func (r *bulkRun) stop(cancel context.CancelFunc) {
	cancel()
	close(r.groups)
	for ; r.underWay > 0; r.underWay-- {
		<-r.done
	}
	r.workers.Wait()
}

// feed reads the source until it or the context ends. It returns false if the loop was
// left.
//
// It yields outcomes while it holds an item that is not sent yet. If the loop ends the
// context, this item reports it.
func (r *bulkRun) feed(source iter.Seq[*BulkItem]) bool {
	index := 0
	for item := range source {
		item.Index = index
		index++
		if !r.deliver() {
			return false
		}
		if err := r.ctx.Err(); err != nil {
			if item.Err == nil {
				item.Err = r.notSent(item, err)
			}
			r.ended = append(r.ended, item)
			return true
		}
		switch {
		case r.Transactions:
			r.gather(item)
		case item.Err != nil:
			r.ended = append(r.ended, item)
			continue
		default:
			r.window.add(r.laneOf(item), item)
		}
		for r.ctx.Err() == nil && (r.window.ready() || r.window.crowded()) {
			if !r.dispatch(!r.window.crowded()) && !r.await() {
				return false
			}
		}
	}
	return true
}

// finish sends the waiting items, unless the context has ended.
func (r *bulkRun) finish() {
	for {
		if r.ctx.Err() == nil && r.dispatch(false) {
			continue
		}
		if r.underWay == 0 {
			break
		}
		if !r.await() {
			return
		}
	}
	for _, item := range unfolded(r.window.rest()) {
		item.Err = r.notSent(item, r.ctx.Err())
		r.ended = append(r.ended, item)
	}
	r.emit()
}

// dispatch hands a group to a worker. If complete is set, it takes only a complete group.
// It returns false if there is no group, or too many requests are under way.
func (r *bulkRun) dispatch(complete bool) bool {
	if r.underWay >= r.pace.Allowed() {
		return false
	}
	g := r.window.take(complete)
	if g == nil {
		return false
	}
	g.items = unfolded(g.items)
	if r.underWay == r.started {
		r.started++
		r.workers.Go(r.work)
	}
	r.underWay++
	r.groups <- g
	return true
}

func (r *bulkRun) work() {
	for g := range r.groups {
		r.process(g)
		r.done <- g
	}
}

// await waits for a group and yields its outcomes. It returns false if the loop was left.
func (r *bulkRun) await() bool {
	r.settle(<-r.done)
	return r.emit()
}

// deliver yields known outcomes without waiting. It returns false if the loop was left.
func (r *bulkRun) deliver() bool {
	for {
		select {
		case g := <-r.done:
			r.settle(g)
		default:
			return r.emit()
		}
	}
}

// settle records that a group has ended.
func (r *bulkRun) settle(g *group) {
	r.underWay--
	r.window.free(g.lane)
	for _, item := range g.items {
		if item.Err == nil && r.OnStored != nil {
			r.OnStored(item)
		}
	}
	r.ended = append(r.ended, g.items...)
}

// emit yields known outcomes. It returns false if the loop was left.
func (r *bulkRun) emit() bool {
	ended := r.ended
	r.ended = nil
	for _, item := range ended {
		if !r.yield(item) {
			return false
		}
	}
	return true
}

// process sends the items of a group and sets their outcomes.
func (r *bulkRun) process(g *group) {
	ctx, items := r.ctx, g.items
	if r.Around != nil {
		ctx = wire.WithStay(ctx, &wire.Stay{Client: r.Client}) // Around says where it is, for each request
	}
	if err := r.WriterOf(items[0]).JoinSession(ctx, r.Op); err != nil {
		for _, item := range items {
			item.Err = err
		}
		return
	}
	switch {
	case r.Transactions:
		r.transact(items[0].run)
		return
	case r.Looks && r.Around != nil: // each reads where it is written
		r.oneByOne(items, false)
		return
	case r.Looks:
		r.looked(items)
		return
	}
	r.together(items, r.WantsETags, 0)
}

// maxThrottled bounds the resends of a throttled request, after the client's own retries.
const maxThrottled = 10

// throttledPause makes the pauses after throttling longer than those between competing
// writers.
const throttledPause = 3

// request waits for the budget, calls send for a number of operations, and returns their
// charge. An error means that send was not called because the context has ended.
func (r *bulkRun) request(operations int, send func(context.Context)) (units float64, err error) {
	reserved, err := r.Budget.reserve(r.ctx, operations)
	if err != nil {
		return 0, err
	}
	var m meter.Meter
	round := r.pace.Begin()
	send(meter.With(r.ctx, &m))
	r.pace.End(round, m.Throttled())
	units = m.RequestUnits()
	r.Budget.settle(operations, reserved, units)
	return units, nil
}

// alone sends one item. Unclear says that it was sent before and may have taken effect.
func (r *bulkRun) alone(item *BulkItem, unclear bool) {
	for attempt := 1; ; attempt++ {
		units, err := r.request(1, func(ctx context.Context) {
			if r.Around != nil {
				item.Err = r.aloneAround(ctx, item, unclear)
				return
			}
			item.ETag, item.Err = item.Send(ctx, unclear)
		})
		item.RequestUnits += units
		if err != nil {
			item.Err = r.givenUp(item, err, attempt > 1 || unclear)
			break
		}
		unclear = unclear || errors.Is(item.Err, wire.ErrUnclear)
		if !errors.Is(item.Err, wire.ErrThrottled) || attempt > maxThrottled {
			break
		}
		if err := r.cool(attempt, item.Err); err != nil {
			item.Err = r.givenUp(item, err, true)
			break
		}
	}
	if item.marking != nil && errors.Is(item.Err, wire.ErrDeleted) && r.isMarked(item) {
		item.Err = nil
	}
	item.Err = wire.StillUnclear(item.Err, unclear)
}

// givenUp is the error of an item that is not sent, or not sent again, because the context
// has ended.
func (r *bulkRun) givenUp(item *BulkItem, err error, before bool) error {
	if !before {
		return r.notSent(item, err)
	}
	return r.failure(item, errors.Join(item.Err, err))
}

// cool waits after throttling: as long as the service asks, and some more.
func (r *bulkRun) cool(attempt int, err error) error {
	if err := backoff.Sleep(r.ctx, retryAfter(err)); err != nil {
		return err
	}
	return backoff.Pause(r.ctx, throttledPause+attempt)
}

// retryAfter returns the pause that the service asks for, or 0.
func retryAfter(err error) time.Duration {
	var response *azcore.ResponseError
	if !errors.As(err, &response) || response.RawResponse == nil {
		return 0
	}
	ms, err := strconv.Atoi(response.RawResponse.Header.Get("x-ms-retry-after-ms"))
	if err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

func hasStatus(err error, status int) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == status
}

// isThrottled reports whether a request was still throttled after the client's own retries.
func isThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }

// maxWaiting bounds the items that wait in memory for others of their logical partition, or
// for one of the same document: two full batches for each of twenty logical partitions in
// turn.
const maxWaiting = 4096

// maxWaitingBytes bounds the JSON of waiting items.
const maxWaitingBytes = 16 << 20

// bulkLane has items that must be stored one after the other.
type bulkLane struct {
	name    wire.Identity
	waiting []*BulkItem
	bytes   int
	full    int // how full the next request is, up to wire.MaxBatchBytes
	at      int // index in the heap, -1 while a group is under way
}

// group has items of a lane that are sent together. A lane has at most one group under way.
type group struct {
	lane  *bulkLane
	items []*BulkItem
}

// window has the waiting items. Its idle lanes are in a heap, the fullest first, and among
// equals the one that has waited longest.
type window struct {
	most  int // items in a group
	lanes map[wire.Identity]*bulkLane
	idle  lanes
	items int
	bytes int
}

func newWindow(most int) window {
	return window{most: most, lanes: map[wire.Identity]*bulkLane{}}
}

// size returns about how many bytes an item adds to a batch.
func (i *BulkItem) size() int {
	if i.run != nil {
		return i.run.bytes
	}
	o := wire.Operation{ID: i.ID, Body: i.Body}
	return o.Size()
}

func (w *window) add(name wire.Identity, item *BulkItem) {
	l, known := w.lanes[name]
	if !known {
		l = &bulkLane{name: name}
		w.lanes[name] = l
	}
	l.waiting = append(l.waiting, item)
	l.bytes += item.size()
	w.items++
	w.bytes += item.size()
	w.weigh(l)
	switch {
	case !known:
		heap.Push(&w.idle, l)
	case l.at >= 0:
		heap.Fix(&w.idle, l.at)
	}
}

// weigh computes how full the next request of a lane is.
func (w *window) weigh(l *bulkLane) {
	l.full = min(max(len(l.waiting)*wire.MaxBatchBytes/w.most, l.bytes), wire.MaxBatchBytes)
}

func (w *window) ready() bool { return len(w.idle) > 0 && w.idle[0].full == wire.MaxBatchBytes }

// crowded reports whether enough items wait that an incomplete group must be sent.
func (w *window) crowded() bool { return w.items >= maxWaiting || w.bytes >= maxWaitingBytes }

// take returns the fullest group, or nil if there is no group. If complete is set, it
// returns complete groups only.
func (w *window) take(complete bool) *group {
	if len(w.idle) == 0 || complete && !w.ready() {
		return nil
	}
	l := heap.Pop(&w.idle).(*bulkLane)
	n, bytes := 0, 0
	for n < min(w.most, len(l.waiting)) {
		size := l.waiting[n].size()
		if n > 0 && bytes+size > wire.MaxBatchBytes {
			break
		}
		n++
		bytes += size
	}
	g := &group{l, l.waiting[:n:n]}
	l.waiting = l.waiting[n:]
	l.bytes -= bytes
	w.items -= n
	w.bytes -= bytes
	return g
}

// free makes a lane idle again, or removes it if it is empty.
func (w *window) free(l *bulkLane) {
	if len(l.waiting) == 0 {
		delete(w.lanes, l.name)
		return
	}
	w.weigh(l)
	heap.Push(&w.idle, l)
}

// rest returns all waiting items in their order.
func (w *window) rest() []*BulkItem {
	all := make([]*BulkItem, 0, w.items)
	for _, l := range w.lanes {
		all = append(all, l.waiting...)
	}
	slices.SortFunc(all, func(a, b *BulkItem) int { return cmp.Compare(a.Index, b.Index) })
	return all
}

// lanes implements heap.Interface.
type lanes []*bulkLane

func (h lanes) Len() int { return len(h) }

func (h lanes) Less(i, j int) bool {
	if h[i].full != h[j].full {
		return h[i].full > h[j].full
	}
	return h[i].waiting[0].Index < h[j].waiting[0].Index
}

func (h lanes) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

func (h *lanes) Push(l any) {
	l.(*bulkLane).at = len(*h)
	*h = append(*h, l.(*bulkLane))
}

func (h *lanes) Pop() any {
	last := len(*h) - 1
	l := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	l.at = -1
	return l
}

// budget is a token bucket of request units. A request takes an estimate before it is sent,
// and settles the difference to its charge afterwards. It waits while there is a debt. A
// nil budget is no limit. It is safe for concurrent use.
type budget struct {
	perSecond float64
	turn      chan struct{} // has an element while a request waits for units

	mu        sync.Mutex
	units     float64 // negative for a debt
	at        time.Time
	operation float64 // estimated charge of one operation
}

const (
	// firstEstimate is the estimate before the first charge: a write of 2 KB, at 5 request
	// units for 1 KB by "Optimize request cost in Azure Cosmos DB".
	firstEstimate = 10

	// estimateWeight is the weight of the last request in the estimate.
	estimateWeight = 0.2

	// savedSeconds bounds how long unused units are saved. The service counts by seconds,
	// so it must be much less than one.
	savedSeconds = 0.1
)

func newBudget(perSecond float64) *budget {
	return &budget{perSecond: perSecond, turn: make(chan struct{}, 1), at: time.Now(), operation: firstEstimate}
}

// reserve waits until operations may be sent and returns the units taken for them, or the
// error of ctx.
func (b *budget) reserve(ctx context.Context, operations int) (taken float64, err error) {
	if b == nil {
		return 0, ctx.Err()
	}
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		taken, wait := b.take(time.Now(), operations)
		if wait == 0 {
			return taken, nil
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

// take takes the estimated charge of operations, or returns how long to wait until the debt
// is paid.
func (b *budget) take(now time.Time, operations int) (taken float64, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	passed := now.Sub(b.at).Seconds()
	b.at = now
	b.units = min(b.units+passed*b.perSecond, savedSeconds*b.perSecond)
	if b.units < 0 {
		return 0, max(time.Duration(-b.units/b.perSecond*float64(time.Second)), time.Millisecond)
	}
	taken = b.operation * float64(operations)
	b.units -= taken
	return taken, 0
}

// settle takes or returns the difference between the charge and the estimate.
func (b *budget) settle(operations int, taken, units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units += taken - units
	b.operation += estimateWeight * (units/float64(operations) - b.operation)
}

// Wait waits until the debt is paid, or returns the error of ctx.
func (b *budget) Wait(ctx context.Context) error {
	_, err := b.reserve(ctx, 0)
	return err
}

// Spend takes the charge of other requests.
func (b *budget) Spend(units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units -= units
}

// Reading charges the reads that find the documents of a bulk operation to its budget: a
// page waits until earlier pages are paid for. It is safe for concurrent use.
type Reading struct {
	bulk    *Bulk
	charged func(units float64)
	meter   meter.Meter

	counting sync.Mutex
	counted  float64 // request units of the meter that were counted already
}

// NewReading returns a Reading that calls charged for each charge.
func (b *Bulk) NewReading(charged func(units float64)) *Reading {
	return &Reading{bulk: b, charged: charged}
}

// Context returns a context that counts requests and delays pages.
func (g *Reading) Context(ctx context.Context) context.Context {
	return wire.BeforePages(meter.With(ctx, &g.meter), func(ctx context.Context) error {
		g.Count()
		return g.bulk.Budget.Wait(ctx)
	})
}

// Without returns a context whose requests are not counted here because items count them.
func (g *Reading) Without(ctx context.Context) context.Context {
	return meter.Without(ctx, &g.meter)
}

// Count takes the charges since the last call.
func (g *Reading) Count() {
	g.counting.Lock()
	defer g.counting.Unlock()
	units := g.meter.RequestUnits() - g.counted
	g.counted += units
	g.bulk.Budget.Spend(units)
	g.charged(units)
}

// mostOfTenant bounds a batch of a tenant that may move. While the tenant moves, a batch
// gets one more operation, and another for each deletion.
const mostOfTenant = (wire.MaxBatchOperations - 1) / 2

// aloneAround sends one item of a tenant that may move.
func (r *bulkRun) aloneAround(ctx context.Context, item *BulkItem, unclear bool) error {
	return r.Around(ctx, func(ctx context.Context) (err error) {
		item.ETag, err = item.Send(ctx, unclear)
		return err
	})
}

func (r *bulkRun) batchAround(ctx context.Context, a *answer, first *BulkItem, operations []wire.Operation, full bool) {
	a.err = r.Around(ctx, func(ctx context.Context) (err error) {
		a.results, a.committed, err = r.WriterOf(first).SendBatch(ctx, r.Op, first.Place, operations, full)
		return err
	})
	if a.err != nil {
		a.results, a.committed = nil, false
		a.unclear = a.unclear || errors.Is(a.err, wire.ErrUnclear)
	}
}
