package analyze

import (
	"math"
	"math/rand/v2"
	"testing"
)

// idOf returns the id of key i, as random as a hash.
func idOf(i int) keyID { return keyID{mix(uint64(i) + 1), mix(uint64(i) * 31)} }

// TestCountsAreExact compares counts with a map, as long as they fit.
func TestCountsAreExact(t *testing.T) {
	c := newCounts(1<<12, true)
	random := rand.New(rand.NewPCG(1, 1))
	want := map[keyID]counted{}
	for range 20_000 {
		id := idOf(random.IntN(3000))
		bytes := uint64(random.IntN(100))
		_, purged := c.add(id, bytes)
		w := want[id]
		w.documents, w.bytes = w.documents+1, w.bytes+bytes
		want[id] = w
		if purged != 0 {
			t.Fatal("counts are lower")
		}
	}
	n, deviation := c.distinct()
	if n != int64(len(want)) || deviation != 0 || c.slack != 0 || *c.unique() {
		t.Errorf("%d keys, of %d", n, len(want))
	}
	for id, w := range want {
		if s := c.at(id); s.documents != w.documents || s.bytes != w.bytes {
			t.Errorf("%v: %+v, want %+v", id, s, w)
		}
	}
	if len(c.documents()) != len(want) {
		t.Errorf("%d of %d", len(c.documents()), len(want))
	}
}

// TestCountsAreBounded has 200,000 keys in room for 3,072, and one in ten documents under
// three of them.
func TestCountsAreBounded(t *testing.T) {
	c := newCounts(1<<12, true)
	random := rand.New(rand.NewPCG(1, 1))
	want := map[int]uint32{}
	for i := range 400_000 {
		k := 10 + i%200_000
		if random.IntN(10) == 0 {
			k = random.IntN(3)
		}
		want[k]++
		c.add(idOf(k), 1)
	}
	n, deviation := c.distinct()
	if len(c.slots) != 1<<12 || deviation != hyperLogLogError || math.Abs(float64(n)/float64(len(want))-1) > 3*deviation {
		t.Errorf("%d keys of %d, %d slots", n, len(want), len(c.slots))
	}
	for k := range 3 {
		if got := c.at(idOf(k)).documents; got > want[k] || got+c.slack < want[k] || float64(c.slack) > 0.05*float64(want[k]) {
			t.Errorf("key %d: %d and %d, want %d", k, got, c.slack, want[k])
		}
	}
	if c.unique() == nil || *c.unique() {
		t.Error("keys are unique")
	}
}

func TestUnique(t *testing.T) {
	c := newCounts(16, true)
	for i := range 10 {
		c.add(idOf(i), 1)
	}
	if u := c.unique(); u == nil || !*u {
		t.Error("ten keys are not unique")
	}
	for i := range 100 {
		c.add(idOf(i+10), 1)
	}
	if c.unique() != nil {
		t.Error("it is known whether keys are unique, and counts have been forgotten")
	}
}

// TestHyperLogLog holds estimates to three standard errors.
func TestHyperLogLog(t *testing.T) {
	var h hyperLogLog
	next := 0
	for _, n := range []int{0, 1, 10, 1000, 30_000, 50_000, 100_000, 1_000_000} {
		for ; next < n; next++ {
			h.add(idOf(next))
		}
		if got := h.estimate(); math.Abs(float64(got-int64(n))) > 3*hyperLogLogError*float64(n) {
			t.Errorf("%d keys: %d", n, got)
		}
	}
}

// TestHeaviest finds the highest counts of 1,000 keys.
func TestHeaviest(t *testing.T) {
	c := newCollector(t, Options{}, "{k}")
	random := rand.New(rand.NewPCG(1, 1))
	want := make([]int64, 1000)
	for range 50_000 {
		k := int(1000 * math.Pow(random.Float64(), 3))
		want[k]++
		c.Add(1, []byte(`{"k":"`+string(rune('一'+k))+`"}`))
	}
	l := c.Report().Layouts[0]
	if len(l.Largest) != 10 {
		t.Fatalf("%+v", l.Largest)
	}
	for i, k := range l.Largest {
		at := int([]rune(k.Key)[0] - '一')
		if k.Documents != want[at] || i > 0 && k.Documents > l.Largest[i-1].Documents {
			t.Errorf("%d: %+v, want %d", i, k, want[at])
		}
		want[at] = 0
	}
	for at, n := range want {
		if n > l.Largest[9].Documents {
			t.Errorf("key %d has %d documents, and is missing", at, n)
		}
	}
}

// TestCorrelation has figures from textbooks: Spearman's rho is 1 - 6Σd²/(n(n²-1)) without
// ties.
func TestCorrelation(t *testing.T) {
	number := func(all ...int) []int64 { return ranksOf(all, func(a, b int) int { return a - b }) }
	for _, tt := range []struct {
		x, y []int
		want float64
	}{
		{[]int{1, 2, 3}, []int{10, 20, 30}, 1},
		{[]int{1, 2, 3}, []int{30, 20, 10}, -1},
		{[]int{1, 2, 3}, []int{10, 30, 20}, 0.5}, // d = 0, 1, 1
		{[]int{106, 86, 100, 101, 99, 103, 97, 113, 112, 110}, []int{7, 0, 27, 50, 28, 29, 20, 12, 6, 17}, -29.0 / 165}, // IQ and hours of television
		{[]int{1, 2, 2, 3}, []int{1, 2, 3, 4}, 0.9486832980505138},                                                      // ranks 1, 2.5, 2.5, 4: 4.5/√(4.5·5)
	} {
		if got := correlation(number(tt.x...), number(tt.y...)); got == nil || !near(*got, tt.want) {
			t.Errorf("%v, %v: %v, want %v", tt.x, tt.y, *got, tt.want)
		}
	}
	if correlation(number(1, 1, 1), number(1, 2, 3)) != nil || correlation(nil, nil) != nil {
		t.Error("equal ranks have a correlation")
	}
}

// TestMonotonicity orders keys as texts and as numbers, by time and by the order of the
// sample.
func TestMonotonicity(t *testing.T) {
	for _, tt := range []struct {
		lines []string
		times []string
		want  float64
	}{
		{[]string{`{"k":"a"}`, `{"k":"b"}`, `{"k":"c"}`}, nil, 1},
		{[]string{`{"k":9}`, `{"k":10}`, `{"k":11}`}, nil, 1},
		{[]string{`{"k":9}`, `{"k":10}`, `{"k":"1"}`}, nil, 1},
		{[]string{`{"k":"a","t":3}`, `{"k":"b","t":2}`, `{"k":"c","t":1}`, `{"k":"d"}`}, []string{"/t"}, -1},
	} {
		l := addAll(newCollector(t, Options{Times: tt.times}, "{k}"), tt.lines...).Layouts[0]
		if l.Monotonicity == nil || !near(*l.Monotonicity, tt.want) {
			t.Errorf("%s: %v, want %v", tt.lines, l.Monotonicity, tt.want)
		}
	}
	c := newCollector(t, Options{}, "{k}")
	for i := range 3 * mostRanked {
		c.Add(1, []byte(`{"k":`+string(rune('0'+i%2))+`}`))
	}
	if l := c.Report().Layouts[0]; math.Abs(*l.Monotonicity) > 0.06 || math.Abs(*l.HashMonotonicity) > 0.06 { // about four standard errors
		t.Errorf("%v, %v", *l.Monotonicity, *l.HashMonotonicity)
	}
}

// TestHyperLogLogHasNoBias holds the mean error of 40 runs to what the stated error leaves
// of it, at the numbers of keys where the formulas for few and for many keys meet.
func TestHyperLogLogHasNoBias(t *testing.T) {
	const runs = 40
	for _, n := range []int{100, 20_000, 38_000, 41_000, 45_000, 50_000, 70_000} {
		sum := 0.0
		for run := range runs {
			h := &hyperLogLog{}
			for i := range n {
				h.add(keyID{mix(uint64(2*i + run*1e9 + 7)), mix(uint64(i + run*77_777_777))})
			}
			sum += float64(h.estimate())/float64(n) - 1
		}
		if mean := sum / runs; math.Abs(mean) > 4*hyperLogLogError/math.Sqrt(runs) {
			t.Errorf("%d keys: the estimate is off by %.2f%% on average", n, 100*mean)
		}
	}
	if h := (&hyperLogLog{}); h.estimate() != 0 {
		t.Errorf("no keys: %d", h.estimate())
	}
}
