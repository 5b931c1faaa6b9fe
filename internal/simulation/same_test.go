//go:build !race

package simulation

import (
	"slices"
	"testing"
)

// TestSameHistory runs seeds twice: a seed has one history, to the byte. The race detector
// makes the order of goroutines random. So does a busy machine, now and then: the runtime takes
// the processor away from a goroutine that has had it for 10 ms of real time, which nothing turns
// off. Goroutines that are ready at the same time then draw random numbers in another order. So
// two of at most six runs have to be equal.
func TestSameHistory(t *testing.T) {
	history := func(n uint64) []string { return simulate(t, planOf(n, *steps, chosen())).Lines() }
	for n := range max(*seeds/5, 4) {
		a, b := history(n+1), history(n+1)
		for others := [][]string{a}; !slices.Equal(a, b) && len(others) < 5; {
			others, b = append(others, b), history(n+1)
			if i := slices.IndexFunc(others, func(h []string) bool { return slices.Equal(h, b) }); i >= 0 {
				a = others[i]
			}
		}
		if !slices.Equal(a, b) {
			i := 0
			for i < min(len(a), len(b)) && a[i] == b[i] {
				i++
			}
			t.Errorf("seed %d, %d and %d requests, the first that differ:\n%s\n%s", n+1, len(a), len(b), append(a, "")[i], append(b, "")[i])
		}
	}
}
