package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// between calls f before a request for documents, counted from 1, is served.
func between(t *testing.T, a *Account, number int, f func()) {
	t.Helper()
	client := *a.client
	transport := client.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	requests := 0
	client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost {
			if requests++; requests == number {
				f()
			}
		}
		return transport.RoundTrip(r)
	})
	a.client = &client
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestSampleWhole reads everything, in one request for each physical partition.
func TestSampleWhole(t *testing.T) {
	a, s := serve(t, 500, "db")
	s.Inject(server.Fault{Operation: server.OpQueryItems, Skip: 1, Status: 429, RetryAfter: time.Millisecond, Count: 3})
	got, f := sample(t, a, whole())
	f.once(t, 500)
	want := Estimate{Documents: 500}
	if got.Documents != 500 || got.Windows != 1 || got.Of != 1 || got.Share != 1 || got.Stopped || *got.Estimate != want || got.Charge <= 0 {
		t.Errorf("%+v", got)
	}
	bytes := int64(0)
	for _, p := range got.Statistics.Partitions {
		bytes += p.Documents
	}
	if got.Statistics.Documents != 500 || bytes != 500 || len(got.Statistics.Partitions) != 3 || got.Statistics.Bytes < got.Bytes || got.Statistics.Bytes > got.Bytes+1024 {
		t.Errorf("%+v of %d bytes", got.Statistics, got.Bytes)
	}
}

// TestSampleSplits splits and merges physical partitions between two pages of one of
// them: each document comes once.
func TestSampleSplits(t *testing.T) {
	for _, pages := range []int{2, 3, 5, 8} {
		a, s := serve(t, 6000, "db") // 2,000 a physical partition: two pages or three
		c, err := a.Find(t.Context(), "", "c")
		if err != nil {
			t.Fatal(err)
		}
		ranges, err := a.Ranges(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		between(t, a, pages, func() {
			for _, r := range ranges {
				if err := s.Split("db", "c", r.ID); err != nil {
					t.Error(err)
				}
			}
		})
		got, f := sample(t, a, whole())
		f.once(t, 6000)
		if got.Documents != 6000 || got.Windows != 1 {
			t.Errorf("%d: %+v", pages, got)
		}
	}
}

// TestSampleWindows reads a tenth of the keys, some windows after a split, and expects
// the estimate to be near the truth.
func TestSampleWindows(t *testing.T) {
	a, s := serve(t, 6000, "db")
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := a.Ranges(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	between(t, a, 4, func() {
		if err := s.Split("db", "c", ranges[1].ID); err != nil {
			t.Error(err)
		}
	})
	got, f := sample(t, a, Sampling{Share: 0.1, Rand: rand.New(rand.NewPCG(1, 2))})
	f.once(t, int(got.Documents))
	if got.Windows != 8 || got.Of != 80 || got.Share != 0.1 || got.Documents < 450 || got.Documents > 750 {
		t.Errorf("%+v", got)
	}
	if e := got.Estimate; e.Documents != float64(10*got.Documents) || math.Abs(e.Documents-6000) > 2*e.Error || e.Error <= 0 {
		t.Errorf("%+v", e)
	}
}

// TestSampleSmall reads a small container as a whole, since that is cheaper.
func TestSampleSmall(t *testing.T) {
	a, _ := serve(t, 2, "db")
	got, f := sample(t, a, Sampling{Share: 0.5, Rand: rand.New(rand.NewPCG(1, 2))})
	f.once(t, 2)
	if got.Share != 1 || got.Charge > 13 { // three queries, the ranges and the container
		t.Errorf("%+v", got)
	}
}

// TestSampleBudget spends budgets, and never more.
func TestSampleBudget(t *testing.T) {
	for _, budget := range []float64{15, 20, 50, 100, 180} {
		a, _ := serve(t, 6000, "db")
		s := whole()
		s.Budget = budget
		got, f := sample(t, a, s)
		f.once(t, int(got.Documents))
		if !got.Stopped || got.Charge > budget || got.Charge < budget-6 || got.Documents == 0 || got.Share >= 1 || got.Of < fewWindows {
			t.Errorf("%v: %+v", budget, got)
		}
	}
	a, _ := serve(t, 6000, "db")
	s := whole()
	s.Budget = 1e6
	if got, f := sample(t, a, s); got.Stopped || got.Of != 1 || len(f) != 6000 {
		t.Errorf("%+v", got)
	}
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	s.Budget = 1
	if _, err := a.Sample(t.Context(), c, s, found{}.take); err == nil || !strings.Contains(err.Error(), "give a larger one") {
		t.Error(err)
	}
}

// TestLimit works pages out by hand: what is left but for a request, by 1.5 times what a
// document has cost.
func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		budget, spent, charge float64
		documents             int64
		want                  int
	}{
		{0, 1e9, 1e9, 1, 1000}, {100, 50, 30, 20, 20}, {100, 50, 0, 0, 47}, {100, 98, 30, 20, 0}, {100, 97, 3, 100, 4}, {1e6, 0, 1, 100, 1000},
	} {
		s := &sampling{Sampling: Sampling{Budget: tt.budget}, account: &Account{spent: tt.spent}, sample: &Sample{}, charge: tt.charge, documents: tt.documents}
		if got := s.limit(); got != tt.want || s.sample.Stopped != (got == 0) {
			t.Errorf("%+v: %d, stopped %v", tt, got, s.sample.Stopped)
		}
	}
}

// TestSampleWithoutStatistics samples where the gateway says nothing of the container.
func TestSampleWithoutStatistics(t *testing.T) {
	for documents, want := range map[int][2]int{6000: {8, 80}, 2: {1, 1}} {
		a, _ := serve(t, documents, "db")
		transport := http.DefaultTransport
		a.client = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			r.Header.Del("x-ms-documentdb-populatequotainfo")
			r.Header.Del("x-ms-documentdb-populatepartitionstatistics")
			return transport.RoundTrip(r)
		})}
		got, f := sample(t, a, Sampling{Share: 0.1, Rand: rand.New(rand.NewPCG(1, 2))})
		f.once(t, int(got.Documents))
		if got.Statistics.Documents != -1 || got.Statistics.Bytes != -1 || got.Statistics.Partitions != nil {
			t.Errorf("%+v", got.Statistics)
		}
		if documents == 6000 && (got.Of < 40 || got.Of > 160 || got.Documents < 300) || documents == 2 && (got.Of != 1 || got.Documents != 2) {
			t.Errorf("%d documents: %+v, about %v", documents, got, want)
		}
	}
}

// TestSampleRefused refuses what would be no sample.
func TestSampleRefused(t *testing.T) {
	a, _ := serve(t, 100, "db")
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	old := *c
	old.PartitionKey.Version = 0
	for _, s := range []Sampling{{Share: 0.5}, {Share: 1, Budget: 10}} {
		if _, err := a.Sample(t.Context(), &old, s, found{}.take); err == nil || !strings.Contains(err.Error(), "version 1") {
			t.Error(err)
		}
	}
	if _, err := a.Sample(t.Context(), &old, whole(), found{}.take); err != nil {
		t.Error(err)
	}
	// A gateway that does not know windows.
	transport := http.DefaultTransport
	a.client = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		r.Header.Del("x-ms-start-epk")
		r.Header.Del("x-ms-end-epk")
		r.Header.Del("x-ms-read-key-type")
		return transport.RoundTrip(r)
	})}
	s := Sampling{Share: 1, Budget: 60, Rand: rand.New(rand.NewPCG(1, 2))}
	if _, err := a.Sample(t.Context(), c, s, found{}.take); err == nil || !strings.Contains(err.Error(), "from outside the requested window") {
		t.Error(err)
	}
}

// TestSampleHierarchical reads windows of a hierarchical key: whole first levels.
func TestSampleHierarchical(t *testing.T) {
	s := harness.Bare(t, server.Options{Partitions: 3})
	all := make([]string, 3000)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id":"%d","tenant":"t%d","meta":{"user":%d}}`, i, i%300, i)
	}
	harness.Load(t, s, "db", `{"id":"c","partitionKey":{"paths":["/tenant","/meta/user"],"kind":"MultiHash","version":2}}`, all...)
	a, err := Open(harness.Listen(t, s, nil))
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	tenants := map[string]int{}
	got, err := a.Sample(t.Context(), c, Sampling{Share: 0.2, Rand: rand.New(rand.NewPCG(1, 2))}, func(documents []json.RawMessage) {
		for _, d := range documents {
			var doc struct{ Tenant string }
			_ = json.Unmarshal(d, &doc)
			tenants[doc.Tenant]++
		}
	})
	if err != nil || got.Of != 40 || len(tenants) < 20 {
		t.Fatalf("%+v, %v", got, err)
	}
	for tenant, n := range tenants {
		if n != 10 {
			t.Errorf("of tenant %s there are %d documents", tenant, n)
		}
	}
}

// TestDivide works costs out by hand: 2.8 RU a request and 0.55 RU a KB.
func TestDivide(t *testing.T) {
	const kb = 1024
	for _, tt := range []struct {
		what      string
		sampling  Sampling
		documents int64
		ranges    int
		n, of     int
	}{
		{"everything", Sampling{Share: 1}, 1e6, 10, 1, 1},
		{"8 windows cost more than 3 requests", Sampling{Share: 0.5}, 2, 3, 1, 1},
		// 8.4 + 13.75 for 25 KB against 22.4 + 6.875
		{"still", Sampling{Share: 0.5}, 25, 3, 1, 1},
		// 8.4 + 55 against 22.4 + 27.5
		{"no more", Sampling{Share: 0.5}, 100, 3, 8, 16},
		{"100 windows of 250 documents, of 400", Sampling{Share: 0.25}, 1e5, 5, 100, 400},
		{"no more than 512", Sampling{Share: 0.5}, 1e7, 50, 512, 1024},
		{"no more than 4,096 in all", Sampling{Share: 0.01}, 1e9, 50, 41, 4096},
		// 2.8 * 100 + 55,000 RU are far from 100; a window may cost 6.25: 55,000/3.45 > 4,096
		{"a small budget", Sampling{Share: 1, Budget: 100}, 1e5, 5, 4096, 4096},
		// 55,000 of 10,000: a window may cost 625: 55,000/622.2 = 88.4
		{"a budget", Sampling{Share: 1, Budget: 10000}, 1e5, 5, 89, 89},
		// a tenth of 55,280 costs less than the budget: 345.5 a window, 55,000/342.7 = 160.5
		{"a budget for a share", Sampling{Share: 0.1, Budget: 10000}, 1e5, 5, 16, 161},
		{"a large budget", Sampling{Share: 1, Budget: 250000}, 1e5, 5, 1, 1},
		{"nothing there", Sampling{Share: 1, Budget: 10}, 0, 1, 8, 8},
	} {
		if n, of := tt.sampling.divide(tt.documents, tt.documents*kb, tt.ranges); n != tt.n || of != tt.of {
			t.Errorf("%s: %d of %d, want %d of %d", tt.what, n, of, tt.n, tt.of)
		}
	}
}

// TestEstimate works errors out by hand.
func TestEstimate(t *testing.T) {
	// Mean 20, variance (100+0+100)/2 = 100, f = 3/12: 12 * sqrt(0.75 * 100/3) = 60.
	// Student's t for two degrees of freedom is 4.303.
	e := estimate([]int64{10, 20, 30}, 12)
	if e.Documents != 240 || math.Abs(e.Error-4.303*60) > 1e-9 {
		t.Errorf("%+v", e)
	}
	if e := estimate([]int64{10, 20}, 2); *e != (Estimate{Documents: 30}) {
		t.Errorf("all windows: %+v", e)
	}
	if e := estimate([]int64{10}, 2); e != nil {
		t.Errorf("one window: %+v", e)
	}
	if e := estimate(nil, 2); e != nil {
		t.Errorf("no window: %+v", e)
	}
}

// TestEstimateCovers draws many samples of windows of very unequal sizes: the interval
// holds the truth in about 95 of 100.
func TestEstimateCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := make([]int64, 1000)
	truth := 0.0
	for i := range all {
		all[i] = int64(100 * r.ExpFloat64())
		truth += float64(all[i])
	}
	hits := 0
	for range 2000 {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if e := estimate(all[:100], len(all)); math.Abs(e.Documents-truth) <= e.Error {
			hits++
		}
	}
	if hits < 1850 || hits > 1950 {
		t.Errorf("%d of 2,000 intervals hold the truth", hits)
	}
}

// TestEstimateOfFewWindows draws samples of as few windows as are read.
func TestEstimateOfFewWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := make([]int64, 160)
	truth := 0.0
	for i := range all {
		all[i] = int64(200 + 30*r.NormFloat64())
		truth += float64(all[i])
	}
	for _, n := range []int{2, 4, fewWindows, 11, 30} {
		hits := 0
		for range 4000 {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if e := estimate(all[:n], len(all)); math.Abs(e.Documents-truth) <= e.Error {
				hits++
			}
		}
		if hits < 3740 || hits > 3860 {
			t.Errorf("%d of 4,000 intervals of %d windows hold the truth", hits, n)
		}
	}
}

// TestPace keeps a rate on a clock that only pauses move.
func TestPace(t *testing.T) {
	a, _ := serve(t, 6000, "db")
	c, err := a.Find(t.Context(), "", "c")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	now, before := begin, a.Spent()
	a.pace.now = func() time.Time { return now }
	a.pace.sleep = func(_ context.Context, d time.Duration) error {
		now = now.Add(d)
		return nil
	}
	a.Pace(10)
	last := 0.0
	transport := http.DefaultTransport
	a.client = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if spent := a.Spent() - before; spent-last > 0 && now.Sub(begin).Seconds() < spent/10-1e-6 {
			t.Errorf("a request after %v, when %v RU are spent", now.Sub(begin), spent)
		}
		last = a.Spent() - before
		return transport.RoundTrip(r)
	})}
	if _, err := a.Sample(t.Context(), c, whole(), found{}.take); err != nil {
		t.Fatal(err)
	}
	if spent := a.Spent() - before; spent < 80 || now.Sub(begin).Seconds() > spent/10 {
		t.Errorf("%v RU in %v", spent, now.Sub(begin))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Ranges(ended, c); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestStatistics reads what a gateway may say.
func TestStatistics(t *testing.T) {
	for _, tt := range []struct {
		usage, body string
		want        string
	}{
		{"documentSize=0;documentsSize=672;documentsCount=731;collectionSize=864;", `{"id":"c","statistics":[{"id":"0","sizeInKB":2,"documentCount":731,"partitionKeys":[{"partitionKey":["a"],"sizeInKB":1}]}]}`,
			`{"documents":731,"bytes":688128,"partitions":[{"id":"0","documents":731,"bytes":2048,"keys":[{"key":"[\"a\"]","bytes":1024}]}]}`},
		{"documentsCount=-1;documentsSize=x;", `{"id":"c","statistics":[{"id":"0","sizeInKB":2}]}`, `{"documents":-1,"bytes":-1,"partitions":null}`},
		{"", `{"id":"c"}`, `{"documents":-1,"bytes":-1,"partitions":null}`},
		{"", `{"id":"c","statistics":["{}"]}`, `{"documents":-1,"bytes":-1,"partitions":null}`},
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("x-ms-resource-usage", tt.usage)
			_, _ = io.WriteString(w, tt.body)
		}))
		a, err := Open("AccountEndpoint=" + web.URL + "/;AccountKey=eA==")
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.Statistics(t.Context(), &Container{ID: "c", Database: "db"})
		web.Close()
		if got, _ := json.Marshal(s); err != nil || string(got) != tt.want {
			t.Errorf("%s, %v, want %s", got, err, tt.want)
		}
	}
}
