package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

var update = flag.Bool("update", false, "write the golden reports anew")

// run runs a scenario, given as JSON.
func run(t testing.TB, text string, seed uint64) *Report {
	t.Helper()
	s, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(context.Background(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// vehicles are clients that write events of vehicles, as fast as they can.
const vehicles = `{
	"seconds": 60, "partitions": 5, "throughput": 50000, "clients": 100,
	"layouts": ["{date}", "{date}.{vin%10}", "{date}.{vin%400}", "{date}.{*%400}"],
	"properties": {"date": {"time": "2006-01-02"}, "vin": {"uniform": 1000000, "prefix": "VIN"}},
	"operations": [{"method": "create", "rate": 1}]
}`

// TestGuide reproduces what Azure's guide to synthetic keys says: a date as key is
// stuck at the throughput of one physical partition, and a suffix spreads the load. One
// physical partition does 10,000 RU/s, which are 2,000 writes of 1 KB a second. How many
// of five are used is a matter of the hash: the busiest one has 3 of 10 suffixes, or 91 of 400,
// and the container does 10/3 or 400/91 of one partition's work.
func TestGuide(t *testing.T) {
	seeds.Long(t)
	r := run(t, vehicles, 1)
	for i, suffixes := range []int{1, 10, 400, 400} {
		ceiling := float64(suffixes) / float64(busiest(t, suffixes, 5))
		l := r.Layouts[i]
		if got := l.PerSecond / 2000; got > ceiling*1.005 || got < ceiling*0.985 {
			t.Errorf("%s does the work of %.3f physical partitions, and the hash leaves %.3f", l.Layout, got, ceiling)
		}
		if math.Abs(l.Effective-ceiling) > ceiling*0.01 || l.Failed > 0 {
			t.Errorf("%s uses %v physical partitions, and the hash leaves %.3f; %d failed", l.Layout, l.Effective, ceiling, l.Failed)
		}
		t.Logf("%-18s %8.1f/s of %.3f", l.Layout, l.PerSecond, ceiling)
	}
	for i, want := range []struct{ low, high float64 }{{1, 1}, {3.3, 3.4}, {4.3, 4.4}} {
		if got := r.Layouts[i].PerSecond / 2000; math.Round(got*10) < want.low*10 || math.Round(got*10) > want.high*10 {
			t.Errorf("%s does the work of %.3f physical partitions, want %v to %v", r.Layouts[i].Layout, got, want.low, want.high)
		}
	}
}

// busiest returns how many of the keys 2018-08-09.1 to 2018-08-09.n lie on the busiest
// of some physical partitions.
func busiest(t *testing.T, n, partitions int) int {
	t.Helper()
	l, err := layout.Candidate("{a}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	counts, most := make([]int, partitions), 0
	for i := 1; i <= n; i++ {
		key, err := l.Key(fmt.Appendf(nil, `{"a":"2018-08-09.%d"}`, i))
		if err != nil {
			t.Fatal(err)
		}
		epk, err := key.EPK()
		if err != nil {
			t.Fatal(err)
		}
		at, err := partitionOf(epk, partitions)
		if err != nil {
			t.Fatal(err)
		}
		counts[at]++
		most = max(most, counts[at])
	}
	return most
}

// TestGolden compares whole reports of small scenarios: the same on every machine.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.scenario.json")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		s, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		encoder := json.NewEncoder(&got)
		encoder.SetIndent("", "\t")
		if err := encoder.Encode(r); err != nil {
			t.Fatal(err)
		}
		golden := strings.Replace(path, ".scenario.", ".report.", 1)
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s has other figures than %s: run go test -update, and look why", path, golden)
		}
	}
}

// TestBooks adds figures up in every way that there is, under loads of every kind.
func TestBooks(t *testing.T) {
	for seed := range uint64(24) {
		clients, rate := "", 40.0
		if seed%2 == 1 {
			clients = fmt.Sprintf(`"clients": %d,`, 1+seed*3)
		}
		r := run(t, fmt.Sprintf(`{"seconds": 12, "partitions": %d, "throughput": 300, %s "latency": %d,
			"layouts": ["{a}", "{a}.{b%%7}", "{b},{a}", "{a}.{*%%9}"], "retries": {"most": %d},
			"properties": {"a": {"zipf": 20, "exponent": 1.3}, "b": {"uniform": 5, "number": true}},
			"operations": [{"method": "create", "rate": %v}, {"method": "query", "by": ["a"], "rate": 5, "results": 3}, {"method": "get", "rate": 30}]}`,
			1+seed%4, clients, 1+seed*7, seed%5, rate), seed)
		for _, l := range r.Layouts {
			books(t, r, l)
		}
	}
}

// books checks the sums of a layout.
func books(t *testing.T, r *Report, l Result) {
	t.Helper()
	rate := r.Throughput / float64(r.Partitions)
	var bySecond, byMethod, byPartition Result
	add := func(to *Result, operations, completed, failed, throttled int, units float64) {
		to.Operations += operations
		to.Completed += completed
		to.Failed += failed
		to.Throttled += throttled
		to.RequestUnits += units
	}
	for _, s := range l.BySeconds {
		add(&bySecond, s.Operations, s.Completed, s.Failed, s.Throttled, s.RequestUnits)
		units, refused := 0.0, 0
		for i := range s.Units {
			units += s.Units[i]
			refused += s.Refused[i]
		}
		if math.Abs(units-s.RequestUnits) > 1e-3 || refused != s.Throttled {
			t.Errorf("%s: second %d has %v RU and %d 429s, and its partitions %v and %d", l.Layout, s.Second, s.RequestUnits, s.Throttled, units, refused)
		}
	}
	for _, m := range l.Methods {
		add(&byMethod, m.Operations, m.Completed, m.Failed, m.Throttled, m.RequestUnits)
	}
	shares := 0.0
	for _, p := range l.Physical {
		add(&byPartition, 0, 0, 0, p.Throttled, p.RequestUnits)
		shares += p.Share
		// A partition owes no more than one request at the end.
		if p.RequestUnits > rate*float64(r.Seconds)+5 {
			t.Errorf("%s: partition %d spent %v RU of %v", l.Layout, p.Physical, p.RequestUnits, rate*float64(r.Seconds))
		}
	}
	for name, sum := range map[string]Result{"seconds": bySecond, "methods": byMethod} {
		if sum.Operations != l.Operations || sum.Completed != l.Completed || sum.Failed != l.Failed {
			t.Errorf("%s: %s add up to %+v, not %+v", l.Layout, name, sum, l)
		}
	}
	for _, sum := range []Result{bySecond, byMethod, byPartition} {
		if sum.Throttled != l.Throttled || math.Abs(sum.RequestUnits-l.RequestUnits) > 1e-2 {
			t.Errorf("%s: %d 429s and %v RU, not %d and %v", l.Layout, sum.Throttled, sum.RequestUnits, l.Throttled, l.RequestUnits)
		}
	}
	if l.Unfinished < 0 || math.Abs(shares-1) > 1e-3 || l.Latency.P50 > l.Latency.P90 || l.Latency.P90 > l.Latency.P99 || l.Latency.P99 > l.Latency.Max {
		t.Errorf("%s: %+v", l.Layout, l)
	}
}

// TestSameOperations expects the same operations on the same documents under every
// layout: a layout has one report, whichever others the scenario has.
func TestSameOperations(t *testing.T) {
	const layouts = `"{date}", "{date}.{vin%10}", "{date}.{vin%400}", "{date}.{*%400}"`
	short := strings.Replace(vehicles, `"seconds": 60`, `"seconds": 3`, 1)
	r := run(t, strings.Replace(short, layouts, `"{vin}", "{date}.{vin%10}"`, 1), 3)
	a, _ := json.Marshal(r.Layouts[0])
	b, _ := json.Marshal(run(t, strings.Replace(short, layouts, `"{date}.{*%400}", "{date}", "{vin}"`, 1), 3).Layouts[2])
	if !bytes.Equal(a, b) {
		t.Error("the same layout has two reports")
	}
	if other := run(t, short, 4).Layouts[1]; other.Effective == r.Layouts[1].Effective {
		t.Error("two seeds have the same figures")
	}
}

// TestInterrupted ends with the error of its context.
func TestInterrupted(t *testing.T) {
	s, err := parse([]byte(vehicles))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Run(ctx, 1); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// BenchmarkRun says how many operations a second are simulated, on all processors.
func BenchmarkRun(b *testing.B) {
	s, err := parse([]byte(vehicles))
	if err != nil {
		b.Fatal(err)
	}
	operations := 0
	for b.Loop() {
		r, err := s.Run(b.Context(), 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, l := range r.Layouts {
			operations += l.Operations
		}
	}
	b.ReportMetric(float64(operations)/b.Elapsed().Seconds(), "operations/s")
}
