package repository_test

import (
	cmdline "flag"
	"fmt"
	"iter"
	"testing"
)

var moreSeeds = cmdline.Uint64("seeds", 1, "how many times as many seeds tests with random input take")

// seeds gives the seeds of a test with random input: n of them, or as many times
// more as the flag says. Short tests take a quarter.
func seeds(n uint64) iter.Seq[uint64] {
	if testing.Short() {
		n = (n + 3) / 4
	}
	return func(yield func(uint64) bool) {
		for seed := range n * *moreSeeds {
			if !yield(seed) {
				return
			}
		}
	}
}

// inSeeds runs a test with n seeds, several at once, and finds nothing of them
// that is left running.
func inSeeds(t *testing.T, n uint64, test func(t *testing.T, seed uint64)) {
	t.Helper()
	t.Run("seed", func(t *testing.T) {
		for seed := range seeds(n) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				test(t, seed)
			})
		}
	})
	settle(t)
}
