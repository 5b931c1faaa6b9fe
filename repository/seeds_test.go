package repository_test

import (
	cmdline "flag"
	"iter"
)

var moreSeeds = cmdline.Uint64("seeds", 1, "how many times as many seeds tests with random input take")

// seeds gives the seeds of a test with random input: n of them, or as many times
// more as the flag says.
func seeds(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for seed := range n * *moreSeeds {
			if !yield(seed) {
				return
			}
		}
	}
}
