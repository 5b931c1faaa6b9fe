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

// Bulk is what the items of a bulk operation have in common.
type Bulk struct {
	*Writer
	Op string
	api.Bulk

	wrong  error   // why nothing can be sent
	Budget *budget // nil without a limit

	// Looks says that a look comes before each write: it reads whose document is
	// there.
	Looks bool

	// WantsETags says that the ETags of what is stored are wanted.
	WantsETags bool

	// OnStored is called for each item that was stored. It may be nil.
	OnStored func(*BulkItem)

	// Around sends a write of a tenant that may move: it calls send with a context that
	// says where the tenant lives, and again after it has moved. It is nil for others.
	Around func(ctx context.Context, send func(context.Context) error) error
}

// WriterOf returns what writes to the container of an item.
func (b *Bulk) WriterOf(i *BulkItem) *Writer {
	if i.In != nil {
		return i.In
	}
	return b.Writer
}

// NewBulk returns a bulk operation. Wrong is why nothing can be sent, nil if it can.
func NewBulk(s *Writer, op string, settings api.Bulk, wrong error) *Bulk {
	settings.Batches = settings.Batches && !settings.Transactions
	b := &Bulk{Writer: s, Op: op, Bulk: settings, wrong: wrong}
	if b.PerSecond > 0 {
		b.Budget = newBudget(b.PerSecond)
	}
	return b
}

// Refuse makes the operation send nothing, for the reason err.
func (b *Bulk) Refuse(err error) {
	if b.wrong == nil {
		b.wrong = err
	}
}

// laneOf tells apart the items that have to be stored one after the other: those
// of one document, or of one logical partition if they are to share requests.
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

// failure is an error about an item.
func (b *Bulk) failure(i *BulkItem, err error) *documents.Error {
	return b.WriterOf(i).Failed(b.Op, i.ID, i.Name, b.Op != wire.OpDelete, err)
}

// notSent is the error of an item that was not sent, or not by itself after a refused batch,
// since the context has ended.
func (b *Bulk) notSent(i *BulkItem, err error) error {
	failure := b.failure(i, err)
	if failure.Unclear = i.refused; !i.refused {
		failure.Note = "before it was sent"
	}
	return failure
}

// FailedItem returns the item for an error of the source of a bulk operation.
func (b *Bulk) FailedItem(err error) *BulkItem {
	item := &BulkItem{Err: err, SourceErr: err}
	var own *documents.Error
	if !errors.As(err, &own) {
		item.Err = &documents.Error{Op: b.Op, Type: b.Type, Err: err}
	}
	return item
}

// bulkRun is one run of a bulk operation. The goroutine that runs the loop reads
// the items, hands out groups of them and yields outcomes; workers send.
type bulkRun struct {
	*Bulk
	ctx   context.Context
	yield func(*BulkItem) bool // what became of an item

	window window
	open   *run        // of a bulk operation in transactions: the items that are being read
	ended  []*BulkItem // whose outcomes are to be yielded

	pace     *backoff.Pace
	workers  sync.WaitGroup
	started  int // workers
	underWay int // groups
	groups   chan *group
	done     chan *group
}

// BulkItem is one item on its way to the service. It is not generic, so that a program
// has the code that sends items once, and not for each document type.
type BulkItem struct {
	Given     any // a *given, or nil if the item is not the caller's
	Index     int
	SourceErr error // why the source ends, for an item that is not the caller's
	Document        // of a deletion, the place alone

	// In writes to the container of the item, if the type has several; nil means that
	// of the bulk operation.
	In *Writer

	// Unchanged is the ETag that the document must have. Empty means any. A bulk
	// operation that looks first fills it in.
	Unchanged azcore.ETag

	// Means says which document of the type is meant; see verify.
	Means func(doc any) bool

	// Send sends the item alone, which may have been sent before if repeated.
	Send func(ctx context.Context, repeated bool) (azcore.ETag, error)

	part *Operation // of the item in its transaction
	run  *run       // whose items wait as this one

	// refused says that its batch was refused in a way of which the same batch may be the
	// cause, which arrived before.
	refused bool

	// marking is the mark of a deletion within a batch, once it was made. It stays the same,
	// so that the document tells whether an earlier batch has set it.
	marking *wire.Operation

	// What became of it:
	ETag         azcore.ETag
	RequestUnits float64
	Err          error
}

// All sends the items of source and yields them when it is known what became of
// them.
func (b *Bulk) All(ctx context.Context, source iter.Seq[*BulkItem]) iter.Seq[*BulkItem] {
	return func(yield func(*BulkItem) bool) { b.Run(ctx, source, yield) }
}

// Run is one loop over all.
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
	defer end(nil) // each item has an error of its own
	ctx, cancel := context.WithCancel(ctx)
	r := &bulkRun{
		Bulk: b, ctx: ctx, yield: yield, window: newWindow(most), pace: backoff.NewPace(min(b.Concurrency, maxWaiting)),
		groups: make(chan *group), done: make(chan *group),
	}
	defer r.stop(cancel) // also if the source or the loop panics
	if r.feed(source) {
		r.closeRun()
		r.finish()
	}
}

// stop cancels what is under way and waits until the last worker has left.
func (r *bulkRun) stop(cancel context.CancelFunc) {
	cancel()
	close(r.groups)
	for ; r.underWay > 0; r.underWay-- {
		<-r.done
	}
	r.workers.Wait()
}

// feed reads the source until it ends or the context does. It returns false if
// the loop was left.
//
// Outcomes are yielded while there is an item that is not sent: if the loop ends
// the context, this item says so.
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

// finish sends what waits, unless the context has ended.
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

// dispatch hands a group to a worker, a complete one if it has to be. It returns
// false if there is none or no more requests may be under way.
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

// await waits for a group and yields its outcomes. It returns false if the loop
// was left.
func (r *bulkRun) await() bool {
	r.settle(<-r.done)
	return r.emit()
}

// deliver yields the outcomes that are there, without waiting. It returns false
// if the loop was left.
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

// settle notes that a group has ended.
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

// emit yields the outcomes that are known. It returns false if the loop was left.
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

// process sends the items of a group and notes in them what became of them.
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
	case r.Looks && r.Around != nil: // each looks where it is written
		r.oneByOne(items, false)
		return
	case r.Looks:
		r.looked(items)
		return
	}
	r.together(items, r.WantsETags, 0)
}

// maxThrottled bounds how often a bulk operation sends again what was throttled
// after the client's own retries.
const maxThrottled = 10

// throttledPause makes the pauses before that longer than those between writers
// who met.
const throttledPause = 3

// request lets send make a request for a number of operations, when the budget
// allows it, and returns what it was charged. The error says that it was not
// sent, since the context has ended.
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

// alone sends one item by itself. Unclear says that it was sent before and may
// have taken effect.
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

// givenUp is the error of an item that is not sent, or not again, since the
// context has ended.
func (r *bulkRun) givenUp(item *BulkItem, err error, before bool) error {
	if !before {
		return r.notSent(item, err)
	}
	return r.failure(item, errors.Join(item.Err, err))
}

// cool waits before something is sent again that was throttled, as long as the
// service asks for and some more.
func (r *bulkRun) cool(attempt int, err error) error {
	if err := backoff.Sleep(r.ctx, retryAfter(err)); err != nil {
		return err
	}
	return backoff.Pause(r.ctx, throttledPause+attempt)
}

// retryAfter returns how long the service asks to wait, 0 if it does not.
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

// hasStatus reports whether a request failed with a status.
func hasStatus(err error, status int) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == status
}

// isThrottled reports whether a request was throttled, also after the client's
// own retries.
func isThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }

// maxWaiting is how many items of a bulk operation wait in memory at once, for
// others of their logical partition or for one of the same document: two full
// batches for each of twenty logical partitions that take turns.
const maxWaiting = 4096

// maxWaitingBytes bounds the JSON of items that wait.
const maxWaitingBytes = 16 << 20

// bulkLane is the items that have to be stored one after the other.
type bulkLane struct {
	name    wire.Identity
	waiting []*BulkItem
	bytes   int
	full    int // how full the next request is, of wire.MaxBatchBytes
	at      int // in the heap, -1 while a group is under way
}

// group is items of a lane that are sent together. No two of a lane are under
// way at once.
type group struct {
	lane  *bulkLane
	items []*BulkItem
}

// window is the items that wait. Its lanes of which nothing is under way are in a
// heap, the fullest first, and of those the one that has waited longest.
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

// add adds an item at the end of its lane.
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

// weigh finds how full the next request of a lane is.
func (w *window) weigh(l *bulkLane) {
	l.full = min(max(len(l.waiting)*wire.MaxBatchBytes/w.most, l.bytes), wire.MaxBatchBytes)
}

// ready reports whether a group is complete.
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

// free lets the next group of a lane go.
func (w *window) free(l *bulkLane) {
	if len(l.waiting) == 0 {
		delete(w.lanes, l.name)
		return
	}
	w.weigh(l)
	heap.Push(&w.idle, l)
}

// rest returns all the items that wait, in their order.
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

// budget is a bucket into which request units flow, and out of which requests
// take them: an estimate before they are sent, and what is missing to their real
// charge afterwards. A request goes when there is no debt. A nil budget is no
// limit; others are safe for concurrent use.
type budget struct {
	perSecond float64
	turn      chan struct{} // has an element while somebody waits for units

	mu        sync.Mutex
	units     float64 // that are there, negative for a debt
	at        time.Time
	operation float64 // estimate of the charge of an operation
}

const (
	// firstEstimate is what an operation is taken to cost before one has shown it:
	// a write of 2 KB, by the 5 request units for 1 KB of "Optimize request cost in
	// Azure Cosmos DB".
	firstEstimate = 10

	// estimateWeight is what the last request counts in the estimate.
	estimateWeight = 0.2

	// savedSeconds is for how long units are saved up that nobody takes. The
	// service counts by seconds, so that it has to be much less than one.
	savedSeconds = 0.1
)

func newBudget(perSecond float64) *budget {
	return &budget{perSecond: perSecond, turn: make(chan struct{}, 1), at: time.Now(), operation: firstEstimate}
}

// reserve waits until operations may be sent and returns what it has taken for
// them, or the error of a context that ends before.
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

// take takes what operations are likely to be charged, or says how long to wait
// until the debt is paid off.
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

// settle takes what a request was charged more than was taken for it, or gives
// back what it was charged less.
func (b *budget) settle(operations int, taken, units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units += taken - units
	b.operation += estimateWeight * (units/float64(operations) - b.operation)
}

// Wait waits until the debt is paid off, or returns the error of a context that ends
// before.
func (b *budget) Wait(ctx context.Context) error {
	_, err := b.reserve(ctx, 0)
	return err
}

// Spend takes what other requests were charged.
func (b *budget) Spend(units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units -= units
}

// Reading counts what it costs to find the documents of a bulk operation, and keeps that
// within its budget: a page waits until those before it are paid for. It is safe for
// concurrent use.
type Reading struct {
	bulk    *Bulk
	charged func(units float64)
	meter   meter.Meter

	counting sync.Mutex
	counted  float64 // request units, of those of the meter
}

// NewReading returns a reading that tells a function what is charged.
func (b *Bulk) NewReading(charged func(units float64)) *Reading {
	return &Reading{bulk: b, charged: charged}
}

// Context returns a context whose requests are counted, and whose pages wait.
func (g *Reading) Context(ctx context.Context) context.Context {
	return wire.BeforePages(meter.With(ctx, &g.meter), func(ctx context.Context) error {
		g.Count()
		return g.bulk.Budget.Wait(ctx)
	})
}

// Without returns a context whose requests are not counted here, since items count them.
func (g *Reading) Without(ctx context.Context) context.Context {
	return meter.Without(ctx, &g.meter)
}

// Count takes what was charged since it was called before.
func (g *Reading) Count() {
	g.counting.Lock()
	defer g.counting.Unlock()
	units := g.meter.RequestUnits() - g.counted
	g.counted += units
	g.bulk.Budget.Spend(units)
	g.charged(units)
}

// mostOfTenant is how many items of a tenant that may move a batch has. While it moves,
// the batch has an operation more, and one more for each deletion.
const mostOfTenant = (wire.MaxBatchOperations - 1) / 2

// aloneAround sends one item by itself, of a tenant that may move.
func (r *bulkRun) aloneAround(ctx context.Context, item *BulkItem, unclear bool) error {
	return r.Around(ctx, func(ctx context.Context) (err error) {
		item.ETag, err = item.Send(ctx, unclear)
		return err
	})
}

// batchAround sends a batch of a tenant that may move.
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
