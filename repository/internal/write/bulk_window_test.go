package write

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestWindow adds and takes items at random: each comes once, those of a lane in
// their order and one group at a time, in groups that a batch can hold.
func TestWindow(t *testing.T) {
	for seed := range seeds.Of(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := newWindow(wire.MaxBatchOperations)
		added, taken := 0, 0
		last := map[wire.Identity]int{}
		underWay := map[wire.Identity]*group{}
		for added < 5000 || taken < added {
			switch {
			case added < 5000 && !w.crowded() && random.IntN(50) > 0:
				item := &BulkItem{Index: added, Document: Document{Body: make([]byte, random.IntN(60_000))}}
				w.add(wire.Identity{Partition: fmt.Sprint(random.IntN(1 + int(seed)*3))}, item)
				added++
			case len(underWay) > 0 && random.IntN(2) == 0:
				for name, g := range underWay {
					delete(underWay, name)
					w.free(g.lane)
					break
				}
			default:
				complete := added < 5000 && !w.crowded()
				g := w.take(complete)
				if g == nil {
					continue
				}
				checkGroup(t, g, complete)
				name := g.lane.name
				if underWay[name] != nil || g.items[0].Index < last[name] {
					t.Fatalf("%v: a group from %d on, after %d, while %v is under way", name, g.items[0].Index, last[name], underWay[name])
				}
				underWay[name] = g
				last[name] = g.items[len(g.items)-1].Index
				taken += len(g.items)
			}
		}
		for _, g := range underWay {
			w.free(g.lane)
		}
		if w.items != 0 || w.bytes != 0 || len(w.lanes) != 0 || len(w.idle) != 0 {
			t.Fatalf("left are %d items, %d bytes, %d and %d lanes", w.items, w.bytes, len(w.lanes), len(w.idle))
		}
	}
}

// checkGroup looks at the size of a group.
func checkGroup(t *testing.T, g *group, complete bool) {
	t.Helper()
	size, next := 0, 0
	for i, item := range g.items {
		if i > 0 && item.Index <= g.items[i-1].Index {
			t.Fatal("a group is out of order")
		}
		size += item.size()
	}
	if len(g.lane.waiting) > 0 {
		next = g.lane.waiting[0].size()
	}
	if len(g.items) > wire.MaxBatchOperations || size > wire.MaxBatchBytes {
		t.Fatalf("a group of %d items and %d bytes", len(g.items), size)
	}
	if complete && len(g.items) < wire.MaxBatchOperations && size+next <= wire.MaxBatchBytes {
		t.Fatalf("a group of %d items and %d bytes is not complete", len(g.items), size)
	}
}

// TestWindowTakesTheLargest, and of those that are as large, or complete, the one
// that waits longest.
func TestWindowTakesTheLargest(t *testing.T) {
	w := newWindow(2)
	for i, name := range []string{"a", "b", "c", "b", "c", "c"} {
		w.add(wire.Identity{Partition: name}, &BulkItem{Index: i})
	}
	for _, want := range []string{"b", "c", "a"} {
		if g := w.take(false); g.lane.name.Partition != want {
			t.Errorf("got %s, want %s", g.lane.name.Partition, want)
		}
	}
	if rest := w.rest(); len(rest) != 1 || rest[0].Index != 5 {
		t.Errorf("the rest is %v", rest)
	}
}
