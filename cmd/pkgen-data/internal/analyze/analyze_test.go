package analyze

import (
	"fmt"
	"math"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// newCollector returns a collector of candidates.
func newCollector(t testing.TB, o Options, templates ...string) *Collector {
	t.Helper()
	for _, template := range templates {
		l, err := layout.Candidate(template, false, lock.Entry{})
		if err != nil {
			t.Fatal(err)
		}
		o.Layouts = append(o.Layouts, Option{Layout: l})
	}
	return New(o)
}

// near reports whether two figures are equal to the digits that are written.
func near(got, want float64) bool { return math.Abs(got-want) < 1e-9 }

// TestEffective reproduces what Azure's guide and its hash leave of a day that is spread
// over buckets: one document in each bucket, whose keys are 2018-08-09.1 and so on.
func TestEffective(t *testing.T) {
	for _, tt := range []struct {
		buckets, partitions int
		busiest             int64 // documents, counted by hand from partition.EPK
		effective           string
	}{
		{400, 5, 91, "4.4"}, {400, 20, 28, "14.3"}, {400, 50, 14, "28.6"}, {10, 5, 3, "3.3"}, {10, 20, 2, "5.0"}, {10, 50, 2, "5.0"},
	} {
		c := newCollector(t, Options{Partitions: []int{tt.partitions}}, "{date}.{bucket}")
		for i := range tt.buckets {
			c.Add(int64(i), fmt.Appendf(nil, `{"date":"2018-08-09","bucket":%d}`, i+1))
		}
		l := c.Report().Layouts[0]
		s := l.Partitions[0]
		var most int64
		for _, n := range s.Documents {
			most = max(most, n)
		}
		exact := float64(tt.buckets) / float64(tt.busiest)
		if most != tt.busiest || !near(s.Effective, exact) || fmt.Sprintf("%.1f", s.Effective) != tt.effective || !near(s.BusiestShare, 1/exact) || !near(s.SustainableWrites, exact*2000) {
			t.Errorf("%d buckets, %d partitions: busiest %d, %+v", tt.buckets, tt.partitions, most, s)
		}
		if l.WriteRU != 5 || l.LogicalPartitions != int64(tt.buckets) || !*l.Unique {
			t.Errorf("%+v", l)
		}
	}
}
