package repository_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// handledReadings are the values of the readings that processes have handled: the numbers of
// their writes.
type handledReadings struct {
	mu   sync.Mutex
	last map[string]int // by id
	all  map[int]int    // how often each number came
}

func (h *handledReadings) note(_ context.Context, changes []feed.Delivery[fixtures.Reading]) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil {
		h.last, h.all = map[string]int{}, map[int]int{}
	}
	for _, c := range changes {
		h.last[c.Doc.ID] = c.Doc.Value
		h.all[c.Doc.Value]++
	}
	return nil
}

// await waits until the last change that was handled of each reading is its last write.
func (h *handledReadings) await(t testing.TB, written map[string]int) {
	t.Helper()
	await(t, func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		for id, n := range written {
			if h.last[id] != n {
				return fmt.Sprintf("of reading %s, write %d was handled last, and %d is the last", id, h.last[id], n)
			}
		}
		return ""
	})
}

// await waits until wrong returns nothing.
func await(t testing.TB, wrong func() string) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		what := wrong()
		if what == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// workers makes processes of a processor.
type workers struct {
	kit.Readings
	leases *azcosmos.ContainerClient
	clock  *testClock
	opts   []feed.Option
}

func newWorkers(t testing.TB, partitions int, opts ...feed.Option) workers {
	t.Helper()
	clock := &testClock{}
	r := kit.NewReadings(t, partitions).Elsewhere(t, true, withNow(clock.now))
	return workers{r, r.NewLeases(t), clock, append([]feed.Option{kit.Quick, feed.PollEvery(20 * time.Millisecond)}, opts...)}
}

// processor is that of another process.
func (w workers) processor(t testing.TB, handle func(context.Context, []feed.Delivery[fixtures.Reading]) error, opts ...feed.Option) *feed.Processor {
	t.Helper()
	own := w.Elsewhere(t, true, withNow(w.clock.now))
	return feed.NewProcessor(own.Documents, "projection", w.leases, handle, append(w.opts[:len(w.opts):len(w.opts)], opts...)...)
}

func (w workers) write(t testing.TB, written map[string]int, month, n int) {
	t.Helper()
	for i := range n {
		x := kit.ReadingAt(fmt.Sprintf("r%d-%d", month, i), month, 1+i%20)
		x.Value = len(written)*1000 + written[x.ID] + 1
		w.Put(t, x)
		written[x.ID] = x.Value
	}
}

// TestProcessorOverWindows has processes share the windows, both existing and new ones.
func TestProcessorOverWindows(t *testing.T) {
	t.Parallel()
	w := newWorkers(t, 2)
	var got handledReadings
	owners := sync.Map{}
	observe := kit.Observe(func(_ context.Context, e feed.Event) {
		if e.Op == "handle" {
			owners.Store(e.Container, true)
		}
	})
	end := kit.RunProcessor(t, w.processor(t, got.note, observe))
	written := map[string]int{}
	w.Make(t, kit.Window(1), kit.Window(2))
	w.write(t, written, 1, 5)
	w.write(t, written, 2, 5)
	got.await(t, written)
	second := kit.RunProcessor(t, w.processor(t, got.note, observe))
	w.Make(t, kit.Window(3))
	w.write(t, written, 3, 10)
	got.await(t, written)
	p := w.processor(t, got.note)
	await(t, func() string {
		lags, err := p.Lag(context.Background())
		if err != nil || len(lags) != 6 {
			t.Fatalf("%v, %v", lags, err)
		}
		count := map[string]int{}
		for _, l := range lags {
			count[l.Owner]++
			if l.Changes != 0 {
				return fmt.Sprintf("the lag of all that was handled: %+v", l)
			}
		}
		for _, n := range count {
			if n != 3 {
				return fmt.Sprintf("two processes have the leases %v", count)
			}
		}
		return ""
	})
	end()
	w.write(t, written, 1, 10)
	got.await(t, written)
	second()
	for i := 1; i <= 3; i++ {
		if _, ok := owners.Load(kit.Window(i)); !ok {
			t.Errorf("no event has the container %s", kit.Window(i))
		}
	}
	for n, times := range got.all {
		if times > 2 {
			t.Errorf("write %d was handled %d times", n, times)
		}
	}
}

// TestProcessorOverWindowsRestoresLostLeases deletes all leases of one window and one of another.
func TestProcessorOverWindowsRestoresLostLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t, 2)
		var got handledReadings
		var restored sync.Map
		end := kit.RunProcessor(t, w.processor(t, got.note, kit.Observe(func(_ context.Context, e feed.Event) {
			if e.Op == "restore" {
				restored.Store(e.Container+" "+e.Lease, true)
			}
		})))
		written := map[string]int{}
		w.Make(t, kit.Window(1), kit.Window(2), kit.Window(3))
		for month := 1; month <= 3; month++ {
			w.write(t, written, month, 5)
		}
		got.await(t, written)
		all, err := harness.Stored[struct {
			ID         string
			LeaseToken string
			Properties map[string]string
		}](t.Context(), w.leases)
		if err != nil {
			t.Fatal(err)
		}
		want := map[any]bool{}
		for _, l := range all {
			window := l.Properties["pkgenWindow"]
			if window == kit.Window(1) || window == kit.Window(2) && l.LeaseToken == "0" {
				if _, err := w.leases.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString(l.ID), l.ID, nil); err != nil {
					t.Fatal(err)
				}
				want[window+" "+l.LeaseToken] = true
			}
		}
		for month := 1; month <= 3; month++ {
			w.write(t, written, month, 10)
		}
		got.await(t, written)
		await(t, func() string {
			told := map[any]bool{}
			restored.Range(func(lease, _ any) bool { told[lease] = true; return true })
			if len(want) != 3 || !maps.Equal(told, want) {
				return fmt.Sprintf("of the leases %v, %v were restored", want, told)
			}
			return ""
		})
		end()
	})
}

// leaseOf is the first lease of a window.
func (w workers) leaseOf(t testing.TB, name string) (owner, document string) {
	t.Helper()
	all, err := harness.Stored[json.RawMessage](context.Background(), w.leases)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range all {
		if s := string(raw); strings.Contains(s, `"pkgenWindow":"`+name+`"`) {
			owner := "somebody"
			if strings.Contains(s, `"Owner":null`) {
				owner = ""
			}
			return owner, s
		}
	}
	return "", ""
}

func isClosed(document string) bool {
	return document != "" && strings.Contains(document, `"pkgenClosed":"2`)
}

// awaitClosed waits until the lease of a window is closed.
func (w workers) awaitClosed(t testing.TB, month int) {
	t.Helper()
	await(t, func() string {
		if owner, document := w.leaseOf(t, kit.Window(month)); owner != "" || !isClosed(document) {
			return "the window is not closed: " + document
		}
		return ""
	})
}

// TestProcessorClosesWindows has windows closed that are quiet, and finds late changes in
// them.
func TestProcessorClosesWindows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t, 1, feed.CloseWindows(1500*time.Millisecond))
		w.Make(t, kit.Window(5), kit.Window(6))
		written := map[string]int{}
		w.write(t, written, 5, 4)
		w.write(t, written, 6, 4)
		var got handledReadings
		end := kit.RunProcessor(t, w.processor(t, got.note))
		got.await(t, written)
		w.awaitClosed(t, 5)
		if owner, document := w.leaseOf(t, kit.Window(6)); owner == "" || isClosed(document) {
			t.Errorf("the window of now: %s", document)
		}
		w.write(t, written, 5, 6) // late
		got.await(t, written)
		w.awaitClosed(t, 5)
		end()
		w.write(t, written, 5, 8) // while no process runs
		kit.RunProcessor(t, w.processor(t, got.note))
		got.await(t, written)
		for n, times := range got.all {
			if times != 1 {
				t.Errorf("write %d was handled %d times", n, times)
			}
		}
	})
}

// TestProcessorLeavesClosedWindows has a window that is closed cost nothing, in another
// process too.
func TestProcessorLeavesClosedWindows(t *testing.T) {
	t.Parallel()
	w := newWorkers(t, 1)
	w.Make(t, kit.Window(5))
	written := map[string]int{}
	w.write(t, written, 5, 4)
	var got handledReadings
	end := kit.RunProcessor(t, w.processor(t, got.note, feed.CloseWindows(time.Millisecond)))
	got.await(t, written)
	w.awaitClosed(t, 5)
	end()
	w.awaitClosed(t, 5)
	w.Server.ResetRequests()
	looks := func() (n int) {
		asked := 0
		for _, q := range w.Server.Requests() {
			if strings.Contains(q.Path, "/colls/"+kit.Window(5)) {
				asked++
			}
			if q.Operation == emulator.OpQueryContainers {
				n++
			}
		}
		if asked > 1 { // which says where the containers are
			t.Fatalf("%d requests for the window", asked)
		}
		return n
	}
	kit.RunProcessor(t, w.processor(t, got.note, feed.CloseWindows(time.Hour)))
	await(t, func() string {
		if looks() < 4 {
			return "the containers were not listed"
		}
		return ""
	})
}

// TestProcessorOverManyWindows has a process open many windows, and counts its goroutines.
func TestProcessorOverManyWindows(t *testing.T) {
	many := seeds.Few(120, 60)
	w := newWorkers(t, 1, feed.PollEvery(time.Second), feed.CloseWindows(time.Minute))
	written := map[string]int{}
	for i := range many {
		at := time.Date(2010, time.Month(1+i), 3, 0, 0, 0, 0, time.UTC)
		w.Make(t, "telemetry-"+at.Format("2006-01"))
		x := &fixtures.Reading{ID: fmt.Sprint("m", i), Device: "d", At: repository.NewTime(at), Value: i + 1}
		w.Put(t, x)
		written[x.ID] = x.Value
	}
	before := runtime.NumGoroutine()
	var got handledReadings
	kit.RunProcessor(t, w.processor(t, got.note))
	most := 0
	await(t, func() string {
		most = max(most, runtime.NumGoroutine()-before)
		got.mu.Lock()
		defer got.mu.Unlock()
		if len(got.last) < len(written) {
			return fmt.Sprintf("%d of %d windows were handled", len(got.last), len(written))
		}
		return ""
	})
	t.Logf("%d goroutines for %d windows", most, many)
	if most > 8*many {
		t.Errorf("%d goroutines for %d windows", most, many)
	}
}

// TestProcessorsUnderFaultsOverWindows has several processes begin at once, while requests
// fail.
func TestProcessorsUnderFaultsOverWindows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t, 2)
		written := map[string]int{}
		for month := 1; month <= 6; month++ {
			w.Make(t, kit.Window(month))
			w.write(t, written, month, 3)
		}
		w.Server.Inject(emulator.Fault{Path: "/colls/leases/docs", Operation: emulator.OpReplaceItem, Probability: 0.2, Seed: 1, Count: -1, Drop: true, After: true})
		w.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Probability: 0.2, Seed: 2, Count: -1, Status: http.StatusServiceUnavailable})
		w.Server.Inject(emulator.Fault{Operation: emulator.OpReadChangeFeed, Probability: 0.1, Seed: 3, Count: -1, Status: 429, RetryAfter: time.Millisecond})
		var got handledReadings
		for range 3 {
			kit.RunProcessor(t, w.processor(t, got.note))
		}
		for month := 1; month <= 6; month++ {
			w.write(t, written, month, 5)
		}
		got.await(t, written)
	})
}
