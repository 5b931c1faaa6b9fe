package simulate

import (
	"math"
	"math/rand/v2"
	"sort"
)

// exponential draws from the exponential distribution with mean 1, by comparisons of uniform
// numbers alone (von Neumann, 1951): a logarithm would differ in its last bits between machines.
// The first number of a run that falls an odd number of times is the fraction; each other run adds
// one.
func exponential(r *rand.Rand) float64 {
	for whole := 0.0; ; whole++ {
		first := r.Float64()
		last, length := first, 1
		for {
			next := r.Float64()
			if next >= last {
				break
			}
			last = next
			length++
		}
		if length%2 == 1 {
			return whole + first
		}
	}
}

// zipf draws numbers from 1 to n; number k has the weight 1/k^s.
type zipf struct{ sums []float64 }

// newZipf returns the distribution. It takes 8 bytes per number.
func newZipf(n int, s float64) *zipf {
	z := &zipf{make([]float64, n)}
	sum := 0.0
	for k := range n {
		sum += 1 / power(float64(k+1), s)
		z.sums[k] = sum
	}
	return z
}

// draw draws a number.
func (z *zipf) draw(r *rand.Rand) int {
	at := r.Float64() * z.sums[len(z.sums)-1]
	return 1 + min(len(z.sums)-1, sort.Search(len(z.sums), func(i int) bool { return z.sums[i] > at }))
}

// power returns x^s by products and square roots, which every machine rounds alike. It rounds s to
// multiples of 2^-20.
func power(x, s float64) float64 {
	whole, fraction := math.Modf(s)
	product := 1.0
	for range int(whole) {
		product *= x
	}
	root := x
	for range 20 {
		root = math.Sqrt(root)
		fraction *= 2
		if fraction >= 1 {
			fraction--
			product *= root
		}
	}
	return product
}
