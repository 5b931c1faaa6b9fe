package layout

import (
	"math"
	"math/bits"
)

// EqualRange returns which of n equal ranges of effective partition keys of version 2 contains a
// key. First are the first 16 hexadecimal digits of its effective partition key, as a number: of
// its 126 bits, the first 62 decide.
func EqualRange(first uint64, n int) int {
	i, _ := bits.Mul64(first<<2, uint64(n)) // the top two bits are zero
	return int(i)
}

// ExpectedRanges returns the expected number of n equal ranges that a number of random keys hits:
// n(1-(1-1/n)^keys), and 1 for one key or less.
func ExpectedRanges(keys float64, n int) float64 {
	p := float64(n)
	if p == 1 || keys <= 1 {
		return 1
	}
	return p * (1 - math.Pow(1-1/p, keys))
}
