package query

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// batch is a page on its way from a worker to the consumer.
type batch[R any] struct {
	items []R
	err   error
}

// reader reads one job and emits what there is in it, in one part or several.
type reader func(ctx context.Context, j job, emit func([]any) bool) error

// each calls read for each of jobs, several at once, and yields what they emit as
// it comes. Items are decoded by the workers; a worker holds one page, so that
// memory is bounded by concurrency times page size.
func (e *execution) each(ctx context.Context, jobs []job, read reader) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		if len(jobs) == 1 { // needs no goroutine
			err := read(ctx, jobs[0], func(items []any) bool {
				for _, item := range items {
					if !yield(item, nil) {
						return false
					}
				}
				return true
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(nil, err)
			}
			return
		}
		workCtx, cancel := context.WithCancel(ctx)
		batches := e.start(workCtx, jobs, read)
		defer func() {
			cancel()
			for range batches { // until the last worker has left
			}
		}()
		for b := range batches {
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			for _, item := range b.items {
				if !yield(item, nil) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, &wire.OperationError{Op: e.op, Type: e.store.Type, Err: err})
		}
	}
}

// start starts the workers. The channel is closed when the last has left.
func (e *execution) start(ctx context.Context, jobs []job, read reader) <-chan batch[any] {
	batches := make(chan batch[any])
	var workers sync.WaitGroup
	var next atomic.Int64
	send := func(b batch[any]) bool {
		select {
		case batches <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for range min(width(e.store.Settings, jobs), len(jobs)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				err := read(ctx, jobs[i], func(items []any) bool { return send(batch[any]{items: items}) })
				if err != nil {
					if !errors.Is(err, errStopped) {
						batches <- batch[any]{err: err} // each takes it, also if the context has ended
					}
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
