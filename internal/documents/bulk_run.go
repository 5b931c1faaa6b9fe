package documents

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Bounds of a bulk operation.
const (
	// maxWaiting is how many items wait in memory for others of the same document.
	maxWaiting = 4096

	// maxThrottled is how often an item is sent again that was throttled to the end of its
	// attempts.
	maxThrottled = 10
)

// outcome is an item on its way.
type outcome[T any, K comparable, I any] struct {
	Outcome[I]
	pending[T, K]
	stored    string // its version
	ofSource  bool   // it is no item, but the error of the source
	throttled bool
	round     int // of the pace, when it was sent
}

// bulkRun is one run of a bulk operation. The goroutine that runs the loop reads items,
// hands them out, and yields outcomes; workers send.
type bulkRun[T any, K comparable, I any] struct {
	bulk[T, K, I]
	ctx   context.Context
	yield func(outcome[T, K, I]) bool

	busy    map[Place][]*outcome[T, K, I] // of documents that are under way: items that wait for them
	waiting int                           // in busy
	free    []*outcome[T, K, I]           // that may be sent
	ended   []*outcome[T, K, I]           // whose outcomes are to be yielded

	pace     pace
	workers  sync.WaitGroup
	started  int // workers
	underWay int // items
	items    chan *outcome[T, K, I]
	done     chan *outcome[T, K, I]
}

// run sends the items of source and yields them when it is known what became of them.
func (b bulk[T, K, I]) run(ctx context.Context, source iter.Seq2[I, error], yield func(outcome[T, K, I]) bool) {
	err := b.ready(ctx)
	if source == nil && err == nil {
		err = errNoSequence
	}
	if err != nil {
		yield(outcome[T, K, I]{Outcome: Outcome[I]{Err: b.sourceError(err)}, ofSource: true})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &bulkRun[T, K, I]{
		bulk: b, ctx: ctx, yield: yield, busy: map[Place][]*outcome[T, K, I]{},
		pace:  pace{most: float64(b.most), limit: float64(b.most)},
		items: make(chan *outcome[T, K, I]), done: make(chan *outcome[T, K, I]),
	}
	defer r.stop(cancel) // also if the source or the loop panics
	if r.feed(source) {
		r.finish()
	}
}

// stop cancels what is under way and waits until the last worker has left.
func (r *bulkRun[T, K, I]) stop(cancel context.CancelFunc) {
	cancel()
	close(r.items)
	for ; r.underWay > 0; r.underWay-- {
		<-r.done
	}
	r.workers.Wait()
}

// feed reads the source until it ends or the context does. It returns false if the loop
// was left. Outcomes are yielded while there is an item that is not sent: if the loop ends
// the context, this item says so.
func (r *bulkRun[T, K, I]) feed(source iter.Seq2[I, error]) bool {
	index := 0
	for given, err := range source {
		item := &outcome[T, K, I]{Outcome: Outcome[I]{Index: index, Item: given}}
		index++
		if err != nil {
			item.Err, item.ofSource = r.sourceError(err), true
			r.ended = append(r.ended, item)
			return true
		}
		item.pending = r.prepare(given)
		item.Err = item.err
		if !r.deliver() {
			return false
		}
		if err := r.ctx.Err(); err != nil {
			if item.Err == nil {
				item.Err = r.notSent(item.pending, err)
			}
			r.ended = append(r.ended, item)
			return true
		}
		if item.Err != nil {
			r.ended = append(r.ended, item)
			continue
		}
		r.add(item)
		for r.ctx.Err() == nil && (len(r.free) > 0 || r.waiting >= maxWaiting) {
			if !r.dispatch() && !r.await() {
				return false
			}
		}
	}
	return true
}

// add lets an item wait for those of its document before it.
func (r *bulkRun[T, K, I]) add(item *outcome[T, K, I]) {
	queue, busy := r.busy[item.at]
	if busy {
		r.busy[item.at] = append(queue, item)
		r.waiting++
		return
	}
	r.busy[item.at] = nil
	r.free = append(r.free, item)
}

// finish sends what waits, unless the context has ended.
func (r *bulkRun[T, K, I]) finish() {
	for {
		if r.ctx.Err() == nil && r.dispatch() {
			continue
		}
		if r.underWay == 0 {
			break
		}
		if !r.await() {
			return
		}
	}
	rest := r.free
	for _, queue := range r.busy {
		rest = append(rest, queue...)
	}
	for _, item := range rest {
		item.Err = r.notSent(item.pending, r.ctx.Err())
	}
	r.ended = append(r.ended, rest...)
	r.emit()
}

// dispatch hands an item to a worker. It returns false if there is none or no more
// requests may be under way.
func (r *bulkRun[T, K, I]) dispatch() bool {
	if len(r.free) == 0 || r.underWay >= int(r.pace.limit) {
		return false
	}
	item := r.free[0]
	r.free = r.free[1:]
	if r.underWay == r.started {
		r.started++
		r.workers.Go(r.work)
	}
	r.underWay++
	item.round = r.pace.round
	r.items <- item
	return true
}

func (r *bulkRun[T, K, I]) work() {
	for item := range r.items {
		r.process(item)
		r.done <- item
	}
}

// process sends an item, and again if it is throttled after all its attempts.
func (r *bulkRun[T, K, I]) process(item *outcome[T, K, I]) {
	var units meter.Meter
	var throttled atomic.Bool
	ctx := meter.With(r.ctx, &units)
	ctx = context.WithValue(ctx, slowKey{}, func() { throttled.Store(true) })
	for n := 1; ; n++ {
		item.stored, item.Err = item.send(ctx)
		if !errors.Is(item.Err, failure.ErrThrottled) || errors.Is(item.Err, failure.ErrUnclear) || n > maxThrottled {
			break
		}
		if err := backoff.Pause(ctx, firstPause+n); err != nil {
			break
		}
	}
	item.RequestUnits, item.throttled = units.RequestUnits(), throttled.Load()
}

// await waits for an item and yields its outcome. It returns false if the loop was left.
func (r *bulkRun[T, K, I]) await() bool {
	r.end(<-r.done)
	return r.emit()
}

// deliver yields the outcomes that are there, without waiting. It returns false if the
// loop was left.
func (r *bulkRun[T, K, I]) deliver() bool {
	for {
		select {
		case item := <-r.done:
			r.end(item)
		default:
			return r.emit()
		}
	}
}

// end notes that an item has ended, and lets the next one of its document go.
func (r *bulkRun[T, K, I]) end(item *outcome[T, K, I]) {
	r.underWay--
	r.pace.end(item.round, item.throttled)
	r.settle(item.pending, item.stored, item.Err)
	r.ended = append(r.ended, item)
	queue := r.busy[item.at]
	if len(queue) == 0 {
		delete(r.busy, item.at)
		return
	}
	r.free = append(r.free, queue[0])
	r.busy[item.at] = queue[1:]
	r.waiting--
}

// emit yields the outcomes that are known. It returns false if the loop was left.
func (r *bulkRun[T, K, I]) emit() bool {
	ended := r.ended
	r.ended = nil
	for _, item := range ended {
		if !r.yield(*item) {
			return false
		}
	}
	return true
}

// pace says how many requests of a bulk operation may be under way. It grows by one with
// as many requests as are under way, and is halved when one of them is throttled: additive
// increase, multiplicative decrease, as in the congestion control of TCP (RFC 5681).
type pace struct {
	most  float64
	limit float64 // 1 at least
	round int     // how often it was halved
}

// end notes that an item has ended that was sent in a round. Of those that were under way
// together, the first that was throttled halves the pace.
func (p *pace) end(round int, throttled bool) {
	switch {
	case !throttled:
		p.limit = min(p.most, p.limit+1/p.limit)
	case round == p.round:
		p.limit = max(1, p.limit/2)
		p.round++
	}
}
