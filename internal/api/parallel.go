package api

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// Reader reads job number i of several, such as one logical partition, and gives what it
// finds to emit, page by page. It returns as soon as emit returns false, with any error or
// none.
type Reader[R any] func(ctx context.Context, i int, emit func(page []R) bool) error

// page is what a worker gives to the loop.
type page[R any] struct {
	items []R
	err   error
	end   bool // of a job of InOrder: it has no more pages
}

// Each calls read for n jobs, concurrency of them at once, and yields what they emit as it
// comes. The first error ends all; it comes without a value. No goroutine is left when the
// loop is. Each worker waits with at most one page, so that memory is bounded by
// concurrency times the size of a page.
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

// InOrder is [Each] that yields all of one job before anything of the next. Up to
// concurrency jobs are read ahead, a page of each.
func InOrder[R any](ctx context.Context, n, concurrency int, read Reader[R]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if n == 1 {
			alone(ctx, read, yield)
			return
		}
		width := min(n, max(concurrency, 1))
		jobs := make([]chan page[R], width) // those of jobs i, i+width, …: no two are read at once
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
				select { // the loop takes the end of the job
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

// alone reads the only job, which needs no goroutine.
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

// together runs workers while the loop takes what they read, and ends them with it. The
// loop returns true if it has taken all.
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

// readInto reads a job into a channel. It returns false if no other may be read.
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

// drain yields pages until the channel is closed or a job ends. It returns false if the
// loop was left or a job has failed.
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
