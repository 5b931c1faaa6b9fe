// Package parallel runs a bounded number of calls concurrently.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls work with each number below n, at most most of them concurrently, and at least one. It
// returns when all calls have returned. The first error cancels the context of the other calls,
// prevents further ones, and is returned. Each allocates nothing per call.
func Each(ctx context.Context, n, most int, work func(ctx context.Context, i int) error) error {
	if n == 1 {
		return work(ctx, 0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var failure atomic.Pointer[error]
	var workers sync.WaitGroup
	for range min(n, max(most, 1)) {
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
