package simulate

import (
	"maps"
	"slices"
)

// times counts durations in microseconds. There are few different ones, since waits have whole
// milliseconds.
type times map[int64]int

// add counts a duration n times.
func (t times) add(took int64, n int) { t[took] += n }

// latency returns the percentiles, by nearest rank: the smallest duration that this percentage does
// not exceed.
func (t times) latency() Latency {
	total := int64(0)
	for _, n := range t {
		total += int64(n)
	}
	if total == 0 {
		return Latency{}
	}
	sorted := slices.Sorted(maps.Keys(t))
	at := func(percent int64) float64 {
		rank := (total*percent + 99) / 100
		for _, took := range sorted {
			if rank -= int64(t[took]); rank <= 0 {
				return float64(took) / 1000
			}
		}
		return 0 // unreachable: no rank exceeds the total
	}
	return Latency{P50: at(50), P90: at(90), P99: at(99), Max: float64(sorted[len(sorted)-1]) / 1000}
}
