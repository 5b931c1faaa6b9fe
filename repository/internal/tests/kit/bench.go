package kit

import (
	"sync"
	"time"
)

const (
	BenchLatency   = 5 * time.Millisecond
	BenchDocuments = 2000
	BenchBuckets   = 400
)

// Parallel calls f for 0 to n-1, at most so many at once.
func Parallel(concurrency, n int, f func(i int) error) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	next := 0
	for range concurrency {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				failed := first != nil
				mu.Unlock()
				if i >= n || failed {
					return
				}
				if err := f(i); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}
