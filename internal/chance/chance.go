// Package chance has random numbers that need not be secret, for pauses, orders and suffixes. A
// test may seed them to repeat a run.
package chance

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// source is a seeded source of random numbers that is safe for concurrent use.
type source struct {
	mu   sync.Mutex
	rand *rand.Rand
}

var seeded atomic.Pointer[source]

// Seed makes the whole process draw from a seed until end is called. It is for tests.
func Seed(seed uint64) (end func()) {
	seeded.Store(&source{rand: rand.New(rand.NewPCG(seed, 0))})
	return func() { seeded.Store(nil) }
}

// IntN returns a number from 0 to n-1.
func IntN(n int) int { return int(int64N(int64(n))) }

// Below returns a duration from 0 to less than d.
func Below(d time.Duration) time.Duration { return time.Duration(int64N(int64(d))) }

func int64N(n int64) int64 {
	if s := seeded.Load(); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.rand.Int64N(n)
	}
	return rand.Int64N(n)
}

// Perm returns the numbers from 0 to n-1 in random order.
func Perm(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Shuffle shuffles n elements by swap.
func Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, IntN(i+1))
	}
}
