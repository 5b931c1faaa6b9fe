package analyze

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJudgedTimes takes intervals with few documents together, figures by hand: two
// physical partitions need 40 documents.
func TestJudgedTimes(t *testing.T) {
	// repeat returns n intervals with the same documents.
	repeat := func(n int, documents ...uint32) (all [][]uint32) {
		for range n {
			all = append(all, documents)
		}
		return all
	}
	join := func(all ...[][]uint32) (series [][]uint32) {
		for _, a := range all {
			series = append(series, a...)
		}
		return series
	}
	for _, test := range []struct {
		name     string
		series   [][]uint32
		together int
		judged   []float64
	}{
		{"enough in each", join(repeat(2, 40, 0), repeat(2, 30, 30)), 1, []float64{1, 1, 2, 2}},
		{"a key at a time, few documents", join(repeat(4, 10, 0), repeat(4, 0, 10), repeat(4, 10, 0)), 4, []float64{1, 1, 1}},
		{"half of those with documents", join(repeat(3, 45, 0), repeat(3, 1, 0), repeat(6, 0, 0)), 1, []float64{1, 1, 1}},
		{"less than half, until two are one", join(repeat(2, 45, 0), repeat(4, 15, 15), repeat(2, 0, 1)), 2, []float64{1, 2, 2}},
		{"a third at most is one", repeat(8, 5, 5), 1, nil},
		{"some, however many are taken together", join(repeat(1, 40, 0), repeat(8, 1, 0)), 1, []float64{1}},
		{"nothing", repeat(5, 0, 0), 1, nil},
		{"no intervals", nil, 1, nil},
	} {
		together, judged := judgedTimes(test.series, 2)
		if diff := cmp.Diff(judged, test.judged); together != test.together || diff != "" {
			t.Errorf("%s: %d together, %s", test.name, together, diff)
		}
	}
}
