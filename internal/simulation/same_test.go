//go:build !race

package simulation

import (
	"slices"
	"testing"
)

// TestSameHistory runs seeds twice: a seed has one history, to the byte. The race detector
// makes the order of goroutines random. So does a busy machine, now and then: the runtime takes
// the processor away from a goroutine that has had it for 10 ms of real time, which nothing turns
// off. Goroutines that are ready at the same time then draw random numbers in another order. So a
// seed has a second chance.
func TestSameHistory(t *testing.T) {
	history := func(n uint64) []string { return simulate(t, planOf(n, *steps, chosen())).Lines() }
	for n := range uint64(40) {
		a, b := history(n+1), history(n+1)
		if !slices.Equal(a, b) {
			a, b = history(n+1), history(n+1)
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
