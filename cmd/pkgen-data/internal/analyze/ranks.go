package analyze

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// mostRanked is the number of documents in correlations: the standard error of rho is 1/√4096,
// 0.016.
const mostRanked = 4096

// reservoir chooses documents at random with equal probability, reproducibly (Vitter's algorithm
// R).
type reservoir struct {
	rand *rand.Rand
	seen int64
}

func newReservoir() *reservoir { return &reservoir{rand: rand.New(rand.NewPCG(1, 2))} }

// slot returns the slot of the next document, or -1 to skip it.
func (r *reservoir) slot() int {
	r.seen++
	if r.seen <= mostRanked {
		return int(r.seen - 1)
	}
	if i := r.rand.Int64N(r.seen); i < mostRanked {
		return int(i)
	}
	return -1
}

// ranked is a document in a correlation.
type ranked struct {
	has   bool // it has a key
	timed bool
	time  int64 // seconds
	order int64 // its position in the sample
	id    keyID
	key   layout.Key
}

// monotonicity returns the rank correlations of keys and of their hashes with time, or with the
// order of the sample if no document has a time.
func monotonicity(all []ranked, timed bool) (keys, hashes *float64) {
	all = slices.DeleteFunc(slices.Clone(all), func(r ranked) bool { return !r.has || timed && !r.timed })
	byTime := ranksOf(all, func(a, b ranked) int {
		if timed {
			return cmp.Compare(a.time, b.time)
		}
		return cmp.Compare(a.order, b.order)
	})
	return correlation(byTime, ranksOf(all, func(a, b ranked) int { return compareKeys(a.key, b.key) })),
		correlation(byTime, ranksOf(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.id.hi, b.id.hi), cmp.Compare(a.id.lo, b.id.lo)) }))
}

// ranksOf returns the doubled ranks of elements; equal ones share their mean.
func ranksOf[T any](all []T, compare func(a, b T) int) []int64 {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(all[a], all[b]) })
	ranks := make([]int64, len(all))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && compare(all[order[from]], all[order[to]]) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = int64(from + to - 1)
		}
		from = to
	}
	return ranks
}

// correlation returns the correlation of two lists of ranks; nil if all ranks of a list are equal.
// The sums are integers, and so the same on every machine.
func correlation(x, y []int64) *float64 {
	n := int64(len(x))
	var sx, sy, sxx, syy, sxy int64
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		sxx, syy, sxy = sxx+x[i]*x[i], syy+y[i]*y[i], sxy+x[i]*y[i]
	}
	vx, vy := n*sxx-sx*sx, n*syy-sy*sy
	if vx == 0 || vy == 0 {
		return nil
	}
	rho := float64(n*sxy-sx*sy) / (math.Sqrt(float64(vx)) * math.Sqrt(float64(vy)))
	return &rho
}

// compareKeys orders keys by their values: numbers before texts, each in its natural order.
func compareKeys(a, b layout.Key) int {
	for i := range min(a.Len(), b.Len()) {
		x, y := a.Value(i), b.Value(i)
		s, sText := x.(string)
		t, tText := y.(string)
		f, fNumber := x.(float64)
		g, gNumber := y.(float64)
		order := 0
		switch {
		case sText && tText:
			order = strings.Compare(s, t)
		case fNumber && gNumber:
			order = cmp.Compare(f, g)
		case sText != tText:
			order = -1
			if sText {
				order = 1
			}
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
