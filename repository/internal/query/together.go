package query

import (
	"context"
	"sync"
	"sync/atomic"
)

// Together calls work with each number below n, for at most most of them at once, and
// returns after all calls have. After an error, it ends the context of the other calls
// and returns this error.
func Together(ctx context.Context, n, most int, work func(ctx context.Context, i int) error) error {
	if n == 1 {
		return work(ctx, 0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var failure atomic.Pointer[error]
	var workers sync.WaitGroup
	for range min(n, most) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failure.Load() == nil; i = int(next.Add(1)) - 1 {
				if err := work(ctx, i); err != nil && failure.CompareAndSwap(nil, &err) {
					cancel()
				}
			}
		})
	}
	workers.Wait()
	if first := failure.Load(); first != nil {
		return *first
	}
	return nil
}
