package querytest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

const (
	west  = "West Europe"
	north = "North Europe"
	south = "France South"
)

// regions are an account with several regions, a client that prefers them in their order, and
// a repository of events in two physical partitions.
type regions struct {
	server    *harness.Account
	container *azcosmos.ContainerClient
	events    *fleet.VehicleEventRepository

	mu   sync.Mutex
	sent map[string]int // requests for documents, by region
	seen []repository.Event
}

// Do counts a request by its region.
func (r *regions) Do(q *policy.Request) (*http.Response, error) {
	if strings.Contains(q.Raw().URL.Path, "/docs") {
		r.mu.Lock()
		for _, region := range r.server.Regions() {
			if endpoint, err := url.Parse(r.server.RegionEndpoint(region.Name)); err == nil && endpoint.Host == q.Raw().URL.Host {
				r.sent[region.Name]++
			}
		}
		r.mu.Unlock()
	}
	return q.Next()
}

// options are those of a client that prefers regions.
func (r *regions) options(names ...string) *azcosmos.ClientOptions {
	o := &azcosmos.ClientOptions{PreferredRegions: names}
	o.Retry = policy.RetryOptions{MaxRetries: 1, RetryDelay: time.Millisecond, MaxRetryDelay: time.Second}
	o = repository.Configure(o)
	o.PerRetryPolicies = append(o.PerRetryPolicies, r)
	return o
}

// newRegions stores ten events, which all regions have.
func newRegions(t *testing.T, names []string, options ...repository.Option) *regions {
	t.Helper()
	r := &regions{sent: map[string]int{}}
	r.server = harness.New(t, emulator.Options{Partitions: 2, Regions: names}, repository.Configure(nil))
	properties := fleet.VehicleEventContainer()
	properties.FullTextPolicy = &azcosmos.FullTextPolicy{DefaultLanguage: "en-US", FullTextPaths: []azcosmos.FullTextPath{{Path: "/date", Language: "en-US"}}}
	properties.IndexingPolicy = &azcosmos.IndexingPolicy{
		Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
		IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}}, FullTextIndexes: []azcosmos.FullTextIndex{{Path: "/date"}},
	}
	r.server.Create(properties)
	r.container = r.server.Container(fleet.VehicleEventContainer().ID, r.options(names...))
	r.events = fleet.NewVehicleEventRepository(r.container, append(options, repository.WithObserver(func(_ context.Context, e repository.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seen = append(r.seen, e)
	}))...)
	fill(t, r.events, 10)
	if _, err := r.events.Scan().Collect(context.Background()); err != nil { // learns the physical partitions
		t.Fatal(err)
	}
	r.take()
	return r
}

// take returns how many requests were sent since, by region, and what the observer saw of them.
func (r *regions) take() (sent map[string]int, seen []repository.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent, seen = r.sent, r.seen
	r.sent, r.seen = map[string]int{}, nil
	return sent, seen
}

// reached fails the test unless so many requests were sent since, by region.
func (r *regions) reached(t *testing.T, what string, want map[string]int) {
	t.Helper()
	if sent, _ := r.take(); !maps.Equal(sent, want) {
		t.Errorf("%s: requests by region %v, want %v", what, sent, want)
	}
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

// counted returns an error unless a read has found so many.
func counted(found, want int, err error) error {
	if err == nil && found != want {
		err = fmt.Errorf("found %d, want %d", found, want)
	}
	return err
}

// present returns how many documents GetMany has found: others are nil.
func present(all []*fleet.VehicleEvent) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(e *fleet.VehicleEvent) bool { return e == nil }))
}

// reading is a read of the ten events, and how many requests it sends if none is hedged.
type reading struct {
	requests int
	run      func(context.Context) error
}

// readings are the reads that are hedged.
func (r *regions) readings() iter.Seq2[string, reading] {
	all := r.events.Scan()
	keys := make([]fleet.VehicleEventKey, 10)
	for n := range keys {
		keys[n] = event(n).Key()
	}
	return maps.All(map[string]reading{
		"get": {1, func(ctx context.Context) error { _, err := r.events.Get(ctx, event(1).Key()); return err }},
		"get many of one": {1, func(ctx context.Context) error {
			found, err := r.events.GetMany(ctx, keys[:1])
			return counted(present(found), 1, err)
		}},
		"get many": {2, func(ctx context.Context) error {
			found, err := r.events.GetMany(ctx, keys)
			return counted(present(found), 10, err)
		}},
		"query": {2, func(ctx context.Context) error {
			found, err := all.Collect(ctx)
			return counted(len(found), 10, err)
		}},
		"query of a partition key": {1, func(ctx context.Context) error {
			found, err := r.events.ByDateAndVIN(day, event(1).VIN).Collect(ctx)
			return counted(len(found), 1, err)
		}},
		"order": {2, func(ctx context.Context) error {
			found, err := all.OrderBy(fleet.VehicleEventFields.Speed.Desc()).Collect(ctx)
			return counted(len(found), 10, err)
		}},
		"page": {2, func(ctx context.Context) error {
			page, err := all.Page(ctx, "", 10)
			if err != nil {
				return err
			}
			return counted(len(page.Items), 10, nil)
		}},
		"count": {2, func(ctx context.Context) error { n, err := all.Count(ctx); return counted(n, 10, err) }},
		"exists": {2, func(ctx context.Context) error {
			_, err := all.Where(fleet.VehicleEventFields.Speed.Lt(0)).Exists(ctx)
			return err
		}},
		"max": {2, func(ctx context.Context) error {
			most, _, err := repository.Max(ctx, all, fleet.VehicleEventFields.Speed)
			return counted(most, 9, err)
		}},
		"rank": {1 + 2 + 4, func(ctx context.Context) error {
			date := documents.FullText[fleet.VehicleEvent, string]{String: "/date"}
			found, err := repository.OrderByRank(all, date.Score("2018"), date.Score("09")).Limit(20).Collect(ctx)
			return counted(len(found), 10, err)
		}},
	})
}

// TestHedgingWaits asks the first region alone while it is fast.
func TestHedgingWaits(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(slow))
	for name, read := range r.readings() {
		if err := read.run(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r.reached(t, name, map[string]int{west: read.requests})
	}
	if _, _, err := r.get(context.Background(), 99); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("of no document: %v", err)
	}
	r.reached(t, "no document", map[string]int{west: 1})
}

// TestHedgingOneRegion has no region to ask.
func TestHedgingOneRegion(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west}, repository.WithHedging(time.Millisecond))
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: 50 * time.Millisecond})
	if _, _, err := r.get(context.Background(), 1); err != nil {
		t.Error(err)
	}
	r.reached(t, "get", map[string]int{west: 1})
}

// TestHedgingSlow takes the answers of the second region, counts and tells of both requests of
// each pair, and waits for neither.
func TestHedgingSlow(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(10*time.Millisecond))
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Delay: slow, Count: -1})
	for name, read := range r.readings() {
		var meter repository.Meter
		began := time.Now()
		err := read.run(repository.WithMeter(context.Background(), &meter))
		if took := time.Since(began); err != nil || took > slow/2 {
			t.Errorf("%s: after %v: %v", name, took, err)
		}
		sent, seen := r.take()
		if want := map[string]int{west: read.requests, north: read.requests}; !maps.Equal(sent, want) {
			t.Errorf("%s: requests by region %v, want %v", name, sent, want)
		}
		if meter.Requests() != 2*read.requests || meter.RequestUnits() == 0 {
			t.Errorf("%s: counted %d requests of %v request units", name, meter.Requests(), meter.RequestUnits())
		}
		for _, e := range seen {
			switch {
			case e.Hedge && (e.Region != north || e.Err != nil || e.RequestUnits == 0):
				t.Errorf("%s: told of a second request %+v", name, e)
			case !e.Hedge && (e.Region != west || !errors.Is(e.Err, context.Canceled)):
				t.Errorf("%s: told of a first request %+v", name, e)
			}
		}
		if len(seen) != 2*read.requests {
			t.Errorf("%s: told of %d requests", name, len(seen))
		}
	}
}

// TestHedgingCharges counts the charges of both requests if the first has ended as well.
func TestHedgingCharges(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Status: http.StatusTooManyRequests, Count: -1})
	var meter repository.Meter
	if _, err := r.events.Get(repository.WithMeter(context.Background(), &meter), event(1).Key()); err != nil {
		t.Fatal(err)
	}
	_, seen := r.take()
	units := 0.0
	for _, e := range seen {
		units += e.RequestUnits
	}
	if meter.Requests() < 2 || meter.RequestUnits() < units {
		t.Errorf("counted %d requests, %v request units; told of %+v", meter.Requests(), meter.RequestUnits(), seen)
	}
}

// TestHedgingFails asks the second region when the first has failed, and tells the error of
// the first if both have.
func TestHedgingFails(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"full":   {Status: 429},
		"broken": {Body: func(b []byte) []byte { return b[:len(b)/2] }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegions(t, []string{west, north}, repository.WithHedging(slow))
			fault.Operation, fault.Count, fault.Region = emulator.OpReadItem, -1, west
			r.server.Inject(fault)
			if _, took, err := r.get(context.Background(), 1); err != nil || took > slow/2 {
				t.Errorf("after %v: %v", took, err)
			}
			r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: north, Status: http.StatusForbidden, Count: -1})
			_, _, err := r.get(context.Background(), 1)
			var answer *azcore.ResponseError
			if err == nil || errors.As(err, &answer) && answer.StatusCode == http.StatusForbidden {
				t.Errorf("both have failed: %v", err)
			}
		})
	}
}

// TestHedgingBroken does not wait for the seconds that azcosmos waits after a broken connection.
func TestHedgingBroken(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(10*time.Millisecond))
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Drop: true, Count: -1})
	for name, read := range r.readings() {
		began := time.Now() // azcosmos alone takes four seconds
		if err := read.run(context.Background()); err != nil || time.Since(began) > 3*time.Second {
			t.Errorf("%s: after %v: %v", name, time.Since(began), err)
		}
	}
}

// TestHedgingOnce sends the second request once, whatever its answer is.
func TestHedgingOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404, 408, 429, 449, 500, 503} {
		r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
		r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Delay: 100 * time.Millisecond})
		r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: north, Status: status, Count: -1})
		if _, _, err := r.get(context.Background(), 1); err != nil {
			t.Errorf("status %d: %v", status, err)
		}
		r.reached(t, fmt.Sprint(status), map[string]int{west: 1, north: 1})
	}
}

// paused stores an event that the second region does not have.
func (r *regions) paused(t *testing.T, n int) {
	t.Helper()
	err := r.server.SetReplication(emulator.Replication{Paused: true})
	if err == nil {
		err = r.events.Create(context.Background(), event(n))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.take()
}

// TestHedgingAbsent does not believe the second region, which may not have the newest writes,
// that there is no document.
func TestHedgingAbsent(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
	r.paused(t, 10)
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Delay: 100 * time.Millisecond, Count: -1})
	if requests, _, err := r.get(context.Background(), 10); err != nil || requests != 2 {
		t.Errorf("%d requests, %v", requests, err)
	}
	var keys []fleet.VehicleEventKey
	for n := range 11 {
		keys = append(keys, event(n).Key())
	}
	found, err := r.events.GetMany(context.Background(), keys)
	if err := counted(present(found), 11, err); err != nil {
		t.Error("get many:", err)
	}
	r.server.ClearFaults()
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Status: 429, Count: -1})
	if _, _, err := r.get(context.Background(), 10); err == nil || errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the first region has failed, and the second has no document: %v", err)
	}
}

// TestHedgingSession takes the answer of the second region if it is as far as the session, and
// else waits for the first.
func TestHedgingSession(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
	var session repository.Session
	ctx := repository.WithSession(context.Background(), &session)
	if err := r.events.Upsert(ctx, event(1)); err != nil {
		t.Fatal(err)
	}
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Delay: time.Minute, Count: -1})
	if _, took, err := r.get(ctx, 1); err != nil || took > 50*time.Second {
		t.Errorf("both regions are as far as the session: after %v, %v", took, err)
	}
	r.server.ClearFaults()
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Delay: 100 * time.Millisecond, Count: -1})
	if err := r.server.SetReplication(emulator.Replication{Paused: true}); err != nil {
		t.Fatal(err)
	}
	changed := event(1)
	changed.Speed = 99
	if err := r.events.Upsert(ctx, changed); err != nil {
		t.Fatal(err)
	}
	r.take()
	if got, err := r.events.Get(ctx, changed.Key()); err != nil || got.Speed != 99 {
		t.Errorf("the second region lags: %+v, %v", got, err)
	}
	r.reached(t, "get", map[string]int{west: 1, north: 1})
	found, err := r.events.ByDateAndVIN(day, changed.VIN).Collect(ctx)
	if err := counted(len(found), 1, err); err != nil || found[0].Speed != 99 {
		t.Errorf("a query of a second region that lags: %v, %+v", err, found)
	}
	r.reached(t, "query", map[string]int{west: 1, north: 1})
}

// TestHedgingPages reads pages of which each may come from either region.
func TestHedgingPages(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond), repository.WithPageSize(2))
	for i, region := range []string{west, north} {
		r.server.Inject(emulator.Fault{Path: "/docs", Region: region, Probability: 0.5, Seed: uint64(i), Count: -1, Delay: 5 * time.Millisecond})
	}
	check := func(what string, all []*fleet.VehicleEvent, err error) {
		t.Helper()
		ids := map[string]bool{}
		for _, e := range all {
			ids[e.ID] = true
		}
		if err != nil || len(all) != 10 || len(ids) != 10 {
			t.Errorf("%s: %d documents, %d of them different: %v", what, len(all), len(ids), err)
		}
	}
	for range 10 {
		all, err := r.events.Scan().Collect(context.Background())
		check("query", all, err)
		all, err = r.events.Scan().OrderBy(fleet.VehicleEventFields.Speed.Asc()).Collect(context.Background())
		check("order", all, err)
		all = nil
		for cursor := ""; ; {
			page, err := r.events.Scan().OrderBy(fleet.VehicleEventFields.Speed.Asc()).Page(context.Background(), cursor, 3)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, page.Items...)
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		check("pages", all, nil)
	}
}

// TestHedgingPagesLate has a document that comes late in the order of the first region, and
// early in that of the second, which lags. The first page is from one region, and the others
// must not be from the other: the document would be missing.
func TestHedgingPagesLate(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond), repository.WithPageSize(1))
	if err := r.server.SetReplication(emulator.Replication{Paused: true}); err != nil {
		t.Fatal(err)
	}
	for n := range 3 { // the first in the order, wherever they are
		late := event(n)
		late.Speed = 200 + n
		if err := r.events.Upsert(context.Background(), late); err != nil {
			t.Fatal(err)
		}
	}
	// The first pages of both physical partitions come from the first region.
	r.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Region: north, Delay: slow, Count: 2})
	r.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Region: west, Skip: 2, Delay: 20 * time.Millisecond, Count: -1})
	all, err := r.events.Scan().OrderBy(fleet.VehicleEventFields.Speed.Asc()).Collect(context.Background())
	if err := counted(len(all), 10, err); err != nil {
		t.Fatal(err)
	}
	if all[9].Speed != 202 {
		t.Errorf("the last is %+v", all[9])
	}
}

// TestHedgingNot sends the second region nothing for writes, and for the reads that they do
// first.
func TestHedgingNot(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(0))
	ctx := context.Background()
	for name, run := range map[string]func() error{
		"create": func() error { return r.events.Create(ctx, event(20)) },
		"upsert": func() error { return r.events.Upsert(ctx, event(1)) },
		"update": func() error {
			return r.events.Update(ctx, event(2).Key(), func(e *fleet.VehicleEvent) error { e.Speed++; return nil })
		},
		"delete": func() error { return r.events.Delete(ctx, event(3).Key()) },
		"delete by query": func() error {
			_, err := r.events.DeleteFound(r.events.Scan().Where(fleet.VehicleEventFields.Speed.Eq(4))).Collect(ctx)
			return err
		},
		"changes": func() error {
			for _, err := range feed.Changes(ctx, r.events.Documents, feed.FromCursor("")) {
				return err
			}
			return nil
		},
	} {
		r.server.Inject(emulator.Fault{Path: "/docs", Delay: 20 * time.Millisecond, Count: -1})
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if sent, _ := r.take(); sent[west] == 0 || sent[north] != 0 {
			t.Errorf("%s: requests by region %v", name, sent)
		}
		r.server.ClearFaults()
	}
}

// TestHedgingCancelled ends with its context, and leaves nothing that runs.
func TestHedgingCancelled(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
	r.server.Inject(emulator.Fault{Path: "/docs", Delay: slow, Count: -1})
	for name, read := range r.readings() {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		began := time.Now()
		if err := read.run(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > slow/2 {
			t.Errorf("%s: after %v: %v", name, time.Since(began), err)
		}
		cancel()
	}
}

// TestHedgingMany reads under faults of both regions at once, each document right.
func TestHedgingMany(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north}, repository.WithHedging(time.Millisecond))
	for i, region := range []string{west, north} {
		r.server.Inject(emulator.Fault{Path: "/docs", Region: region, Probability: 0.3, Seed: uint64(i), Count: -1, Delay: 5 * time.Millisecond})
	}
	r.server.Inject(emulator.Fault{Path: "/docs", Region: west, Probability: 0.2, Seed: 7, Count: -1, Status: 503})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 10 {
				for name, read := range r.readings() {
					if err := read.run(context.Background()); err != nil {
						t.Errorf("%s: %v", name, err)
					}
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
	bare := server.Container(container.ID(), nil)
	if err := fleet.NewVehicleEventRepository(container).Create(context.Background(), event(1)); err != nil {
		t.Fatal(err)
	}
	for want, events := range map[string]*fleet.VehicleEventRepository{
		"is negative":                  fleet.NewVehicleEventRepository(container, repository.WithHedging(-1)),
		"without repository.Configure": fleet.NewVehicleEventRepository(bare, repository.WithHedging(time.Second)),
	} {
		_, err := events.Get(context.Background(), event(1).Key())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	_, err := fleet.NewVehicleEventRepository(bare).Get(repository.WithExcludedRegions(context.Background(), west), event(1).Key())
	if err == nil || !strings.Contains(err.Error(), "no region can be excluded") {
		t.Errorf("a client without policies: %v", err)
	}
}

// TestHedgingTryTimeout asks the second region at once if the first has not answered
// within the time that the client gives each try, which is not the caller's.
func TestHedgingTryTimeout(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north})
	o := r.options(west, north)
	o.Retry.MaxRetries, o.Retry.TryTimeout = -1, 50*time.Millisecond
	r.events = fleet.NewVehicleEventRepository(r.server.Container(r.container.ID(), o), repository.WithHedging(slow))
	if _, _, err := r.get(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Delay: slow, Count: -1})
	if requests, took, err := r.get(context.Background(), 1); err != nil || requests < 2 || took > slow/2 {
		t.Errorf("%d requests in %s, %v", requests, took, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := r.get(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("under a context that ends before: %v", err)
	}
}

// TestExcludedRegions sends requests to the regions that are left.
func TestExcludedRegions(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north, south})
	ctx := context.Background()
	for _, test := range []struct {
		excluded []string
		want     string
	}{
		{nil, west},
		{[]string{"Mars"}, west},
		{[]string{west}, north},
		{[]string{"westeurope", "NORTH Europe"}, south},
		{[]string{north}, west},
		{[]string{west, north, south}, west}, // the primary region
	} {
		for name, read := range r.readings() {
			if err := read.run(repository.WithExcludedRegions(ctx, test.excluded...)); err != nil {
				t.Errorf("%s without %q: %v", name, test.excluded, err)
			}
			r.reached(t, fmt.Sprintf("%s without %q", name, test.excluded), map[string]int{test.want: read.requests})
		}
	}
	// There is one write region.
	if err := r.events.Upsert(repository.WithExcludedRegions(ctx, west), event(1)); err != nil {
		t.Error(err)
	}
	r.reached(t, "upsert", map[string]int{west: 1})
	// An inner context replaces an outer one.
	if _, _, err := r.get(repository.WithExcludedRegions(repository.WithExcludedRegions(ctx, west), north), 1); err != nil {
		t.Error(err)
	}
	r.reached(t, "inner", map[string]int{west: 1})
}

// TestExcludedRegionsAfterFailures does not go to an excluded region after a failure, either.
func TestExcludedRegionsAfterFailures(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north, south})
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Status: 503, Count: -1})
	ctx := repository.WithExcludedRegions(context.Background(), north)
	if _, _, err := r.get(ctx, 1); err != nil {
		t.Error(err)
	}
	r.reached(t, "the second is excluded", map[string]int{west: 1, south: 1})
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: south, Status: 503, Count: -1})
	if _, _, err := r.get(ctx, 1); err == nil {
		t.Error("read from an excluded region")
	}
	if sent, _ := r.take(); sent[north] != 0 || sent[west] == 0 || sent[south] == 0 {
		t.Errorf("requests by region %v", sent)
	}
}

// TestExcludedRegionsHedged hedges among the regions that are left.
func TestExcludedRegionsHedged(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north, south}, repository.WithHedging(time.Millisecond))
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Delay: 50 * time.Millisecond, Count: -1})
	for _, test := range []struct{ excluded, first, second string }{{west, north, south}, {north, west, south}, {south, west, north}} {
		if _, _, err := r.get(repository.WithExcludedRegions(context.Background(), test.excluded), 1); err != nil {
			t.Error(err)
		}
		r.reached(t, "without "+test.excluded, map[string]int{test.first: 1, test.second: 1})
	}
	if _, _, err := r.get(repository.WithExcludedRegions(context.Background(), west, south), 1); err != nil {
		t.Error(err)
	}
	r.reached(t, "one is left", map[string]int{north: 1})
}

// TestExcludedWriteRegions sends writes to the write regions that are left.
func TestExcludedWriteRegions(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north})
	if err := r.server.SetMultiWrite(true); err != nil {
		t.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(r.server.Container(r.container.ID(), r.options(west, north)))
	for excluded, want := range map[string]string{"": west, west: north, north: west} {
		if err := events.Upsert(repository.WithExcludedRegions(context.Background(), excluded), event(1)); err != nil {
			t.Errorf("without %s: %v", excluded, err)
		}
		r.reached(t, "without "+excluded, map[string]int{want: 1})
	}
}

// TestCircuit sends the reads of a physical partition to the second region once ten of them
// have failed in the first, and those of the other physical partition to the first.
func TestCircuit(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north})
	in := map[string][]int{} // events by physical partition
	for n := range 10 {
		if _, _, err := r.get(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		_, seen := r.take()
		in[seen[0].Range] = append(in[seen[0].Range], n)
	}
	if len(in) != 2 {
		t.Fatalf("events by physical partition: %v", in)
	}
	ids := slices.Sorted(maps.Keys(in))
	bad, good := in[ids[0]][0], in[ids[1]][0]
	r.server.Inject(emulator.Fault{Range: ids[0], Region: west, Status: http.StatusServiceUnavailable, Count: -1})
	for range 10 {
		if _, _, err := r.get(context.Background(), bad); err != nil {
			t.Fatal(err)
		}
	}
	r.reached(t, "ten reads", map[string]int{west: 10, north: 10})
	for n, want := range map[int]string{bad: north, good: west} {
		if _, _, err := r.get(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		r.reached(t, "later", map[string]int{want: 1})
	}
	if all, err := r.events.Scan().Collect(context.Background()); err != nil || len(all) != 10 {
		t.Errorf("%d documents, %v", len(all), err)
	}
	r.reached(t, "query", map[string]int{west: 1, north: 1})
	// Writes go to the write region, though it fails.
	if err := r.events.Upsert(context.Background(), event(bad)); err == nil {
		t.Error("the write region has failed, and a write succeeded")
	}
	if sent, _ := r.take(); sent[north] != 0 {
		t.Errorf("writes by region: %v", sent)
	}
	// If the other region fails, too, reads come back.
	r.server.ClearFaults()
	r.server.Inject(emulator.Fault{Region: north, Status: http.StatusServiceUnavailable, Count: -1})
	if _, _, err := r.get(context.Background(), bad); err != nil {
		t.Error(err)
	}
	r.reached(t, "the other region fails", map[string]int{west: 1, north: 1})
	// That has closed the circuit.
	if _, _, err := r.get(context.Background(), bad); err != nil {
		t.Error(err)
	}
	r.reached(t, "after a success", map[string]int{west: 1})
}

// TestCircuitOneRegion leaves reads alone whose client has one region.
func TestCircuitOneRegion(t *testing.T) {
	t.Parallel()
	r := newRegions(t, []string{west, north})
	for _, names := range [][]string{nil, {west}} {
		r.events = fleet.NewVehicleEventRepository(r.server.Container(r.container.ID(), r.options(names...)))
		r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Region: west, Status: http.StatusServiceUnavailable, Count: -1})
		for range 20 {
			if _, _, err := r.get(context.Background(), 1); err == nil {
				t.Fatalf("regions %q: another region has answered", names)
			}
		}
		r.server.ClearFaults()
		r.take()
		if _, _, err := r.get(context.Background(), 1); err != nil {
			t.Error(err)
		}
		r.reached(t, fmt.Sprint(names), map[string]int{west: 1})
	}
}
