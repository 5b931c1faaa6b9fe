package query

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestExactSum adds numbers of very different size in any sequence and division, and
// compares with a sum of 5,000 bits.
func TestExactSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 18))
	for range 2000 {
		numbers := make([]float64, r.IntN(40))
		want := new(big.Float).SetPrec(5000)
		for i := range numbers {
			numbers[i] = (r.Float64() - 0.5) * math.Pow(2, float64(r.IntN(300)-150))
			if i > 0 && r.IntN(4) == 0 {
				numbers[i] = -numbers[r.IntN(i)]
			}
			want.Add(want, big.NewFloat(numbers[i]))
		}
		exact, _ := want.Float64()
		for range 3 {
			r.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
			parts := make([]exactSum, 1+r.IntN(4))
			for _, x := range numbers {
				parts[r.IntN(len(parts))].add(x)
			}
			var sum exactSum
			for _, p := range parts {
				sum.addAll(p)
			}
			if got := sum.value(); got != exact {
				t.Fatalf("%v: got %v, want %v", numbers, got, exact)
			}
		}
	}
	var over exactSum
	over.add(math.MaxFloat64)
	over.add(math.MaxFloat64)
	if v := over.value(); !math.IsInf(v, 0) && !math.IsNaN(v) {
		t.Errorf("twice the largest number is %v", v)
	}
}
