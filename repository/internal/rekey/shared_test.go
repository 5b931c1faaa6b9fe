package rekey

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// TestCatchUp looks at leases while programs write: a lease has ended once it has passed
// what there was at the first look.
func TestCatchUp(t *testing.T) {
	lag := func(lease string, next, last int64) processor.Lag {
		changes := last - next + 1
		if next == 0 { // in several physical partitions, whose numbers do not compare
			last = 0
		}
		return processor.Lag{Lease: lease, Lag: feed.Lag{Changes: changes, Next: next, Last: last}}
	}
	c := catchUp{ended: map[string]bool{}, until: map[string]int64{}}
	for i, look := range []struct {
		lags []processor.Lag
		want bool
		ends string
	}{
		{nil, false, ""}, // there are no leases yet
		{[]processor.Lag{lag("a", 1, 10), lag("b", 1, 5), lag("c", 0, 7)}, false, ""},
		{[]processor.Lag{lag("a", 10, 30), lag("b", 6, 50), lag("c", 0, 70)}, false, "b"},
		{[]processor.Lag{lag("a", 11, 99), lag("b", 0, 0), lag("d", 71, 99)}, false, "a"}, // c was divided
		{[]processor.Lag{lag("a", 0, 0), lag("b", 0, 0), lag("d", 100, 200)}, true, "d"},
	} {
		if got := c.note(look.lags); got != look.want {
			t.Errorf("look %d: all have ended: %t", i, got)
		}
		if look.ends != "" && !c.ended[look.ends] {
			t.Errorf("look %d: %s has not ended: %+v", i, look.ends, c)
		}
	}
}
