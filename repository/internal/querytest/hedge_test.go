package querytest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// regions are two servers with the same documents, and a repository that asks the second
// one if the first is slow.
type regions struct {
	first, second *harness.Account
	sent          *headers // to the second
	events        *fleet.VehicleEventRepository

	mu   sync.Mutex
	seen []repository.Event
}

func newRegions(t *testing.T, after time.Duration) *regions {
	t.Helper()
	r := &regions{sent: &headers{}}
	options := func(own ...policy.Policy) *azcosmos.ClientOptions {
		o := &azcosmos.ClientOptions{}
		o.Retry = policy.RetryOptions{MaxRetries: 1, RetryDelay: time.Millisecond, MaxRetryDelay: time.Second}
		o = repository.Configure(o)
		o.PerRetryPolicies = append(o.PerRetryPolicies, own...)
		return o
	}
	var a, b *azcosmos.ContainerClient
	r.first, a = harness.NewContainer(t, emulator.Options{Partitions: 2}, fleet.VehicleEventContainer(), options())
	r.second, b = harness.NewContainer(t, emulator.Options{Partitions: 2}, fleet.VehicleEventContainer(), options(r.sent))
	fill(t, fleet.NewVehicleEventRepository(a), 10)
	fill(t, fleet.NewVehicleEventRepository(b), 9)
	r.sent.take()
	r.events = fleet.NewVehicleEventRepository(a, repository.WithHedging(b, after), repository.WithObserver(func(_ context.Context, e repository.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seen = append(r.seen, e)
	}))
	return r
}

// get reads an event, and returns how many requests the meter has counted.
func (r *regions) get(ctx context.Context, n int) (requests int, took time.Duration, err error) {
	var meter repository.Meter
	began := time.Now()
	got, err := r.events.Get(repository.WithMeter(ctx, &meter), event(n).Key())
	if err == nil && got.ID != event(n).ID {
		err = errors.New("another document: " + got.ID)
	}
	return meter.Requests(), time.Since(began), err
}

const slow = 20 * time.Second // longer than any test takes

// TestHedgingWaits asks the first region alone while it is fast.
func TestHedgingWaits(t *testing.T) {
	t.Parallel()
	r := newRegions(t, slow)
	for n := range 10 {
		if requests, _, err := r.get(context.Background(), n); err != nil || requests != 1 {
			t.Errorf("%d requests, %v", requests, err)
		}
	}
	if _, _, err := r.get(context.Background(), 99); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("of no document: %v", err)
	}
	if sent := r.sent.take(); len(sent) != 0 {
		t.Errorf("%d requests to the second region", len(sent))
	}
}

// TestHedgingSlow takes the answer of the second region, counts and tells of both requests,
// and waits for neither.
func TestHedgingSlow(t *testing.T) {
	t.Parallel()
	r := newRegions(t, 10*time.Millisecond)
	r.first.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: slow})
	requests, took, err := r.get(context.Background(), 1)
	if err != nil || requests != 2 || took > slow/2 {
		t.Errorf("%d requests in %v, %v", requests, took, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seen) != 2 || r.seen[0].Err != nil || !errors.Is(r.seen[1].Err, context.Canceled) {
		t.Errorf("observed %+v", r.seen)
	}
	if r.seen[0].RequestUnits == 0 {
		t.Error("the read costs nothing")
	}
}

// TestHedgingFails asks the second region when the first has failed, and tells the error of
// the first if both have.
func TestHedgingFails(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"busy":    {Status: 503},
		"full":    {Status: 429},
		"dropped": {Drop: true},
		"broken":  {Body: func(b []byte) []byte { return b[:len(b)/2] }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { testHedgingFails(t, fault) }) // azcosmos waits a second where a connection breaks
		})
	}
}

func testHedgingFails(t *testing.T, fault emulator.Fault) {
	r := newRegions(t, slow)
	fault.Operation, fault.Count = emulator.OpReadItem, -1
	r.first.Inject(fault)
	if _, took, err := r.get(context.Background(), 1); err != nil || took > slow/2 {
		t.Errorf("after %v: %v", took, err)
	}
	r.second.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusForbidden, Count: -1})
	_, _, err := r.get(context.Background(), 1)
	var answer *azcore.ResponseError
	if err == nil || errors.As(err, &answer) && answer.StatusCode == http.StatusForbidden {
		t.Errorf("both have failed: %v", err)
	}
}

// TestHedgingAbsent does not believe the second region, which may not have the newest writes, that there is
// no document.
func TestHedgingAbsent(t *testing.T) {
	t.Parallel()
	r := newRegions(t, time.Millisecond)
	r.first.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: 200 * time.Millisecond})
	if requests, _, err := r.get(context.Background(), 9); err != nil || requests != 2 { // which the second lacks
		t.Errorf("%d requests, %v", requests, err)
	}
	r.first.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: 503, Count: -1})
	if _, _, err := r.get(context.Background(), 9); err == nil || errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the first region has failed, and the second has no document: %v", err)
	}
}

// TestHedgingNot sends the second region nothing under a session, and nothing but point
// reads.
func TestHedgingNot(t *testing.T) {
	t.Parallel()
	r := newRegions(t, 0)
	ctx := context.Background()
	var session repository.Session
	for name, run := range map[string]func() error{
		"session": func() error {
			_, err := r.events.Get(repository.WithSession(ctx, &session), event(1).Key())
			return err
		},
		"query":    func() error { _, err := r.events.Scan().Collect(ctx); return err },
		"get many": func() error { _, err := r.events.GetMany(ctx, []fleet.VehicleEventKey{event(1).Key()}); return err },
		"upsert":   func() error { return r.events.Upsert(ctx, event(1)) },
		"update": func() error {
			return r.events.Update(ctx, event(2).Key(), func(e *fleet.VehicleEvent) error { e.Speed++; return nil })
		},
		"delete": func() error { return r.events.Delete(ctx, event(3).Key()) },
	} {
		r.first.Inject(emulator.Fault{Delay: 20 * time.Millisecond})
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if sent := r.sent.take(); len(sent) != 0 {
			t.Errorf("%s: %d requests to the second region", name, len(sent))
		}
		r.first.ClearFaults()
	}
	if _, _, err := r.get(ctx, 1); err != nil {
		t.Error(err)
	}
	for _, header := range r.sent.take() {
		if token := header.Get("x-ms-session-token"); token != "" {
			t.Errorf("the second region got the session token %s", token)
		}
	}
}

// TestHedgingCancelled ends with its context, and leaves nothing that runs.
func TestHedgingCancelled(t *testing.T) {
	t.Parallel()
	r := newRegions(t, time.Millisecond)
	for _, server := range []*harness.Account{r.first, r.second} {
		server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: slow, Count: -1})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, took, err := r.get(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || took > slow/2 {
		t.Errorf("after %v: %v", took, err)
	}
}

// TestHedgingMany reads under faults of both regions at once, each document right.
func TestHedgingMany(t *testing.T) {
	t.Parallel()
	r := newRegions(t, time.Millisecond)
	for i, server := range []*harness.Account{r.first, r.second} {
		server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Probability: 0.3, Seed: uint64(i), Count: -1, Delay: 5 * time.Millisecond})
	}
	r.first.Inject(emulator.Fault{Operation: emulator.OpReadItem, Probability: 0.2, Seed: 7, Count: -1, Status: 503})
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for n := range 60 {
				if _, _, err := r.get(context.Background(), n%9); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
}

// TestHedgingRefused names what is wrong.
func TestHedgingRefused(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{}, fleet.VehicleEventContainer(), repository.Configure(nil))
	different := server.Container("different", repository.Configure(nil))
	for want, option := range map[string]repository.Option{
		"is nil":              repository.WithHedging(nil, 0),
		"is negative":         repository.WithHedging(container, -1),
		"container different": repository.WithHedging(different, 0),
	} {
		_, err := fleet.NewVehicleEventRepository(container, option).Get(context.Background(), event(1).Key())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestHedgingTryTimeout asks the second region at once if the first has not answered
// within the time that the client gives each try, which is not the caller's.
func TestHedgingTryTimeout(t *testing.T) {
	t.Parallel()
	r := newRegions(t, slow)
	o := &azcosmos.ClientOptions{}
	o.Retry = policy.RetryOptions{MaxRetries: -1, TryTimeout: 50 * time.Millisecond}
	near := func(s *harness.Account) *azcosmos.ContainerClient {
		return s.Container(fleet.VehicleEventContainer().ID, repository.Configure(o))
	}
	r.events = fleet.NewVehicleEventRepository(near(r.first), repository.WithHedging(near(r.second), slow))
	if _, _, err := r.get(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	r.first.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: slow, Count: -1})
	if requests, took, err := r.get(context.Background(), 1); err != nil || requests < 2 || took > slow/2 {
		t.Errorf("%d requests in %s, %v", requests, took, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := r.get(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("under a context that ends before: %v", err)
	}
}
