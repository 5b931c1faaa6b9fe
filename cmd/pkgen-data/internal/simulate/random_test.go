package simulate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// TestExponential compares a sample with the distribution: the mean is 1, and a share of
// e^-x exceeds x.
func TestExponential(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 200_000
	sum, above := 0.0, make([]float64, 4)
	for range n {
		x := exponential(r)
		sum += x
		for i := range above {
			if x > float64(i)+0.5 {
				above[i]++
			}
		}
	}
	if mean := sum / n; math.Abs(mean-1) > 0.01 {
		t.Errorf("the mean is %v", mean)
	}
	for i, count := range above {
		if got, want := count/n, math.Exp(-float64(i)-0.5); math.Abs(got-want) > 0.005 {
			t.Errorf("%v exceed %v, want %v", got, float64(i)+0.5, want)
		}
	}
}

// TestZipf compares frequencies with weights: by hand, of three numbers with s = 1, 6/11,
// 3/11 and 2/11.
func TestZipf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 110_000
	counts := make([]float64, 4)
	for z := newZipf(3, 1); counts[0] < n; counts[0]++ {
		counts[z.draw(r)]++
	}
	for k, want := range []float64{1: 60_000, 2: 30_000, 3: 20_000} {
		if k > 0 && math.Abs(counts[k]-want) > 1000 {
			t.Errorf("%v times %d, want %v", counts[k], k, want)
		}
	}
	for z, k := newZipf(1, 2), 0; k < 10; k++ {
		if z.draw(r) != 1 {
			t.Error("the only number is not 1")
		}
	}
}

// TestPower compares with package math, which some machines round otherwise.
func TestPower(t *testing.T) {
	for _, x := range []float64{1, 2, 3, 10, 999_999} {
		for _, s := range []float64{0, 0.25, 0.5, 0.9, 1, 1.07, 1.2, 2, 3.75} {
			if got, want := power(x, s), math.Pow(x, s); math.Abs(got-want) > want*2e-5 {
				t.Errorf("%v^%v is %v, want %v", x, s, got, want)
			}
		}
	}
}

// TestQueue takes events out in their order.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q queue
	for i := range 5000 {
		q.push(event{r.Int64N(1000), r.Uint32N(10), int32(i)})
		if r.IntN(3) == 0 {
			q.pop()
		}
	}
	last := event{at: -1}
	for len(q) > 0 {
		e := q.pop()
		if e.at < last.at || e.at == last.at && e.tie < last.tie {
			t.Fatalf("%v comes after %v", e, last)
		}
		last = e
	}
}

// TestPartitionOf compares with ranges of big numbers, whose bounds the service has.
func TestPartitionOf(t *testing.T) {
	space := new(big.Int).Lsh(big.NewInt(1), 126)
	for n := 1; n <= 64; n++ {
		for i := range 50 {
			epk, err := partition.EPK("key", float64(i))
			if err != nil {
				t.Fatal(err)
			}
			hash, _ := new(big.Int).SetString(epk[:32], 16)
			want := new(big.Int).Div(hash.Mul(hash, big.NewInt(int64(n))), space)
			if got, err := partitionOf(epk, n); err != nil || int64(got) != want.Int64() {
				t.Errorf("%s is on %d of %d, %v, want %d", epk, got, n, err, want)
			}
		}
	}
}

// TestDocument makes documents of each kind of value.
func TestDocument(t *testing.T) {
	s, err := parse([]byte(`{"seconds": 1, "partitions": 1, "throughput": 100, "layouts": ["{id}"], "operations": [
		{"method": "get", "rate": 1}, {"name": "other", "method": "get", "rate": 1, "properties": {"a.b": {"constant": [1, null]}, "id": {"constant": "x"}}}],
		"properties": {"a.b": {"uniform": 1, "prefix": "q\"u"}, "a.c.d": {"zipf": 1, "number": true}, "e": {"time": "2006-01-02T15:04:05.000Z07:00"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	makers, err := s.makers()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawing{rand: rand.New(rand.NewPCG(1, 2)), now: time.Date(2024, 2, 29, 1, 2, 3, 45e6, time.UTC), number: 17}
	for i, want := range []string{
		`{"a":{"b":"q\"u1","c":{"d":1}},"e":"2024-02-29T01:02:03.045Z","id":"17"}`,
		`{"a":{"b":[1, null],"c":{"d":1}},"e":"2024-02-29T01:02:03.045Z","id":"x"}`,
	} {
		if got := string(makers[i].document(d)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestPlaces says which physical partitions operations go to.
func TestPlaces(t *testing.T) {
	s, err := parse([]byte(`{"seconds": 1, "partitions": 8, "throughput": 100, "layouts": ["{date}.{vin%400}", "{date}.{vin%2}", "{date}", "{vin}", "{date},{vin}", "{date}.{*%400}"],
		"properties": {"date": {"constant": "2018-08-09"}, "vin": {"constant": "v"}},
		"operations": [{"method": "create", "rate": 1}, {"name": "both", "method": "query", "by": ["date", "vin"], "rate": 1},
			{"name": "date", "method": "query", "by": ["date"], "rate": 1}, {"name": "scan", "method": "query", "rate": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	document := []byte(`{"date":"2018-08-09","vin":"v","id":"1"}`)
	for i, want := range [][4]int{{1, 1, 8, 8}, {1, 1, 2, 8}, {1, 1, 1, 8}, {1, 1, 8, 8}, {1, 1, 1, 8}, {1, 8, 8, 8}} {
		p, err := newPlace(s, s.Layouts[i])
		if err != nil {
			t.Fatal(err)
		}
		for operation := range s.Operations {
			targets, err := p.of(operation, document)
			if err != nil || len(targets) != want[operation] {
				t.Errorf("%s: %s goes to %v, %v, want %d", s.Layouts[i], s.Operations[operation].Name, targets, err, want[operation])
			}
		}
	}
}

// TestLatency has percentiles by hand: of ten times, the fifth, the ninth and the tenth.
func TestLatency(t *testing.T) {
	all := make(times)
	if got := all.latency(); got != (Latency{}) {
		t.Errorf("no times have %+v", got)
	}
	for took, n := range map[int64]int{1000: 4, 2500: 4, 3000: 1, 70_001: 1} {
		all.add(took, n)
	}
	if got, want := all.latency(), (Latency{P50: 2.5, P90: 3, P99: 70.001, Max: 70.001}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
