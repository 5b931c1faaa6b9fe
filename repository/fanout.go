package repository

import (
	"context"
	"sync"
	"sync/atomic"
)

// batch is a page of documents on its way from a worker to the consumer.
type batch[T any] struct {
	docs []*T
	err  error
}

// fanOut queries all the logical partitions of q, several at once, and yields
// documents as they come. Documents are decoded by the workers; a worker holds
// one page, so that memory is bounded by concurrency times page size.
func (q Query[T]) fanOut(ctx context.Context, yield func(*T, error) bool) {
	workCtx, cancel := context.WithCancel(ctx)
	batches := make(chan batch[T])
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(q.source.settings.concurrency, q.keys.Len()) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(q.keys.Len()); i = next.Add(1) - 1 {
				for docs, err := range q.pages(workCtx, int(i)) {
					select {
					case batches <- batch[T]{docs, err}:
					case <-workCtx.Done():
						return
					}
					if err != nil {
						return
					}
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(batches)
	}()
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
		for _, doc := range b.docs {
			if !yield(doc, nil) {
				return
			}
		}
	}
	if err := ctx.Err(); err != nil {
		yield(nil, &Error{Op: "query", Type: q.source.typ, Err: err})
	}
}
