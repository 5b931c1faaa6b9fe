package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseTime(t *testing.T) {
	for value, want := range map[string]int64{
		`1533830400`: 1533830400, `1533830400123`: 1533830400, `1533830400123456`: 1533830400, `1533830400123456789`: 1533830400, `1.5e9`: 1500000000, `0`: 0,
		`"2018-08-09T16:00:00Z"`: 1533830400, `"2018-08-09T18:00:00.5+02:00"`: 1533830400, `"2018-08-09"`: 1533772800, `"2018-08-09T16:00:00"`: 1533830400,
		`"2018-08-09 16:00:00"`: 1533830400,
		``:                      -1, `null`: -1, `true`: -1, `"x"`: -1, `-5`: -1, `"0001-01-01T00:00:00Z"`: -1, `{}`: -1, `"2200-01-01"`: -1, `5000000000`: -1, `1e999`: -1, `1e20`: -1,
	} {
		got, ok := parseTime([]byte(value))
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v, want %d", value, got, ok, want)
		}
	}
}

// TestClock gives times in any order, and expects the same series as in order.
func TestClock(t *testing.T) {
	for _, tt := range []struct {
		hours     int
		seconds   int64
		intervals int
	}{{1, 60, 60}, {24, 60, 1440}, {25, 300, 300}, {24 * 5, 300, 1440}, {24 * 15, 900, 1440}, {24 * 30, 1800, 1440}, {24 * 365, 43200, 730}, {24 * 365 * 40, 1382400, 0}} {
		n := 5000
		at := func(i int) int64 { return 1533772800 + int64(i)*int64(tt.hours)*3600/int64(n) }
		var want [][]uint32
		for round := range 4 {
			c := newClock()
			g := c.grid(3)
			order := rand.New(rand.NewPCG(uint64(round), 1)).Perm(n)
			for i, p := range order {
				switch round {
				case 0:
					p = i
				case 1:
					p = n - 1 - i
				}
				row := c.at(at(p))
				g.cells[row*3+p%3]++
			}
			rows := c.rows(g)
			var sum uint32
			for _, row := range rows {
				sum += row[0] + row[1] + row[2]
			}
			if c.width != tt.seconds || tt.intervals > 0 && len(rows) != tt.intervals || sum != uint32(n) {
				t.Errorf("%d hours, round %d: %d intervals of %d s, %d documents", tt.hours, round, len(rows), c.width, sum)
			}
			if round == 0 {
				want = rows
			} else if diff := cmp.Diff(want, rows); diff != "" {
				t.Errorf("%d hours, round %d: %s", tt.hours, round, diff)
			}
		}
	}
	if c := newClock(); c.rows(c.grid(1)) != nil {
		t.Error("there are intervals without times")
	}
}

// TestByTime has a date as key: one physical partition at a time, though two over the
// sample, and figures of each day by hand.
func TestByTime(t *testing.T) {
	c := newCollector(t, Options{Partitions: []int{2}, Times: []string{"/at"}}, "{date}")
	// The keys of these days are in the two halves of all effective partition keys.
	days := []string{"2018-08-12", "2018-08-15"}
	for d, day := range days {
		start, _ := time.Parse(time.DateOnly, day)
		for i := range 60 * (d + 1) {
			c.Add(1, fmt.Appendf(nil, `{"date":%q,"at":%q}`, day, start.Add(time.Duration(i)*time.Second).Format(time.RFC3339)))
		}
	}
	r := c.Report()
	l := r.Layouts[0]
	s := l.Partitions[0]
	if s.Documents[0]*s.Documents[1] != 60*120 || !near(s.Effective, 1.5) || !near(s.BusiestShare, 2.0/3) || !near(s.SustainableWrites, 1.5*10000/5) {
		t.Fatalf("%+v", s)
	}
	// By 5 minutes: the first interval has 60 documents, the last one 120.
	b := s.ByTime
	if r.Times.Seconds != 300 || len(b.Effective) != 3*288+1 || b.Effective[0] != 1 || b.Effective[1] != 0 || b.Effective[3*288] != 1 {
		t.Errorf("%+v", b)
	}
	if b.Intervals != 2 || b.Median != 1 || b.Worst != 1 || b.SustainableWrites != 2000 {
		t.Errorf("%d intervals, %+v", b.Intervals, b.Median)
	}
	if got := s.Series[0][0] + s.Series[0][1]; got != 60 || len(l.Ring) != len(s.Series) || len(l.Ring[0]) != ringParts {
		t.Errorf("%d documents in the first interval", got)
	}
	testOneKeyADay(t, l)
}

// testOneKeyADay expects that the busiest key of a minute, an hour, a day has all of it.
func testOneKeyADay(t *testing.T, l *Layout) {
	t.Helper()
	for i, h := range l.Hot {
		if h.Share != 1 || h.ShareError != 0 || h.Intervals != []int{3, 2, 2}[i] || h.Of != int64(h.Intervals) || h.Documents != 180 {
			t.Errorf("%+v", h)
		}
	}
	if h := l.Hot[1].Most; h == nil || h.Key != "2018-08-15" || h.Share != 1 || h.From.Format(time.DateTime) != "2018-08-15 00:00:00" {
		t.Errorf("%+v", h)
	}
	// Two keys: each is the busiest for as long as it is written.
	if st := l.Stays; st == nil || st.Key != "2018-08-15" || st.Interval != "minute" || st.To.Sub(st.From) != 2*time.Minute {
		t.Errorf("%+v", st)
	}
	if rho := *l.Monotonicity; rho < 0.8 || rho > 0.83 {
		t.Errorf("rho is %v", rho)
	}
}

// TestHotKeys counts the keys of three hours by hand.
func TestHotKeys(t *testing.T) {
	c := newCollector(t, Options{Times: []string{"/at"}}, "{k}")
	start := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	add := func(hour int, keys string) {
		for i, k := range keys {
			c.Add(1, fmt.Appendf(nil, `{"k":%q,"at":%d}`, string(k), start.Add(time.Duration(hour)*time.Hour+time.Duration(i)*time.Minute).Unix()))
		}
	}
	add(0, "aaabbc") // a: 3 of 6
	add(1, "aab")    // a: 2 of 3
	add(3, "bbbbba") // b: 5 of 6
	l := c.Report().Layouts[0]
	if h := l.Hot[1]; h.Interval != "hour" || h.Intervals != 3 || h.Documents != 15 || !near(h.Share, 10.0/15) || h.Most != nil {
		t.Errorf("%+v", h)
	}
	if h := l.Hot[2]; h.Intervals != 1 || !near(h.Share, 8.0/15) { // b: 2+1+5
		t.Errorf("%+v", h)
	}
	if s := l.Stays; s.Interval != "day" || s.Key != "b" || s.To.Sub(s.From) != 24*time.Hour {
		t.Errorf("%+v", s) // hours have too few documents
	}
	hours := c.layouts[0].hot[1].stays("hour")
	if hours.Key != "a" || hours.To.Sub(hours.From) != 2*time.Hour || !hours.From.Equal(start) {
		t.Errorf("%+v", hours)
	}
	if minutes := c.layouts[0].hot[0].stays("minute"); minutes != nil { // of one document each
		t.Errorf("no key is the busiest of a minute: %+v", minutes)
	}
}

// TestManyWindows bounds the memory of windows, and keeps the shares right.
func TestManyWindows(t *testing.T) {
	h := newHotKeys(60, 2*windowSlots)
	l := newCollector(t, Options{}, "{k}").layouts[0]
	for minute := range 10_000 {
		for i := range 4 {
			key, _ := l.Key(fmt.Appendf(nil, `{"k":"%d"}`, max(0, i-1))) // 0, 0, 1, 2
			p, _ := placeOf(key)
			h.add(int64(minute*60), p.id, key)
		}
	}
	r := h.report("minute")
	if h.slots > h.most || len(h.windows) < 20 || r.Share != 0.5 || r.Of < 5000 || r.Of > 20_000 || r.Documents != int64(4*r.Intervals) {
		t.Errorf("%d slots, %+v", h.slots, r)
	}
}
