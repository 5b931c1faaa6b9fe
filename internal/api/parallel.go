package api

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// Reader reads job number i, such as one logical partition, and passes its results to emit, one
// page at a time. Once emit returns false it must return; its error is then ignored.
type Reader[R any] func(ctx context.Context, i int, emit func(page []R) bool) error

// page is a message from a worker to the loop.
type page[R any] struct {
	items []R
	err   error
	end   bool // in InOrder: the job has no more pages
}

// Each calls read for n jobs, concurrency of them at once, and yields their results as they arrive.
// It stops at the first error, which it yields without a value. All goroutines have ended when the
// loop ends. Each worker holds at most one page, so memory is bounded by concurrency times the page
// size.
func Each[R any](ctx context.Context, n, concurrency int, read Reader[R]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if n == 1 {
			alone(ctx, read, yield)
			return
		}
		pages := make(chan page[R])
		var next atomic.Int64
		together(ctx, min(n, max(concurrency, 1)), func(ctx context.Context) {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if !readInto(ctx, pages, i, read) {
					return
				}
			}
		}, func() { close(pages) }, func() bool { return drain(pages, yield) }, yield)
	}
}

// InOrder is [Each], but yields all results of a job before those of the next. Up to concurrency
// jobs are read ahead, one page each.
func InOrder[R any](ctx context.Context, n, concurrency int, read Reader[R]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if n == 1 {
			alone(ctx, read, yield)
			return
		}
		width := min(n, max(concurrency, 1))
		jobs := make([]chan page[R], width) // one channel serves jobs i, i+width, …, of which only one is read at a time
		for i := range jobs {
			jobs[i] = make(chan page[R])
		}
		var worker atomic.Int64
		together(ctx, width, func(ctx context.Context) {
			first := int(worker.Add(1)) - 1
			for i := first; i < n && ctx.Err() == nil; i += width {
				if !readInto(ctx, jobs[first], i, read) {
					return
				}
				select { // the loop receives the end of the job
				case jobs[first] <- page[R]{end: true}:
				case <-ctx.Done():
					return
				}
			}
		}, func() {
			for _, job := range jobs {
				close(job)
			}
		}, func() bool {
			for i := range n {
				if !drain(jobs[i%width], yield) {
					return false
				}
			}
			return true
		}, yield)
	}
}

// alone reads a single job without a goroutine.
func alone[R any](ctx context.Context, read Reader[R], yield func(R, error) bool) {
	left := false
	err := read(ctx, 0, func(items []R) bool {
		for _, item := range items {
			if left = left || !yield(item, nil); left {
				return false
			}
		}
		return true
	})
	if err != nil && !left {
		var none R
		yield(none, err)
	}
}

// together runs workers while loop consumes their results, and ends them when it returns. Loop
// returns true if it has consumed everything.
func together[R any](ctx context.Context, workers int, work func(context.Context), after func(), loop func() bool, yield func(R, error) bool) {
	inner, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { work(inner) })
	}
	ended := make(chan struct{})
	go func() {
		group.Wait()
		after()
		close(ended)
	}()
	defer func() { // also if the loop panics
		cancel()
		<-ended
	}()
	if loop() && ctx.Err() != nil {
		var none R
		yield(none, ctx.Err())
	}
}

// readInto reads a job into a channel. It returns false if no other job may be read.
func readInto[R any](ctx context.Context, pages chan<- page[R], i int, read Reader[R]) bool {
	send := func(p page[R]) bool {
		select {
		case pages <- p:
			return true
		case <-ctx.Done():
			return false
		}
	}
	left := false
	err := read(ctx, i, func(items []R) bool {
		left = left || !send(page[R]{items: items})
		return !left
	})
	if err != nil && !left {
		send(page[R]{err: err})
	}
	return err == nil && !left
}

// drain yields pages until the channel is closed or the job ends. It returns false if the consumer
// stopped or the job failed.
func drain[R any](pages <-chan page[R], yield func(R, error) bool) bool {
	for p := range pages {
		if p.end {
			return true
		}
		if p.err != nil {
			var none R
			yield(none, p.err)
			return false
		}
		for _, item := range p.items {
			if !yield(item, nil) {
				return false
			}
		}
	}
	return true
}
