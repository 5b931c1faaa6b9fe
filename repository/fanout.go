package repository

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
)

// batch is a page on its way from a worker to the consumer.
type batch[R any] struct {
	items []R
	err   error
}

// all runs jobs, several at once, and yields what they read as it comes. Items
// are decoded by the workers; a worker holds one page, so that memory is bounded
// by concurrency times page size.
func (e *execution[R]) all(ctx context.Context, jobs []job) iter.Seq2[R, error] {
	var none R
	return func(yield func(R, error) bool) {
		if len(jobs) == 1 { // needs no goroutine
			err := e.read(ctx, jobs[0], func(items []R) bool {
				for _, item := range items {
					if !yield(item, nil) {
						return false
					}
				}
				return true
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(none, err)
			}
			return
		}
		workCtx, cancel := context.WithCancel(ctx)
		batches := e.start(workCtx, jobs)
		defer func() {
			cancel()
			for range batches { // until the last worker has left
			}
		}()
		for b := range batches {
			if b.err != nil {
				yield(none, b.err)
				return
			}
			for _, item := range b.items {
				if !yield(item, nil) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(none, &Error{Op: "query", Type: e.store.typ, Err: err})
		}
	}
}

// start starts the workers. The channel is closed when the last has left.
func (e *execution[R]) start(ctx context.Context, jobs []job) <-chan batch[R] {
	batches := make(chan batch[R])
	var workers sync.WaitGroup
	var next atomic.Int64
	send := func(b batch[R]) bool {
		select {
		case batches <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for range min(e.store.settings.concurrency, len(jobs)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				err := e.read(ctx, jobs[i], func(items []R) bool { return send(batch[R]{items: items}) })
				if err != nil {
					send(batch[R]{err: err})
					return
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(batches)
	}()
	return batches
}
