package repository_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// quick are lease times for tests: short, but leases do not expire, nor are requests given
// up after a quarter of that time, while a busy machine leaves a process waiting.
var quick = repository.WithLeaseTimes(repository.LeaseTimes{
	Acquire: 130 * time.Millisecond, Renew: 170 * time.Millisecond, Expire: 30 * time.Second,
})

// newLeases makes a lease container on the server of things.
func newLeases(t *testing.T, server *harness.Account) *azcosmos.ContainerClient {
	t.Helper()
	client := server.Client(repository.Configure(nil))
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	leases, err := repository.EnsureLeases(context.Background(), db, "leases", repository.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return leases
}

// add stores n more documents.
func (c things) add(t *testing.T, name string, n int) []*thing {
	t.Helper()
	all := make([]*thing, n)
	for i := range all {
		all[i] = &thing{ID: fmt.Sprintf("%s%04d", name, i), Base: []string{"x", "y"}[i%2]}
		if err := c.Create(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// handled counts how often each document was handled, by id.
type handled struct {
	mu    sync.Mutex
	times map[string]int
}

func (h *handled) note(changes []repository.Delivery[thing]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.times == nil {
		h.times = map[string]int{}
	}
	for _, c := range changes {
		h.times[c.Doc.ID]++
	}
}

// await waits until all were handled, and returns how many were more than once.
func (h *handled) await(t *testing.T, all []*thing) (again int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		h.mu.Lock()
		missing, again := 0, 0
		for _, x := range all {
			switch n := h.times[x.ID]; {
			case n == 0:
				missing++
			case n > 1:
				again++
			}
		}
		h.mu.Unlock()
		if missing == 0 {
			return again
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d documents were not handled", missing, len(all))
		}
	}
}

// process runs a processor as a process of its own would. The function ends it.
func process(t *testing.T, p *repository.Processor) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	var once sync.Once
	end = func() {
		once.Do(func() {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("a processor ended with %v", err)
			}
		})
	}
	t.Cleanup(end)
	return end
}

func TestProcessorHandlesAll(t *testing.T) {
	t.Parallel()
	for _, dialect := range []repository.LeaseDialect{repository.DotNet, repository.JavaRange, repository.JavaEPK} {
		things := newThings(t, emulator.Options{Partitions: 5}, repository.Configure(nil), false)
		leases := newLeases(t, things.server)
		all := things.add(t, "a", 60)
		var got handled
		handle := func(_ context.Context, changes []repository.Delivery[thing]) error {
			if len(changes) == 0 || len(changes) > 4 {
				t.Errorf("a batch of %d changes", len(changes))
			}
			got.note(changes)
			return nil
		}
		options := []repository.ProcessorOption{quick, repository.WithLeaseDialect(dialect), repository.ProcessPageSize(4), repository.ProcessPollEvery(20 * time.Millisecond)}
		p := things.Processor("projection", leases, handle, options...)
		end := process(t, p)
		if again := got.await(t, all); again != 0 {
			t.Errorf("%d documents were handled again", again)
		}
		end()
		lags, err := p.Lag(context.Background())
		if err != nil || len(lags) != 5 {
			t.Fatalf("%v, %v", lags, err)
		}
		for _, l := range lags {
			if l.Changes != 0 || l.Owner != "" {
				t.Errorf("after all was handled: %+v", l)
			}
		}
		more := things.add(t, "b", 20)
		behind := int64(0)
		if lags, err = p.Lag(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, l := range lags {
			behind += l.Changes
		}
		if behind < 10 { // a transaction counts as one
			t.Errorf("the lag is %d after 20 documents", behind)
		}
		process(t, things.Processor("projection", leases, handle, options...))
		got.await(t, more)
		if again := got.await(t, all); again != 0 {
			t.Errorf("another process handles %d documents again", again)
		}
	}
}

// TestProcessorSavesAtItsEnd ends a processor while its handler works.
func TestProcessorSavesAtItsEnd(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{}, repository.Configure(nil), false)
	things.add(t, "a", 3)
	ctx, cancel := context.WithCancel(context.Background())
	p := things.Processor("projection", newLeases(t, things.server), func(context.Context, []repository.Delivery[thing]) error {
		cancel()
		return nil
	}, quick)
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	lags, err := p.Lag(context.Background())
	if err != nil || len(lags) != 1 || lags[0].Changes != 0 || lags[0].Owner != "" {
		t.Errorf("after the handler has returned nil: %+v, %v", lags, err)
	}
}

func TestProcessorTriesAgain(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	all := things.add(t, "a", 10)
	var got handled
	failures := map[string]int{}
	var mu sync.Mutex
	end := process(t, things.Processor("projection", newLeases(t, things.server), func(_ context.Context, changes []repository.Delivery[thing]) error {
		mu.Lock()
		defer mu.Unlock()
		if id := changes[0].Doc.ID; failures[id] < 2 {
			failures[id]++
			return errors.New("not yet")
		}
		got.note(changes)
		return nil
	}, quick, repository.ProcessPageSize(3), repository.OnError(func(_ context.Context, err error) bool {
		if err.Error() != "not yet" {
			t.Errorf("the error is %v", err)
		}
		return false
	})))
	if again := got.await(t, all); again != 0 {
		t.Errorf("%d documents were handled again", again)
	}
	end()
}

// TestProcessorsShareTheWork ends and starts processes while documents are written and
// physical partitions are split and merged.
func TestProcessorsShareTheWork(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	var got handled
	start := func() func() {
		own := repository.New(things.server.Container("things", repository.Configure(nil)), &thingModel)
		return process(t, own.Processor("projection", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
			time.Sleep(time.Millisecond)
			got.note(changes)
			return nil
		}, quick, repository.ProcessPageSize(5), repository.ProcessPollEvery(20*time.Millisecond)))
	}
	ends := []func(){start(), start()}
	var all []*thing
	for round := range 8 {
		all = append(all, things.add(t, fmt.Sprint("r", round, "-"), 30)...)
		switch round {
		case 1:
			if err := things.server.Split("db", "things", "1"); err != nil {
				t.Fatal(err)
			}
		case 3:
			if err := things.server.Merge("db", "things", "2", "3"); err != nil {
				t.Fatal(err)
			}
		case 5:
			ends[0]()
			ends = ends[1:]
		}
		ends = append(ends, start())
		time.Sleep(100 * time.Millisecond)
	}
	again := got.await(t, all)
	if most := len(all) / 4; again > most {
		t.Errorf("%d of %d documents were handled again, more than %d", again, len(all), most)
	}
	lags, err := things.Processor("projection", leases, func(context.Context, []repository.Delivery[thing]) error { return nil }).Lag(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for _, l := range lags {
		tokens = append(tokens, l.Lease)
	}
	if len(tokens) != 5 || slices.Contains(tokens, "1") {
		t.Errorf("after physical partition 1 of 4 was split, there are the leases %q", tokens)
	}
	t.Logf("%d of %d documents were handled again", again, len(all))
	for _, end := range ends {
		end()
	}
}

// TestProcessorsUnderFaults loses a fifth of the answers of the lease container, after
// its writes took effect, and refuses some requests.
func TestProcessorsUnderFaults(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	const path = "/colls/leases/docs"
	things.server.Inject(emulator.Fault{Path: path, Operation: emulator.OpReplaceItem, Probability: 0.2, Seed: 1, Count: -1, Drop: true, After: true})
	things.server.Inject(emulator.Fault{Path: path, Probability: 0.1, Seed: 2, Count: -1, Status: 429, RetryAfter: time.Millisecond})
	var got handled
	var ends []func()
	var failures atomic.Int64
	for range 3 {
		own := repository.New(things.server.Container("things", repository.Configure(nil)), &thingModel)
		ends = append(ends, process(t, own.Processor("projection", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
			got.note(changes)
			return nil
		}, quick, repository.ProcessPageSize(3), repository.ProcessPollEvery(20*time.Millisecond),
			repository.OnRequestError(func(_ context.Context, err error) {
				var own *repository.Error
				if !errors.As(err, &own) {
					t.Errorf("the error is %v", err)
				}
				failures.Add(1)
			}))))
	}
	var all []*thing
	for round := range 5 {
		all = append(all, things.add(t, fmt.Sprint("r", round, "-"), 20)...)
		time.Sleep(100 * time.Millisecond)
	}
	again := got.await(t, all)
	t.Logf("%d of %d documents were handled again, and %d requests were told of", again, len(all), failures.Load())
	if failures.Load() == 0 {
		t.Error("nobody was told of an answer that was lost")
	}
	for _, end := range ends {
		end()
	}
}

func TestProcessorsThatAreRefused(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	handle := func(context.Context, []repository.Delivery[thing]) error { return nil }
	for i, test := range []struct {
		processor *repository.Processor
		want      string
	}{
		{things.Processor("p", nil, handle), "lease container of the processor is nil"},
		{things.Processor("p", leases, nil), "handler of the processor is nil"},
		{things.Processor("p", leases, handle, nil), "a ProcessorOption is nil"},
		{things.Processor("p", leases, handle, repository.WithLeaseDialect(7)), "lease dialect 7"},
		{things.Processor("p", leases, handle, repository.WithLeaseTimes(repository.LeaseTimes{Expire: time.Second})), "renewed every 17s"},
		{things.Processor("p", leases, handle, repository.WithLeaseTimes(repository.LeaseTimes{Acquire: -time.Second})), "looked for every -1s"},
		{things.Processor("p", leases, handle, repository.ProcessFrom(repository.FromCursor("x"))), "does not begin at a cursor"},
		{things.Processor("p", things.server.Container("things", repository.Configure(nil)), handle), "leases need a container of their own"},
	} {
		err := test.processor.Run(context.Background())
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%d: %v", i, err)
		}
		if _, err := test.processor.Lag(context.Background()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d: the lag is refused by %v", i, err)
		}
	}
}
