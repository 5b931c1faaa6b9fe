package analyze

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// addAll gives lines to a collector.
func addAll(c *Collector, lines ...string) *Report {
	for i, line := range lines {
		c.Add(int64(i+1), []byte(line))
	}
	return c.Report()
}

// TestKeys works a sample of nine lines out by hand: six documents with a key, two
// without, one that is no JSON.
func TestKeys(t *testing.T) {
	c := newCollector(t, Options{Type: "Order", Partitions: []int{1}, Times: []string{"/at"}}, "{t}")
	r := addAll(c,
		`{"t":"a","at":"2024-01-01T00:00:00Z"}`,               // 37 bytes
		`{"t":"b","at":"2024-01-01T12:00:00Z","x":"xxxxxxx"}`, // 51 bytes
		`{"t":"a","at":"2024-01-02T00:00:00Z"}`,
		`{"t":`,
		`{"t":7}`,
		`{"n":1}`,
		`{"t":"a","at":"2024-01-03T00:00:00Z"}`,
		`{"t":"c","at":"2024-01-03T00:00:00Z"}`,
		`{"t":"b","at":"2024-01-01T12:00:00Z","x":"xxxxxxx"}`,
	)
	if r.Documents != 8 || r.Bytes != 4*37+2*51+2*7 || r.Average != 33 || r.Largest != 51 || r.Invalid != 1 || len(r.InvalidLines) != 1 || r.InvalidLines[0].Line != 4 {
		t.Errorf("%+v", r)
	}
	l := r.Layouts[0]
	if l.Documents != 7 || l.LogicalPartitions != 4 || l.LogicalPartitionsError != 0 || *l.Unique {
		t.Errorf("%+v", l)
	}
	want := []LogicalPartition{{"a", 3, 3.0 / 7, 111}, {"b", 2, 2.0 / 7, 102}, {"7", 1, 1.0 / 7, 7}, {"c", 1, 1.0 / 7, 37}}
	if diff := cmp.Diff(want, l.Largest); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Keyless{{Property: "t", Problem: "missing", Reason: "is missing: set it", Documents: 1, Lines: []int64{6}}}, l.Keyless,
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Reason" }, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
	// a has 111 bytes within two days, and is written until the end.
	b := l.Biggest
	full := time.Date(2024, 1, 3, 0, 0, 0, 0, time.UTC).Add(0)
	if b.Key != "a" || b.Bytes != 111 || b.BytesPerDay != 56 { // 55.5
		t.Errorf("%+v", b)
	}
	if b.Full != nil { // in 986,301 years
		t.Errorf("%v is after %v", b.Full, full)
	}
	if diff := cmp.Diff([]Point{{1, 3, 3.0 / 7}, {2, 2, 5.0 / 7}, {3, 1, 6.0 / 7}, {4, 1, 1}}, l.Curve); diff != "" {
		t.Error(diff)
	}
	if r.Times.Property != "/at" || r.Times.Untimed != 2 || !r.Times.From.Equal(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)) || !r.Times.To.Equal(full) {
		t.Errorf("%+v", r.Times)
	}
	// 2,881 minutes are too many: by 5 minutes, and the last one has two documents.
	if n := r.Times.Intervals; r.Times.Seconds != 300 || n != 577 || r.Times.Documents[0] != 1 || r.Times.Documents[144] != 2 || r.Times.Documents[288] != 1 || r.Times.Documents[576] != 2 {
		t.Errorf("%+v", r.Times)
	}
}

// TestGrowth gives a key 4 GB within two days.
func TestGrowth(t *testing.T) {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(days int) uint32 { return uint32(start.AddDate(0, 0, days).Unix()) }
	c := newCollector(t, Options{}, "{t}")
	c.clock.from, c.clock.to = start.Unix(), start.AddDate(0, 0, 3).Unix()
	l := c.layouts[0]
	key, err := l.Key([]byte(`{"t":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	place, err := placeOf(key)
	if err != nil {
		t.Fatal(err)
	}
	slot, _ := l.counts.add(place.id, 4e9)
	l.documents = 1
	l.byBytes.grow(place.id, key, 4e9)
	for _, tt := range []struct {
		first, last int
		perDay      int64
		full        string
	}{
		{0, 2, 2e9, "2024-01-11"}, // 16 GB more in 8 days after the third
		{1, 3, 2e9, "2024-01-12"},
		{0, 1, 4e9, ""}, // it ended two days before the end
		{2, 3, 4e9, ""}, // it is as a date: there is another one before
		{1, 1, 0, ""},
	} {
		slot.first, slot.last = at(tt.first), at(tt.last)
		b, full := l.biggest(), ""
		if b.Full != nil {
			full = b.Full.Format(time.DateOnly)
		}
		if b.BytesPerDay != tt.perDay || full != tt.full {
			t.Errorf("%d to %d: %d a day, full on %s, want %d, %s", tt.first, tt.last, b.BytesPerDay, full, tt.perDay, tt.full)
		}
	}
}

// TestCollisions expects two documents of other components under one key, and none where
// the components are equal in other JSON.
func TestCollisions(t *testing.T) {
	for _, tt := range []struct {
		template string
		lines    []string
		want     int64
	}{
		{"{a}-{b}", []string{`{"a":"x-y","b":"z"}`, `{"a":"x","b":"y-z"}`, `{"a":"x-y","b":"z"}`}, 1},
		{"{a}-{b}", []string{`{"a":"x","b":1000}`, `{"a":"\u0078","b":1e3}`}, 0},
		{"{a|lower}-{b}", []string{`{"a":"X","b":"y"}`, `{"a":"x","b":"y"}`}, 0},
		{"{a}{b%10}", nil, 0}, // refused: no separator
		{"{a}.{b%10}", []string{`{"a":"x","b":"1"}`, `{"a":"x","b":"2"}`, `{"a":"x","b":"3"}`}, 0},
		{"{a}-{at|2006-01-02}", []string{`{"a":"x","at":"2024-01-01T01:00:00Z"}`, `{"a":"x","at":"2024-01-01T02:00:00Z"}`}, 0},
		{"{a}", []string{`{"a":"x","b":1}`, `{"a":"x","b":2}`}, 0},
		{"{a},{b}", []string{`{"a":"x","b":"y"}`, `{"a":"x","b":"y"}`}, 0},
	} {
		if tt.lines == nil {
			if _, err := layout.Candidate(tt.template, false, lock.Entry{}); err == nil {
				t.Errorf("%s is a layout", tt.template)
			}
			continue
		}
		got := addAll(newCollector(t, Options{}, tt.template), tt.lines...).Layouts[0].Collisions
		if got.Documents != tt.want || tt.want > 0 && (got.Examples[0].Line != 2 || got.Examples[0].Key != "x-y-z") {
			t.Errorf("%s: %+v", tt.template, got)
		}
	}
}

// TestDiscriminator leaves out documents of another type.
func TestDiscriminator(t *testing.T) {
	r := addAll(newCollector(t, Options{Discriminator: "order"}, "{t}"), `{"type":"order","t":"a"}`, `{"type":"visit","t":"a"}`, `{"t":"a"}`)
	if r.Documents != 1 || r.Others != 2 || r.Layouts[0].Documents != 1 {
		t.Errorf("%+v", r)
	}
}

// TestPlaces compares equal ranges with the order of effective partition keys.
func TestPlaces(t *testing.T) {
	l, err := layout.Candidate("{a}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := layout.Candidate("{a},{b}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	equal, own := ranges{n: 4}, ranges{n: 4, bounds: []string{"10000000", "20000000", "30000000"}} // a quarter of 40… each
	seen := map[int]bool{}
	ids := map[keyID]bool{}
	for i := range 1000 {
		key, err := l.Key(fmt.Appendf(nil, `{"a":"%d"}`, i))
		if err != nil {
			t.Fatal(err)
		}
		p, err := placeOf(key)
		if err != nil || fmt.Sprintf("%016X%016X", p.id.hi, p.id.lo) != p.epk {
			t.Fatalf("%v, %v", p, err)
		}
		if equal.of(p) != own.of(p) || p.epk[0] != "0123"[equal.of(p)] {
			t.Errorf("%s is in %d and %d", p.epk, equal.of(p), own.of(p))
		}
		seen[equal.of(p)] = true
		key, err = two.Key(fmt.Appendf(nil, `{"a":"x","b":"%d"}`, i))
		if err != nil {
			t.Fatal(err)
		}
		if p, err = placeOf(key); err != nil || len(p.epk) != 64 {
			t.Fatal(p, err)
		}
		ids[p.id] = true
	}
	if len(seen) != 4 || len(ids) != 1000 {
		t.Errorf("%v, %d ids", seen, len(ids))
	}
}

// TestOwnRanges spreads documents over a container's own physical partitions.
func TestOwnRanges(t *testing.T) {
	c := newCollector(t, Options{Partitions: []int{2}, Bounds: []string{"20000000", ""}}, "{a}")
	for i := range 100 {
		c.Add(1, fmt.Appendf(nil, `{"a":"%d"}`, i))
	}
	all := c.Report().Layouts[0].Partitions
	if len(all) != 2 || !all[1].Own || all[0].Own || !cmp.Equal(all[0].Documents, all[1].Documents) || all[0].Documents[0] < 30 {
		t.Errorf("%+v, %+v", all[0], all[1])
	}
}
