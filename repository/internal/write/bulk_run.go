package write

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
		Bulk: b, ctx: ctx, yield: yield, window: newWindow(most), pace: newPace(min(b.Concurrency, maxWaiting)),
		groups: make(chan *group), done: make(chan *group),
	}
	defer r.stop(cancel) // also if the source or the loop panics
	if r.feed(source) {
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
		if item.Err != nil {
			r.ended = append(r.ended, item)
			continue
		}
		r.window.add(r.laneOf(item), item)
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
	for _, item := range r.window.rest() {
		item.Err = r.notSent(item, r.ctx.Err())
		r.ended = append(r.ended, item)
	}
	r.emit()
}

// dispatch hands a group to a worker, a complete one if it has to be. It returns
// false if there is none or no more requests may be under way.
func (r *bulkRun) dispatch(complete bool) bool {
	if r.underWay >= r.pace.allowed() {
		return false
	}
	g := r.window.take(complete)
	if g == nil {
		return false
	}
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
		r.process(g.items)
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
func (r *bulkRun) process(items []*BulkItem) {
	ctx := r.ctx
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
	case r.Looks && r.Around != nil: // each looks where it is written
		r.oneByOne(items, false)
		return
	case r.Looks:
		r.looked(items)
		return
	}
	r.together(items, r.WantsETags, 0)
}
