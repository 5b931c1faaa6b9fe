package simulate

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestLagByHand has two writes a second, of 5 RU each, and an index that applies one a
// second. Write k begins at k/2, and reaches the container 10 ms later.
//
//	#1 .51, #2 1.01  applied at once
//	#3 1.51          refused until 2: a lag of 490 ms
//	#4 2.01          refused until 3, since #3 has spent second 2: 990 ms
//	#k k/2 + .01     applied at k - 1, a second after the one before: a lag of k/2 - 1.01
//
// In ten seconds 19 changes come, and ten are applied: #10 at 9, with a lag of 3.99. Then #11
// of 5.51 is the oldest: 4.49. At the end of second T it is #T+1. Ten RU/s are enough.
func TestLagByHand(t *testing.T) {
	const scenario = `{"seconds": 10, "partitions": 2, "throughput": 1000, "latency": 20, "arrivals": "regular", "layouts": ["{id}"],
		"indexes": [{"layout": "{a}", "throughput": 5}], "properties": {"a": {"constant": "x"}},
		"operations": [{"method": "create", "rate": 2}]}`
	l := run(t, scenario, 1).Layouts[0]
	check(t, l, 19, 19, 0, 0, 95)
	want := IndexResult{
		Layout: "{a}", Throughput: 5, Changes: 19, Applied: 10, Waiting: 9, ApplyingUnits: 50,
		Lag: Latency{P50: 1490, P90: 3490, P99: 3990, Max: 3990}, Oldest: 4490,
		LagBySecond: []float64{0, 490, 990, 1490, 1990, 2490, 2990, 3490, 3990, 4490},
		Physical:    []Physical{{Share: 1, Requests: 10, RequestUnits: 50}},
	}
	if got := l.Indexes[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	enough := run(t, strings.Replace(scenario, `"throughput": 5}`, `"throughput": 10}`, 1), 1).Layouts[0].Indexes[0]
	if enough.Applied != 19 || enough.Waiting != 0 || enough.Oldest != 0 || enough.Lag != (Latency{}) || enough.ApplyingUnits != 95 {
		t.Errorf("got %+v", enough)
	}
}

// TestIndexByHand has queries of 10 RU that an index of 10 RU/s answers, and writes of 5 RU.
//
//	.635   query 1  served
//	1.121  write 1  applied at once: 5 are spent
//	1.26   query 2  served: 15
//	1.885  query 3  refused until 2, sent again at 2.02, where 5 are spent: served, after 155 ms
//	2.232  write 2  waits until 3, since 15 are spent: 767 ms at the end
//	2.51   query 4  refused until 3
func TestIndexByHand(t *testing.T) {
	l := run(t, `{"seconds": 3, "partitions": 4, "throughput": 4000, "latency": 20, "arrivals": "regular", "layouts": ["{a}"],
		"indexes": [{"layout": "{b}", "throughput": 10, "partitions": 1}], "properties": {"a": {"uniform": 9}, "b": {"uniform": 9}},
		"operations": [{"method": "query", "by": ["b"], "rate": 1.6, "charge": 10}, {"method": "create", "rate": 0.9}]}`, 1).Layouts[0]
	check(t, l, 6, 5, 0, 0, 10) // the container has the writes alone
	want := IndexResult{
		Layout: "{b}", Throughput: 10, Changes: 2, Applied: 1, Waiting: 1, Oldest: 767, LagBySecond: []float64{0, 0, 767},
		ApplyingUnits: 5, Queries: 4, Completed: 3, Throttled: 2, QueryUnits: 30,
		Physical: []Physical{{Share: 1, Requests: 4, Throttled: 2, RequestUnits: 35}},
	}
	if got := l.Indexes[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if of := l.Methods[0]; of.RequestUnits != 30 || of.Throttled != 2 || of.Latency != (Latency{20, 155, 155, 155}) {
		t.Errorf("got %+v", of)
	}
}

// TestRoutes says which queries an index answers.
func TestRoutes(t *testing.T) {
	s, err := parse([]byte(`{"seconds": 1, "partitions": 8, "throughput": 100, "layouts": ["{a}", "{b}", "{a}.{b%4}", "{a},{b}", "{c}"],
		"indexes": [{"layout": "{d},{a}", "throughput": 9, "partitions": 3}, {"layout": "{d}", "throughput": 9}, {"layout": "{a}.{c%3}", "throughput": 9}, {"layout": "{e},{id}", "throughput": 9}, {"layout": "{e},{b}", "throughput": 9}],
		"properties": {"a": {"uniform": 9}, "b": {"uniform": 9}, "c": {"uniform": 9}, "d": {"uniform": 9}, "e": {"uniform": 9}},
		"operations": [{"method": "create", "rate": 1}, {"method": "get", "rate": 1}, {"name": "a", "method": "query", "by": ["a"], "rate": 1},
			{"name": "d", "method": "query", "by": ["d"], "rate": 1}, {"name": "da", "method": "query", "by": ["a", "d"], "rate": 1},
			{"name": "ac", "method": "query", "by": ["a", "c"], "rate": 1}, {"name": "e", "method": "query", "by": ["e"], "rate": 1},
			{"name": "none", "method": "query", "rate": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	makers, err := s.makers()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int8{
		{0, 0, 0, 2, 0, 0, 4, 0}, // {a}: its own queries stay
		{0, 0, 0, 2, 1, 3, 4, 0}, // {b}: the index {a}.{c%3} needs c, too
		{0, 0, 0, 2, 1, 3, 4, 0}, // {a}.{b%4}: four buckets for a
		{0, 0, 0, 2, 0, 0, 4, 0}, // {a},{b}: a prefix for a
		{0, 0, 0, 2, 1, 0, 4, 0}, // {c}
	} {
		e, err := newEngine(s, s.Layouts[i], makers, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(e.routes, want) {
			t.Errorf("%s: got %v, want %v", s.Layouts[i], e.routes, want)
		}
	}
}

// busy is a scenario whose queries all go to indexes, and whose container serves writes alone.
const busy = `{"seconds": 12, "partitions": %d, "throughput": 600, %s "latency": %d, "retries": {"most": %d},
	"layouts": ["{a}", "{a}.{b%%7}", "{a}.{*%%9}"],
	"indexes": [{"layout": "{c}", "throughput": %d, "partitions": %d}, {"layout": "{d},{a}", "throughput": 500, "partitions": 2}],
	"properties": {"a": {"zipf": 20, "exponent": 1.3}, "b": {"uniform": 5, "number": true}, "c": {"uniform": 50}, "d": {"zipf": 9}},
	"operations": [{"method": "create", "rate": 40}, {"method": "replace", "rate": 9, "charge": 12}, {"method": "delete", "rate": 1},
		{"name": "C", "method": "query", "by": ["c"], "rate": 25, "results": 3}, {"name": "D", "method": "query", "by": ["d"], "rate": 5}]}`

// TestChangesAreKept has every write of the container once in each index, or waiting there,
// under loads of every kind, and adds the figures up. The same seed has the same figures.
func TestChangesAreKept(t *testing.T) {
	waiting, refused := 0, 0
	for seed := range uint64(24) {
		clients := ""
		if seed%2 == 1 {
			clients = fmt.Sprintf(`"clients": %d,`, 1+seed*2)
		}
		text := fmt.Sprintf(busy, 1+seed%4, clients, 1+seed*7, seed%5, 40+20*seed, 1+seed%3)
		r := run(t, text, seed)
		for _, l := range r.Layouts {
			waits, refusals := kept(t, r, l)
			waiting, refused = waiting+waits, refused+refusals
		}
		first, _ := json.Marshal(r)
		if second, _ := json.Marshal(run(t, text, seed)); string(first) != string(second) {
			t.Errorf("seed %d has two reports", seed)
		}
	}
	if waiting == 0 || refused == 0 {
		t.Error("nothing waits, or nothing is refused: the test says nothing of that")
	}
}

// kept checks the sums of a layout of busy, and returns how many changes wait, and how many
// requests its indexes have refused.
func kept(t *testing.T, r *Report, l Result) (waiting, refused int) {
	t.Helper()
	writes := 0
	for _, p := range l.Physical {
		writes += p.Requests
	}
	units := l.RequestUnits
	for i, x := range l.Indexes {
		m := l.Methods[3+i]
		if x.Changes != writes || x.Changes != x.Applied+x.Waiting {
			t.Errorf("%s: %d writes have %d changes of %s, %d applied and %d waiting", l.Layout, writes, x.Changes, x.Layout, x.Applied, x.Waiting)
		}
		if x.Waiting == 0 && (x.Oldest != 0 || x.ApplyingUnits != l.RequestUnits) || x.Waiting > 0 && x.ApplyingUnits >= l.RequestUnits {
			t.Errorf("%s: %+v applies %v RU", l.Layout, x, l.RequestUnits)
		}
		if x.Queries != m.Operations || x.Completed != m.Completed || x.Failed != m.Failed || x.Throttled != m.Throttled || math.Abs(x.QueryUnits-m.RequestUnits) > 1e-3 {
			t.Errorf("%s: %+v answers %+v", l.Layout, x, m)
		}
		sum, throttled := 0.0, 0
		for _, p := range x.Physical {
			sum += p.RequestUnits
			throttled += p.Throttled
			if most := x.Throughput / float64(len(x.Physical)) * float64(r.Seconds); p.RequestUnits > most+12 {
				t.Errorf("%s: %s spends %v RU of %v", l.Layout, x.Layout, p.RequestUnits, most)
			}
		}
		if math.Abs(sum-x.ApplyingUnits-x.QueryUnits) > 1e-2 || throttled != x.Throttled {
			t.Errorf("%s: the physical partitions of %s have %v RU and %d 429s: %+v", l.Layout, x.Layout, sum, throttled, x)
		}
		if len(x.LagBySecond) != r.Seconds || x.LagBySecond[r.Seconds-1] != x.Oldest || x.Lag.P50 > x.Lag.P99 || x.Lag.P99 > x.Lag.Max {
			t.Errorf("%s: %+v", l.Layout, x)
		}
		units += x.QueryUnits
		waiting += x.Waiting
		refused += x.Throttled
	}
	for _, m := range l.Methods {
		units -= m.RequestUnits
	}
	if math.Abs(units) > 1e-2 {
		t.Errorf("%s: the operations have %v RU less than the container and its indexes", l.Layout, units)
	}
	return waiting, refused
}

// TestSourceIsNotSlowed has the same figures of a container with an index that answers no
// query, however little throughput that has.
func TestSourceIsNotSlowed(t *testing.T) {
	const scenario = `{"seconds": 8, "partitions": 3, "throughput": 600, CLIENTS INDEXES "layouts": ["{a}", "{a}.{b%7}"],
		"properties": {"a": {"zipf": 20, "exponent": 1.3}, "b": {"uniform": 5}},
		"operations": [{"method": "upsert", "rate": 150}, {"method": "query", "by": ["a"], "rate": 20}, {"method": "get", "rate": 20}]}`
	for _, clients := range []string{"", `"clients": 30,`} { // requests of clients arrive at one moment
		without := run(t, strings.NewReplacer("CLIENTS", clients, "INDEXES", "").Replace(scenario), 1)
		with := run(t, strings.NewReplacer("CLIENTS", clients, "INDEXES", `"indexes": [{"layout": "{b}", "throughput": 7}],`).Replace(scenario), 1)
		for i, l := range with.Layouts {
			if x := l.Indexes[0]; x.Waiting == 0 {
				t.Errorf("nothing waits: %+v", x)
			}
			l.Indexes = nil
			if !reflect.DeepEqual(l, without.Layouts[i]) {
				t.Errorf("got  %+v\nwant %+v", l, without.Layouts[i])
			}
		}
	}
}

// TestBusyIndex has more changes than an index applies. It spends all that it has, and
// queries get a part of that.
func TestBusyIndex(t *testing.T) {
	l := run(t, `{"seconds": 20, "partitions": 2, "throughput": 4000, "layouts": ["{id}"], "indexes": [{"layout": "{a}", "throughput": 1000}],
		"properties": {"a": {"uniform": 100}},
		"operations": [{"method": "create", "rate": 400}, {"method": "query", "by": ["a"], "rate": 100}]}`, 1).Layouts[0]
	x := l.Indexes[0]
	if spent := x.ApplyingUnits + x.QueryUnits; spent < 0.99*20_000 || spent > 20_005 {
		t.Errorf("spent %v RU of 20000", spent)
	}
	if x.Completed < x.Queries/2 || x.Throttled == 0 {
		t.Errorf("%d of %d queries are completed, with %d 429s", x.Completed, x.Queries, x.Throttled)
	}
	if !slices.IsSorted(x.LagBySecond) || x.Oldest < 10_000 {
		t.Errorf("the lags are %v", x.LagBySecond)
	}
}

// TestRefusedIndexes has indexes that a container cannot have, or that say too little.
func TestRefusedIndexes(t *testing.T) {
	const scenario = `{"seconds": 1, "partitions": 1, "throughput": 100, "layouts": ["{a}"], "indexes": [INDEX],
		"properties": {"a": {"uniform": 2}, "customerId": {"uniform": 2}, "at": {"time": "2006-01-02T15:04:05Z"}}, "operations": [{"method": "create", "rate": 1}]}`
	const fine = `{"layout": "{customerId}", "throughput": 100}`
	if _, err := parse([]byte(strings.Replace(scenario, "INDEX", fine, 1))); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ indexes, want string }{
		{`{"throughput": 100}`, `indexes[0].layout: missing: write the key of the index`},
		{`{"layout": "{customerId", "throughput": 100}`, `indexes[0].layout: `},
		{`{"layout": "{customerID}", "throughput": 100}`, `indexes[0].layout: there is no "customerID": did you mean "customerId"?`},
		{`{"layout": "{a}.{customerId}.{b%4}", "throughput": 100}`, `indexes[0].layout: there is no "b"`},
		{`{"layout": "{customerId}.{*%4}", "throughput": 100}`, `indexes[0].layout: "{customerId}.{*%4}" has a random suffix, which no query can give`},
		{`{"layout": "{a}", "throughput": 100}`, `indexes[0].layout: "{a}" is a layout of the container, too: remove one`},
		{fine + "," + fine, `indexes[1].layout: "{customerId}" is another index, too: remove one`},
		{`{"layout": "{at|day}", "throughput": 9}, {"layout": "{at|2006-01-02}", "throughput": 9}`, `indexes[1].layout: "{at|2006-01-02}" is another index`},
		{`{"layout": "{customerId}"}`, "indexes[0].throughput: it is the RU/s of the index, 1 or more"},
		{`{"layout": "{customerId}", "throughput": 25000, "partitions": 2}`, "indexes[0].throughput: 25000 RU/s on 2 physical partitions are 12500 for each, and the limit is 10000: write 3 partitions"},
		{`{"layout": "{customerId}", "throughput": 9, "partitions": -1}`, "indexes[0].partitions: -1 is not between 1 and 1000"},
		{`{"layout": "{customerId}", "throughput": 9, "name": "x"}`, `indexes[0].name: there is no "name"`},
		{strings.Repeat(fine+",", 5) + fine, "indexes: there are 6, and a container can have 5: remove some"},
	} {
		if _, err := parse([]byte(strings.Replace(scenario, "INDEX", test.indexes, 1))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.indexes, err, test.want)
		}
	}
	// What shows when keys are made.
	s, err := parse([]byte(strings.NewReplacer("INDEX", `{"layout": "{customerId|day}", "throughput": 9}`, `"rate": 1`, `"rate": 9`).Replace(scenario)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "index {customerId|2006-01-02}: ") {
		t.Errorf("got %v", err)
	}
	// Memory has an end.
	s, err = parse([]byte(strings.Replace(scenario, "INDEX", fine, 1)))
	if err != nil {
		t.Fatal(err)
	}
	makers, err := s.makers()
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(s, "{a}", makers, 1)
	if err != nil {
		t.Fatal(err)
	}
	e.waiting = mostWaiting
	e.appliers[0].changes = append(e.appliers[0].changes, change{})
	if err := e.call(0, -1); err != nil {
		t.Fatal(err)
	}
	if err := e.serve(0); err == nil || !strings.Contains(err.Error(), "layout {a}: in second 0, more than 4000000 changes wait for the indexes: write more throughput") {
		t.Errorf("got %v", err)
	}
}
