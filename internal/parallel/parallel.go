// Package parallel does things at once, within a bound.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls work with each number below n, for most of them at once, and at least for one. It
// returns after all calls have. After an error, it ends the context of the other calls, begins
// no further ones, and returns this error. It allocates nothing for each call.
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
