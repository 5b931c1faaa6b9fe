package documents

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Bounds of a bulk operation.
const (
	// maxWaiting is the number of items that wait in memory for others of the same document or
	// the same logical partition.
	maxWaiting = 4096

	// maxWaitingBytes is the size of the items that wait for others of the same logical
	// partition.
	maxWaitingBytes = 16 << 20

	// maxThrottled is the number of times an item is sent again after all its attempts were
	// throttled.
	maxThrottled = 10
)

// outcome is an item in progress.
type outcome[T any, K comparable, I any] struct {
	Outcome[I]
	pending[T, K]
	stored   string    // its version
	ofSource bool      // not an item, but the error of the source
	entry    api.Entry // of the item in a batch
	call               // unclear after a batch with an unclear outcome, whose error is in Err
}

// bulkRun is one run of a bulk operation. The goroutine that runs the loop reads items, hands
// them out, and yields outcomes; workers send.
type bulkRun[T any, K comparable, I any] struct {
	bulk[T, K, I]
	ctx   context.Context
	yield func(outcome[T, K, I]) bool

	busy    map[api.Place][]*outcome[T, K, I] // items that wait for a running write of their document
	waiting int                               // in busy
	held    gathered[T, K, I]
	free    []*parcel[T, K, I]  // ready to be sent
	ended   []*outcome[T, K, I] // with outcomes to yield

	pace     *backoff.Pace
	workers  sync.WaitGroup
	started  int // workers
	underWay int // parcels
	parcels  chan *parcel[T, K, I]
	done     chan *parcel[T, K, I]
}

// run sends the items of source and yields their outcomes.
func (b bulk[T, K, I]) run(ctx context.Context, source iter.Seq2[I, error], yield func(outcome[T, K, I]) bool) {
	err := b.ready(ctx)
	if source == nil && err == nil {
		err = failure.ErrNoSequence
	}
	if err != nil {
		yield(outcome[T, K, I]{Outcome: Outcome[I]{Err: b.sourceError(err)}, ofSource: true})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &bulkRun[T, K, I]{
		bulk: b, ctx: ctx, yield: yield, busy: map[api.Place][]*outcome[T, K, I]{},
		pace:    backoff.NewPace(b.most),
		parcels: make(chan *parcel[T, K, I]), done: make(chan *parcel[T, K, I]),
	}
	defer r.stop(cancel) // also if the source or the loop panics
	if r.feed(source) {
		r.finish()
	}
}

// stop cancels running requests and waits for all workers.
func (r *bulkRun[T, K, I]) stop(cancel context.CancelFunc) {
	cancel()
	close(r.parcels)
	for ; r.underWay > 0; r.underWay-- {
		<-r.done
	}
	r.workers.Wait()
}

// feed reads the source until it or the context ends. It returns false if the loop was left. It
// yields outcomes while it holds an item that is not sent: if the loop then cancels the
// context, this item has the error.
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
				item.Err = r.notSent(item.pending, item.call, err)
			}
			r.ended = append(r.ended, item)
			return true
		}
		if item.Err != nil {
			r.ended = append(r.ended, item)
			continue
		}
		r.add(item)
		for r.ctx.Err() == nil && (len(r.free) > 0 || r.isFull()) {
			if len(r.free) == 0 {
				r.flushLargest()
			}
			if !r.dispatch() && !r.await() {
				return false
			}
		}
	}
	return true
}

// add makes an item ready to be sent after earlier items of its document.
func (r *bulkRun[T, K, I]) add(item *outcome[T, K, I]) {
	queue, busy := r.busy[item.at]
	if busy {
		r.busy[item.at] = append(queue, item)
		r.waiting++
		return
	}
	r.busy[item.at] = nil
	r.release(item)
}

// finish sends all waiting items, unless the context has ended.
func (r *bulkRun[T, K, I]) finish() {
	for {
		if r.ctx.Err() == nil && len(r.free) == 0 {
			r.flushAll()
		}
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
	r.flushAll()
	var rest []*outcome[T, K, I]
	for _, p := range r.free {
		rest = append(rest, p.items...)
	}
	for _, queue := range r.busy {
		rest = append(rest, queue...)
	}
	for _, item := range rest {
		if !item.unclear {
			item.Err = r.notSent(item.pending, item.call, r.ctx.Err())
		}
	}
	r.ended = append(r.ended, rest...)
	r.emit()
}

// dispatch hands a parcel to a worker. It returns false if no parcel is ready or too many
// requests are running.
func (r *bulkRun[T, K, I]) dispatch() bool {
	if len(r.free) == 0 || r.underWay >= r.pace.Allowed() {
		return false
	}
	p := r.free[0]
	r.free = r.free[1:]
	if r.underWay == r.started {
		r.started++
		r.workers.Go(r.work)
	}
	r.underWay++
	p.round = r.pace.Begin()
	r.parcels <- p
	return true
}

func (r *bulkRun[T, K, I]) work() {
	for p := range r.parcels {
		r.process(p)
		r.done <- p
	}
}

// process sends a parcel, and again if all its attempts are throttled.
func (r *bulkRun[T, K, I]) process(p *parcel[T, K, I]) {
	var units meter.Meter
	var throttled atomic.Bool
	ctx := meter.With(r.ctx, &units)
	ctx = api.Slowing(ctx, func() { throttled.Store(true) })
	all := p.items
	for _, item := range all {
		if item.began.IsZero() {
			item.began = time.Now()
		}
	}
	for n := 1; ; n++ {
		err := r.send(ctx, p)
		if !errors.Is(err, failure.ErrThrottled) || errors.Is(err, failure.ErrUnclear) || n > maxThrottled {
			break
		}
		if err := backoff.Pause(ctx, api.FirstPause+n); err != nil {
			break
		}
	}
	for _, item := range all {
		item.RequestUnits += units.RequestUnits() / float64(len(all))
	}
	p.throttled = throttled.Load()
}

// send sends a parcel once, with its attempts, and returns the error of its items, or nil if
// p.next replaces them.
func (r *bulkRun[T, K, I]) send(ctx context.Context, p *parcel[T, K, I]) error {
	if len(p.items) > 1 {
		return r.sendBatch(ctx, p)
	}
	item := p.items[0]
	item.stored, item.Err = item.send(ctx, item.call)
	return item.Err
}

// await waits for a parcel and yields its outcomes. It returns false if the loop was left.
func (r *bulkRun[T, K, I]) await() bool {
	r.end(<-r.done)
	return r.emit()
}

// deliver yields known outcomes without waiting. It returns false if the loop was left.
func (r *bulkRun[T, K, I]) deliver() bool {
	for {
		select {
		case p := <-r.done:
			r.end(p)
		default:
			return r.emit()
		}
	}
}

// end records that a parcel has ended, and releases the next items of its documents.
func (r *bulkRun[T, K, I]) end(p *parcel[T, K, I]) {
	r.underWay--
	r.pace.End(p.round, p.throttled)
	r.free = append(r.free, p.next...)
	for _, item := range p.items {
		r.settle(item.pending, item.stored, item.Err)
		r.ended = append(r.ended, item)
		queue := r.busy[item.at]
		if len(queue) == 0 {
			delete(r.busy, item.at)
			continue
		}
		r.busy[item.at] = queue[1:]
		r.waiting--
		r.release(queue[0])
	}
}

// emit yields known outcomes. It returns false if the loop was left.
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
