package repository_test

import (
	cmdline "flag"
	"fmt"
	"iter"
	"testing"
)

var moreSeeds = cmdline.Uint64("seeds", 1, "how many times as many seeds tests with random input take")

// seeds gives the seeds of a test with random input: n of them, or as many times
// more as the flag says. Short tests take an eighth.
func seeds(n uint64) iter.Seq[uint64] {
	n = uint64(few(int(n), int(n+7)/8))
	return func(yield func(uint64) bool) {
		for seed := range n * *moreSeeds {
			if !yield(seed) {
				return
			}
		}
	}
}

// few is n, or less in short tests: how many rows, rounds or documents a test takes.
func few(n, short int) int {
	if testing.Short() {
		return short
	}
	return n
}

// long is for a test that short tests leave out, since others see the same sooner.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
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
