package kit

import (
	"sync"
)

// Concurrently calls f for each of all, n at a time.
func Concurrently[T any](all []T, n int, f func(T)) {
	var group sync.WaitGroup
	next := make(chan T)
	for range n {
		group.Go(func() {
			for one := range next {
				f(one)
			}
		})
	}
	for _, one := range all {
		next <- one
	}
	close(next)
	group.Wait()
}
