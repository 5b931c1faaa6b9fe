package simulate

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// check compares counts of a layout.
func check(t *testing.T, l Result, operations, completed, failed, throttled int, units float64) {
	t.Helper()
	if l.Operations != operations || l.Completed != completed || l.Failed != failed || l.Throttled != throttled || math.Abs(l.RequestUnits-units) > 1e-9 {
		t.Errorf("%d operations, %d completed, %d failed, %d times 429, %v RU: want %d, %d, %d, %d, %v",
			l.Operations, l.Completed, l.Failed, l.Throttled, l.RequestUnits, operations, completed, failed, throttled, units)
	}
	if l.Unfinished != operations-completed-failed {
		t.Errorf("%d are unfinished", l.Unfinished)
	}
}

// TestByHand works a scenario out. A physical partition of 10 RU/s does two writes of
// 1 KB a second, and four arrive: at .25, .5, .75 and 1. The way to the partition takes
// 10 ms, and so does the way back.
//
//	#1 .25, #2 .50  served at .26 and .51: completed in 20 ms
//	#3 .75          refused at .76, told to wait 240 ms at .77, sent again at 1.01
//	#4 1.00         served at 1.01: 20 ms
//	#3              served at 1.02, completed at 1.03: 280 ms
//	#5 #6 #7        refused at 1.26, 1.51 and 1.76, sent again at 2.01
//	#8 2.00         served at 2.01: 20 ms
//	#5, #6 or #7    served at 2.02, completed at 2.03: 780, 530 or 280 ms;
//	                the others refused a second time
//	#9 #10 #11      refused at 2.26, 2.51 and 2.76
//
// #12 would begin at 3, when all is over. Refused are 1, 3 and 2 + 3. Unfinished are two
// of #5 to #7, and #9 to #11.
func TestByHand(t *testing.T) {
	l := run(t, `{"seconds": 3, "partitions": 1, "throughput": 10, "latency": 20, "arrivals": "regular", "layouts": ["{id}"],
		"operations": [{"method": "create", "rate": 4}]}`, 1).Layouts[0]
	check(t, l, 11, 6, 0, 9, 30)
	if l.PerSecond != 2 || l.Latency.P50 != 20 || l.Latency.Max != l.Latency.P99 || !slices.Contains([]float64{280, 530, 780}, l.Latency.Max) {
		t.Errorf("got %+v", l)
	}
	for i, want := range []Second{{Operations: 3, Throttled: 1}, {Operations: 4, Throttled: 3}, {Operations: 4, Throttled: 5}} {
		got := l.BySeconds[i]
		if got.Second != i || got.Operations != want.Operations || got.Completed != 2 || got.Failed != 0 || got.RequestUnits != 10 || got.Throttled != want.Throttled ||
			!slices.Equal(got.Units, []float64{10}) || !slices.Equal(got.Refused, []int{want.Throttled}) {
			t.Errorf("second %d: %+v", i, got)
		}
	}
	if l.BusiestShare != 1 || l.Effective != 1 || l.Sustainable != 2 {
		t.Errorf("share %v, effective %v, sustainable %v", l.BusiestShare, l.Effective, l.Sustainable)
	}
}

// TestDebt has requests that cost more than a second provides: 25 RU of 10. The next
// seconds pay for them.
//
//	#1 1.0  served at 1.01: 25 are spent, and 15 of them left to second 2
//	#2 2.0  refused at 2.01 until 3: 990 ms; sent again at 3.01
//	#3 3.0  served at 3.01, since second 3 begins with 5: 30 are spent
//	#2      refused at 3.02 until 6: 2980 ms
//	#4 4.0  refused at 4.01 until 6: 1990 ms
func TestDebt(t *testing.T) {
	const scenario = `{"seconds": 5, "partitions": 1, "throughput": 10, "latency": 20, "arrivals": "regular", "layouts": ["{id}"],
		"operations": [{"method": "create", "rate": 1, "charge": 25}], "retries": {"longest": 30}}`
	check(t, run(t, scenario, 1).Layouts[0], 4, 2, 0, 3, 50)
	// Who waits a second at most gives up #2 and #4.
	check(t, run(t, strings.Replace(scenario, "30}", "1}", 1), 1).Layouts[0], 4, 2, 2, 3, 50)
}

// TestClientsThatGiveUp has two clients that send a request twice, at a partition that
// does one write a second. The second one begins half a latency after the first.
//
//	client 0  A served at .01, done at .02; C refused at .03, known at .04, sent at 1.01
//	client 1  B refused at .02, known at .03, sent at 1.01
//	1.02      one of them served, and done at 1.03; the other one refused, and given up at
//	          1.03; both clients begin another, refused at 1.04 and sent at 2.01
//	2.02      the same again
//
// Second 0 has three operations, one of which is completed, and two 429s; each other one
// has two operations, one completed, one failed, and three 429s.
func TestClientsThatGiveUp(t *testing.T) {
	for name, retries := range map[string]string{
		"most":  `"most": 1`,
		"total": `"total": 1.5`, // the second wait takes nearly as long as the first
	} {
		l := run(t, `{"seconds": 4, "partitions": 1, "throughput": 5, "latency": 20, "clients": 2, "layouts": ["{id}"],
			"operations": [{"method": "create", "rate": 1}], "retries": {`+retries+`}}`, 7).Layouts[0]
		check(t, l, 3+3*2, 4, 3, 2+3*3, 20)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestFanOut sends queries to two physical partitions. A page costs 2.5 RU from each,
// and 0.05 for each KB of rows. A query without the key asks both, and one with the key
// asks one: 7.5 RU, and with four rows of 1 KB 0.1 from each of two and 0.2 from one.
func TestFanOut(t *testing.T) {
	for _, test := range []struct {
		results string
		units   float64
	}{{"0", 4 * 7.5}, {"4", 4 * 7.9}} {
		l := run(t, strings.ReplaceAll(`{"seconds": 2, "partitions": 2, "throughput": 1000, "arrivals": "regular",
			"layouts": ["{a}"], "properties": {"a": {"constant": "x"}, "b": {"uniform": 3}},
			"operations": [
				{"name": "all", "method": "query", "by": ["b"], "rate": 2.4, "results": N},
				{"name": "one", "method": "query", "by": ["a"], "rate": 2.4, "results": N}]}`, "N", test.results), 1).Layouts[0]
		check(t, l, 8, 8, 0, 0, test.units)
		if of := l.Methods[0]; of.Name != "all" || of.Completed != 4 || of.Latency != (Latency{5, 5, 5, 5}) {
			t.Errorf("got %+v", of)
		}
		requests := []int{l.Physical[0].Requests, l.Physical[1].Requests}
		if slices.Sort(requests); !slices.Equal(requests, []int{4, 8}) {
			t.Errorf("%v requests", requests)
		}
	}
}

// TestHalfAFanOut has queries, a request of which fails while the other one waits, at
// two physical partitions of 10 RU/s. Who waits a second at most gives up X, which a
// write leaves with debts. A query costs 12 RU at each, and the write 35.
//
//	.635   query 1  served at X and Y: completed
//	1.121  write 1  served at X, where 2 were spent: 37
//	1.26   query 2  refused at X until 4, so that it fails; served at Y, where 2 were spent: 14
//	1.885  query 3  refused at X until 4, and at Y until 2: it fails, and nothing is sent at 2
//	2.232  write 2  refused at X until 4: fails
//	2.51   query 4  refused at X until 4: fails; served at Y, where 4 are spent
func TestHalfAFanOut(t *testing.T) {
	for seed := range uint64(4) { // both answers of query 3 come at one moment
		l := run(t, `{"seconds": 3, "partitions": 2, "throughput": 20, "latency": 20, "arrivals": "regular", "retries": {"longest": 1},
			"layouts": ["{a}"], "properties": {"a": {"constant": "x"}},
			"operations": [{"method": "query", "rate": 1.6, "charge": 12}, {"method": "create", "rate": 0.9, "charge": 35}]}`, seed).Layouts[0]
		check(t, l, 6, 2, 4, 5, 24+35+12+12)
	}
}

// TestReadsAndWrites adds up charges: 1 RU for a point read of 1 KB, 5 for a write,
// whatever its method; a document of 100 KB costs ten times as much.
func TestReadsAndWrites(t *testing.T) {
	for size, times := range map[string]float64{"1024": 1, "102400": 10} {
		for _, method := range []string{methodCreate, methodUpsert, methodReplace, methodPatch, methodDelete, methodGet} {
			l := run(t, `{"seconds": 1, "partitions": 1, "throughput": 10000, "arrivals": "regular", "documentBytes": `+size+`, "layouts": ["{id}"],
				"operations": [{"method": "`+method+`", "rate": 10.5}]}`, 1).Layouts[0]
			want := 50 * times
			if method == methodGet {
				want = 10 * times
			}
			check(t, l, 10, 10, 0, 0, want)
		}
	}
}
