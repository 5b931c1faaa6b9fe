//go:build !race

package simulation

import (
	"slices"
	"testing"
)

// TestSameHistory runs seeds twice: a seed has one history, to the byte. The race detector
// makes the order of goroutines random.
func TestSameHistory(t *testing.T) {
	for n := range uint64(40) {
		a, b := simulate(t, planOf(n+1, *steps, nil)).Lines(), simulate(t, planOf(n+1, *steps, nil)).Lines()
		if !slices.Equal(a, b) {
			i := 0
			for i < min(len(a), len(b)) && a[i] == b[i] {
				i++
			}
			t.Errorf("seed %d, %d and %d requests, the first that differ:\n%s\n%s", n+1, len(a), len(b), append(a, "")[i], append(b, "")[i])
		}
	}
}
