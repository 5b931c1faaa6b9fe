package chance

import (
	"slices"
	"testing"
	"time"
)

// draw draws from each function.
func draw() (out []int) {
	out = append(out, IntN(1000), int(Below(time.Hour)))
	out = append(out, Perm(20)...)
	return out
}

func TestSeed(t *testing.T) {
	end := Seed(1)
	first := draw()
	Seed(1)
	again := draw()
	Seed(2)
	other := draw()
	end()
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("seeds 1, 1 and 2: %v, %v, %v", first, again, other)
	}
	if free := draw(); slices.Equal(free, draw()) {
		t.Errorf("without a seed: twice %v", free)
	}
}

func TestPerm(t *testing.T) {
	seen := map[int]bool{}
	for range 200 {
		p := Perm(5)
		seen[p[0]] = true
		slices.Sort(p)
		if !slices.Equal(p, []int{0, 1, 2, 3, 4}) {
			t.Fatalf("got %v", p)
		}
	}
	if len(seen) != 5 {
		t.Errorf("only %v come first", seen)
	}
}

// BenchmarkIntN compares a number with one of math/rand.
func BenchmarkIntN(b *testing.B) {
	for b.Loop() {
		IntN(400)
	}
}
