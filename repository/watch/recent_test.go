package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// recentAt is a Recent with a clock.
func recentAt(keys bool) (*Recent, *clock) {
	c := newClock()
	return &Recent{Keys: keys, now: c.now}, c
}

// get asks for the page, or for what accept says.
func get(t *testing.T, r *Recent, accept string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/debug/cosmos", nil)
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w
}

// TestRecentModel compares the summary with sums over a list of all events, in random
// load of twice the time that is kept.
func TestRecentModel(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		r, c := recentAt(true)
		type seen struct {
			step int64
			e    repository.Event
		}
		var all []seen
		for range 2000 {
			c.pass(time.Duration(random.IntN(1800)) * time.Millisecond)
			e := repository.Event{
				Op: fmt.Sprint("op", random.IntN(3)), Type: "T", Container: fmt.Sprint("c", random.IntN(2)),
				PartitionKey: fmt.Sprintf("%q", fmt.Sprint("k", random.IntN(30))), Range: fmt.Sprint(random.IntN(4)),
				RequestUnits: float64(random.IntN(1000)) / 4, Duration: time.Duration(random.IntN(1000)) * time.Millisecond,
				Attempts: 1 + random.IntN(3), Throttled: random.IntN(2), Rows: random.IntN(5),
			}
			if random.IntN(10) == 0 {
				e.Err = errors.New("x")
			}
			r.Observe(context.Background(), e)
			all = append(all, seen{c.now().UnixNano() / int64(r.step()), e})
		}
		s := r.Summary()
		last := c.now().UnixNano() / int64(r.step())
		want := &count{}
		units, keyUnits, dearest := map[place]float64{}, map[logical]float64{}, 0.0
		for _, a := range all {
			if a.step <= last-steps {
				continue
			}
			want.add(&a.e)
			units[place{a.e.Container, a.e.Range}] += a.e.RequestUnits
			keyUnits[logical{a.e.Container, a.e.PartitionKey}] += a.e.RequestUnits
			dearest = max(dearest, a.e.RequestUnits)
		}
		if s.Totals != want.totals() {
			t.Fatalf("seed %d: totals %+v, want %+v", seed, s.Totals, want.totals())
		}
		if len(s.Partitions) != len(units) || len(s.Operations) != 6 || len(s.Keys) != shownKeys || s.Dearest[0].RequestUnits != dearest {
			t.Fatalf("seed %d: %d physical partitions, %d operations, %d keys, dearest %+v", seed, len(s.Partitions), len(s.Operations), len(s.Keys), s.Dearest[0])
		}
		for _, p := range s.Partitions {
			sum := 0.0
			for _, u := range p.RequestUnitsByStep {
				sum += u
			}
			if w := units[place{p.Container, p.Partition}]; p.RequestUnits != w || sum != w {
				t.Errorf("seed %d: %s %s used %v, by step %v, want %v", seed, p.Container, p.Partition, p.RequestUnits, sum, w)
			}
		}
		for _, k := range s.Keys {
			if w := keyUnits[logical{k.Container, k.PartitionKey}]; k.RequestUnits != w || k.Error != 0 {
				t.Errorf("seed %d: %s used %v, want %v", seed, k.PartitionKey, k.RequestUnits, w)
			}
		}
	}
}

// TestRecentForgets passes the time that is kept.
func TestRecentForgets(t *testing.T) {
	r, c := recentAt(false)
	r.Observe(context.Background(), dearEvent())
	c.pass(defaultKeep - 16*time.Second)
	if got := r.Summary().Totals.Requests; got != 1 {
		t.Errorf("%d requests just before the end", got)
	}
	c.pass(32 * time.Second)
	if got := r.Summary().Totals.Requests; got != 0 {
		t.Errorf("%d requests afterwards", got)
	}
	c.pass(-time.Hour) // a clock that is set back
	r.Observe(context.Background(), dearEvent())
	r.Summary()
}

// TestRecentBounded observes more names, and longer ones, than are told apart.
func TestRecentBounded(t *testing.T) {
	r, c := recentAt(true)
	long := strings.Repeat("é", 5000)
	heaviest := repository.Event{Op: "get", Container: "c", PartitionKey: `"hot"`, RequestUnits: 50}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, total := heap(), 0.0
	for i := range 60_000 {
		if i%1000 == 0 {
			c.pass(r.step())
		}
		name := fmt.Sprint(i, long)
		e := repository.Event{Op: name, Type: name, Container: name, Range: name, PartitionKey: name, ID: name, Tenant: name, RequestUnits: 1 + float64(i%7)}
		if i%20 == 0 {
			e = heaviest
		}
		total += e.RequestUnits
		r.Observe(context.Background(), e)
	}
	if used := int64(heap()) - int64(before); used > 60<<20 {
		t.Errorf("it keeps %d bytes", used)
	}
	s := r.Summary()
	if s.Totals.Requests != 60_000 || math.Abs(s.Totals.RequestUnits-total) > 1e-6*total {
		t.Errorf("%d requests, %v RU, want %v", s.Totals.Requests, s.Totals.RequestUnits, total)
	}
	if s.Keys[0].PartitionKey != `"hot"` || s.Keys[0].RequestUnits-s.Keys[0].Error > 150_000 || s.Keys[0].RequestUnits < 150_000 {
		t.Errorf("the hottest key is %+v", s.Keys[0])
	}
	get(t, r, "")
	runtime.KeepAlive(r)
}

func TestRecentAccept(t *testing.T) {
	r, _ := recentAt(false)
	r.Observe(context.Background(), dearEvent())
	for accept, want := range map[string]string{
		"":                 "text/html; charset=utf-8",
		"*/*":              "text/html; charset=utf-8",
		"application/json": "application/json",
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "text/html; charset=utf-8",
		"application/json, text/html;q=0.5":                               "application/json",
		"application/json;q=0.1, text/html":                               "text/html; charset=utf-8",
		"application/json;q=x, ;;;":                                       "application/json",
		"application/problem+json":                                        "text/html; charset=utf-8",
	} {
		w := get(t, r, accept)
		if got := w.Header().Get("Content-Type"); got != want || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept %q: %v", accept, w.Header())
		}
		var s Summary
		if want == "application/json" && (json.Unmarshal(w.Body.Bytes(), &s) != nil || s.Totals.Requests != 1) {
			t.Errorf("Accept %q: %s", accept, w.Body)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, w.Code)
		}
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/", nil))
	if w.Code != http.StatusOK || w.Body.Len() != 0 {
		t.Errorf("HEAD: status %d, %d bytes", w.Code, w.Body.Len())
	}
}

// TestRecentPrivacy checks that nothing of a document is shown unless asked for.
func TestRecentPrivacy(t *testing.T) {
	for _, keys := range []bool{false, true} {
		r, _ := recentAt(keys)
		e := dearEvent()
		e.Err = errors.New("of the service-secret")
		r.Observe(context.Background(), e)
		for _, accept := range []string{"", "application/json"} {
			body := get(t, r, accept).Body.String()
			for _, name := range []string{"id-secret", "pk-secret", "t-secret"} {
				if strings.Contains(body, name) != keys {
					t.Errorf("keys %v, Accept %q: %s shown: %v", keys, accept, name, !keys)
				}
			}
			if strings.Contains(body, "service-secret") {
				t.Error("the text of an error is shown")
			}
		}
	}
}

// TestRecentHostile has names that would be markup.
func TestRecentHostile(t *testing.T) {
	r, _ := recentAt(true)
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&` + "\u202e\x00\xff"
	for _, container := range []string{evil, "b"} {
		r.Observe(context.Background(), repository.Event{Op: evil, Type: evil, Container: container, Range: evil, ID: evil, PartitionKey: evil, Tenant: evil, RequestUnits: 5, Attempts: 2, Throttled: 1})
	}
	body := get(t, r, "").Body.String()
	for _, bad := range []string{"<script>alert", "<img", "\u202e", "\x00"} {
		if strings.Contains(body, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	var s Summary
	if err := json.Unmarshal(get(t, r, "application/json").Body.Bytes(), &s); err != nil {
		t.Error(err)
	}
}

func TestRecentConcurrent(t *testing.T) {
	r := &Recent{Keep: 60 * time.Millisecond, Keys: true}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 2000 {
				r.Observe(context.Background(), repository.Event{Op: "get", Container: "c", Range: fmt.Sprint(j % 9), PartitionKey: fmt.Sprint(j % 300), RequestUnits: float64(i)})
				if j%100 == 0 {
					r.Summary()
				}
			}
		})
	}
	wg.Wait()
	if _, err := json.Marshal(r.Summary()); err != nil {
		t.Error(err)
	}
}

// TestRecentPage writes a page of a busy service to the folder of PKGEN_PAGES, if that is
// set, for a look.
func TestRecentPage(t *testing.T) {
	r, c := recentAt(true)
	random := rand.New(rand.NewPCG(7, 7))
	for range 9000 {
		c.pass(100 * time.Millisecond)
		e := repository.Event{
			Op: "get", Type: "Order", Container: "orders", ID: fmt.Sprint("o", random.IntN(10_000)), PartitionKey: fmt.Sprintf("%q", fmt.Sprint("customer-", random.IntN(400))),
			Range: fmt.Sprint(random.IntN(6)), RequestUnits: 1, Duration: time.Duration(3+random.IntN(9)) * time.Millisecond, Attempts: 1, Status: 200,
		}
		switch random.IntN(6) {
		case 0:
			e.Op, e.ID, e.PartitionKey, e.RequestUnits, e.Rows, e.Duration = "query", "", "", 20+random.Float64()*90, random.IntN(100), 30*time.Millisecond
		case 1:
			e.Op, e.RequestUnits, e.Status = "create", 7.4, 201
		case 2:
			e.Type, e.Container, e.Op, e.RequestUnits = "Telemetry", "telemetry", "upsert", 9.5
		case 3:
			if c.now().Minute() > 7 {
				e.Range, e.PartitionKey, e.RequestUnits, e.Attempts, e.Throttled = "3", `"customer-1"`, 40, 1+random.IntN(3), random.IntN(2)
			}
		case 4:
			e.Range = ""
		}
		r.Observe(context.Background(), e)
	}
	body := get(t, r, "").Body.String()
	for _, want := range []string{"<h1>", "Load of physical partitions", "orders 3", "telemetry 0", "several or unknown", "Hottest partition keys", "customer-1", "The dearest requests", "Attempts beyond the first", "15 minutes"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	empty, _ := recentAt(false)
	if body := get(t, empty, "").Body.String(); !strings.Contains(body, "There were no requests") {
		t.Error("an empty page does not say so")
	}
	if folder := os.Getenv("PKGEN_PAGES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "watch.html"), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkRecent(b *testing.B) {
	for name, r := range map[string]*Recent{"plain": {}, "keys": {Keys: true}} {
		b.Run(name, func(b *testing.B) {
			e := repository.Event{Op: "get", Type: "T", Container: "c", Range: "3", PartitionKey: `"a"`, RequestUnits: 1}
			for b.Loop() {
				r.Observe(context.Background(), e)
			}
		})
	}
}
