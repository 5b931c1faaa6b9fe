package analyze

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// TestWindows has the keys of one window alone, an eighth of the key space. Over five
// physical partitions they seem to lie in one; drawn anew they spread, and only keys of
// the same first level lie together.
func TestWindows(t *testing.T) {
	entry := lock.Entry{Type: "E", Layout: "{k}", Definition: lock.Definition{Path: "/k", Kind: "Hash", Version: 2}, Kinds: []lock.PropertyKind{{Property: "k", Kind: lock.Text}}}
	own, err := layout.New(entry)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Partitions: []int{5}, Bounds: []string{"", "20"}, Layouts: []Option{{Layout: own, Current: true}}}
	for _, template := range []string{"{k},{n}", "{n}"} {
		l, err := layout.Candidate(template, false, entry)
		if err != nil {
			t.Fatal(err)
		}
		options.Layouts = append(options.Layouts, Option{Layout: l})
	}
	for _, windows := range []bool{false, true} {
		c := New(options)
		if windows {
			c.Windows()
		}
		documents := int64(0)
		for i := 0; documents < 4000; i++ {
			key := fmt.Sprintf("key %d", i/4)
			if epk, _ := partition.EPK(key); epk < "08" {
				documents++
				c.Add(documents, fmt.Appendf(nil, `{"id":"%d","k":%q,"n":"n%[1]d"}`, i, key))
			}
		}
		r := c.Report()
		for i, want := range []bool{windows, windows, true} { // evenly spread
			if got := r.Layouts[i].Partitions[0].Effective; got > 4 != want {
				t.Errorf("windows %v: layout %s uses %v of 5 partitions", windows, r.Layouts[i].Layout, got)
			}
		}
		if windows && !slices.Equal(r.Layouts[0].Partitions[0].Documents, r.Layouts[1].Partitions[0].Documents) {
			t.Error("keys of one first level do not lie together")
		}
		if got := r.Layouts[0].LogicalPartitions; got != 1000 {
			t.Errorf("%d logical partitions", got)
		}
		r.Stored([]int64{30, 10})
		if s := r.Layouts[0].Partitions[1]; s.Effective != 4.0/3 || s.BusiestShare != 0.75 || s.SustainableWrites != sustainable(4.0/3, r.Layouts[0].WriteRU) {
			t.Errorf("%+v", s)
		}
		before := r.Layouts[0].Partitions[1].Documents
		r.Stored([]int64{1, 2, 3})
		if !slices.Equal(r.Layouts[0].Partitions[1].Documents, before) {
			t.Error("statistics of another number of partitions are taken")
		}
	}
}
