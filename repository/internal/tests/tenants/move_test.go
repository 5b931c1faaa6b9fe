package tenants

import (
	"context"
	"encoding/json"
	"errors"
	cmdline "flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	residence "github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy/move"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

var movedTenants = cmdline.Int("moves", 3, "how many tenants TestMoveTenantModel moves")

// stopped returns a context whose process is stopped before some of its requests, however long
// its contexts allow.
func stopped(ctx context.Context) context.Context {
	return harness.Intercept(ctx, func(r *policy.Request) (*http.Response, error) {
		if rand.N(40) == 0 {
			time.Sleep(rand.N(1200 * time.Millisecond))
		}
		return r.Next()
	})
}

// movedModel is a tenant that moves while programs use it.
type movedModel struct {
	t       *testing.T
	h       *tiersHarness
	tenant  string
	stop    chan struct{}
	group   sync.WaitGroup
	mu      sync.Mutex
	want    map[string]int
	retired map[string]bool // ids of writes with an unclear outcome
	waits   []time.Duration
}

// program is a process of its own: a directory with a cache, and a repository.
func (m *movedModel) program() (repository.Tenant[fixtures.Bid, fixtures.BidKey], func() repository.Query[fixtures.Bid]) {
	directory := tenancy.NewTenantDirectory(m.h.container("directory"))
	all := repository.NewTiered(m.h.db, fixtures.BidModel, tenancy.Residences(directory))
	tenant := repository.NewTenant(all, fixtures.BidKey{Tenant: m.tenant})
	return tenant, func() repository.Query[fixtures.Bid] {
		return tenant.Only(repository.NewQuery(all, generated.Partition(m.tenant)))
	}
}

const pinnedBids = 8

// isTooSlow reports whether the directory of a test, whose answers hold for a short time,
// was asked for longer than that, as on a busy machine. Nothing was read or written then.
func isTooSlow(err error) bool {
	return err != nil && !errors.Is(err, repository.ErrUnclear) && strings.Contains(err.Error(), "the directory's answers expire before they arrive")
}

// loop does something again and again until the model ends.
func (m *movedModel) loop(do func(i int) error) {
	m.group.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-m.stop:
				return
			case <-time.After(rand.N(8 * time.Millisecond)):
			}
			if err := do(i); err != nil && !isTooSlow(err) {
				m.t.Errorf("tenant %s: %v", m.tenant, err)
				return
			}
		}
	})
}

// write does one write of a worker, of ids that no other worker has.
func (m *movedModel) write(ctx context.Context, tenant *repository.Tenant[fixtures.Bid, fixtures.BidKey], worker, i int) error {
	id := fmt.Sprintf("w%d-%d", worker, rand.N(5))
	m.mu.Lock()
	for n := 0; m.retired[id]; n++ {
		id = fmt.Sprintf("w%d-%d-%d", worker, rand.N(5), n)
	}
	value, there := m.want[id]
	m.mu.Unlock()
	key, began := fixtures.BidKey{ID: id, Tenant: m.tenant}, time.Now()
	var err error
	gone := false
	switch kind := rand.N(6); {
	case !there:
		value = i
		err = tenant.Create(ctx, &fixtures.Bid{ID: id, Tenant: m.tenant, Value: value})
	case kind == 0:
		gone = true
		err = tenant.Delete(ctx, key)
	case kind == 1:
		value++
		err = tenant.Update(ctx, key, func(b *fixtures.Bid) error { b.Value++; return nil })
	case kind == 2:
		value = -i
		err = tenant.Patch(ctx, key, bidPatch.Set(value))
	case kind == 3:
		value = i
		_, err = tenant.UpsertAll(documents.Items([]*fixtures.Bid{{ID: id, Tenant: m.tenant, Value: value}}...)).Collect(ctx)
	default:
		value = i
		err = tenant.Upsert(ctx, &fixtures.Bid{ID: id, Tenant: m.tenant, Value: value})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case errors.Is(err, repository.ErrUnclear):
		m.retired[id] = true
		delete(m.want, id)
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", id, err)
	case gone:
		delete(m.want, id)
	default:
		m.want[id] = value
	}
	m.waits = append(m.waits, time.Since(began))
	return nil
}

// begin begins to write, read and query.
func (m *movedModel) begin() {
	for worker := range 3 {
		ctx := m.t.Context()
		if worker == 0 { // its process is stopped now and then
			ctx = stopped(ctx)
		}
		tenant, _ := m.program()
		m.loop(func(i int) error { return m.write(ctx, &tenant, worker, i) })
	}
	tenant, scan := m.program()
	m.loop(func(i int) error {
		b, err := tenant.Get(m.t.Context(), fixtures.BidKey{ID: fmt.Sprintf("pinned%d", i%pinnedBids), Tenant: m.tenant})
		if err == nil && b.Value != 77 {
			err = fmt.Errorf("a pinned document has %d", b.Value)
		}
		return err
	})
	m.loop(func(int) error {
		all, err := scan().Collect(m.t.Context())
		if errors.Is(err, repository.ErrMoved) {
			return nil
		}
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, b := range all {
			if seen[b.ID] {
				return fmt.Errorf("a query has %s twice", b.ID)
			}
			seen[b.ID] = true
		}
		for n := range pinnedBids {
			if !seen[fmt.Sprintf("pinned%d", n)] {
				return fmt.Errorf("a query has %d documents, and lacks a pinned one", len(all))
			}
		}
		return nil
	})
}

// end ends all, and compares what is stored with what was acknowledged.
func (m *movedModel) end(lives string) {
	close(m.stop)
	m.group.Wait()
	for _, id := range []string{"bids", "bids-" + m.tenant} {
		got := map[string]int{}
		pager := m.h.container(id).NewQueryItemsPager("SELECT * FROM c WHERE "+residence.HiddenCondition, azcosmos.NewPartitionKeyString(m.tenant), nil)
		for pager.More() {
			page, err := pager.NextPage(context.Background())
			if err != nil {
				m.t.Error(err)
				return
			}
			for _, raw := range page.Items {
				var b fixtures.Bid
				if err := json.Unmarshal(raw, &b); err != nil {
					m.t.Error(err)
				}
				if !m.retired[b.ID] {
					got[b.ID] = b.Value
				}
			}
		}
		want := m.want
		if id != lives {
			want = map[string]int{}
		}
		if !maps.Equal(got, want) {
			m.t.Errorf("tenant %s: container %s has %v, want %v; unclear: %v", m.tenant, id, got, want, m.retired)
		}
	}
}

// TestMoveTenantModel moves tenants while programs write, read, query and delete through
// repositories, each with a cache of its own. Some processes are stopped before they send,
// and go on when the tenant has moved. Movers are killed. It reports the pauses.
func TestMoveTenantModel(t *testing.T) {
	t.Parallel()
	server := harness.New(t, emulator.Options{Partitions: 2}, repository.Configure(harness.PerCall(harness.Intercepted)))
	h := &tiersHarness{t, server, server.DB}
	if _, err := tenancy.EnsureTenantDirectory(t.Context(), h.db, "directory", admin.AnyThroughput(), tenancy.WithResidenceTTL(200*time.Millisecond), tenancy.WithResidenceGrace(400*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	server.Create(kit.HashContainer("bids", "/tenant"))
	var (
		all           sync.WaitGroup
		mu            sync.Mutex
		pauses, waits []time.Duration
		kills         int
		slots         = make(chan struct{}, 3)
	)
	for n := range *movedTenants {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			m := &movedModel{t: t, h: h, tenant: fmt.Sprintf("t%d", n), stop: make(chan struct{}), want: map[string]int{}, retired: map[string]bool{}}
			if _, err := h.db.CreateContainer(t.Context(), kit.HashContainer("bids-"+m.tenant, "/tenant"), nil); err != nil {
				t.Error(err)
				return
			}
			tenant, _ := m.program()
			for i := range pinnedBids {
				id := fmt.Sprintf("pinned%d", i)
				m.want[id] = 77
				err := tenant.Create(t.Context(), &fixtures.Bid{ID: id, Tenant: m.tenant, Value: 77})
				for isTooSlow(err) || errors.Is(err, repository.ErrUnclear) { // on a busy machine
					err = tenant.Create(t.Context(), &fixtures.Bid{ID: id, Tenant: m.tenant, Value: 77})
				}
				if err != nil && !errors.Is(err, repository.ErrAlreadyExists) {
					t.Error(err)
				}
			}
			m.begin()
			lives := "bids"
			for _, to := range []string{"bids-" + m.tenant, "bids"}[:1+n%2] {
				for attempt := 0; ; attempt++ {
					c := &harness.Crash{At: -1}
					if attempt < 1 {
						c.At = 4 + rand.N(40)
					}
					ctx, crashed := c.Context(t.Context())
					done, err := move.Run(ctx, move.Settings{
						Container: h.db.NewContainer, Records: residence.NewRecords(h.container("directory")),
						Shared: "bids", Tenant: m.tenant, To: to, Rhythm: 50 * time.Millisecond,
					})
					killed := crashed()
					mu.Lock()
					if killed {
						kills++
						mu.Unlock()
						continue
					}
					pauses = append(pauses, done.Pause)
					mu.Unlock()
					if err != nil || done.Mended > 0 {
						t.Errorf("tenant %s: %+v, %v", m.tenant, done, err)
					} else {
						lives = to
					}
					break
				}
			}
			m.end(lives)
			mu.Lock()
			waits = append(waits, m.waits...)
			mu.Unlock()
		})
	}
	all.Wait()
	slices.Sort(pauses)
	slices.Sort(waits)
	if len(pauses) == 0 || len(waits) == 0 {
		t.Fatal("no tenant has moved, or nobody has written")
	}
	at := func(d []time.Duration, share float64) time.Duration {
		return d[int(share*float64(len(d)-1))].Round(time.Millisecond)
	}
	t.Logf("%d moves, %d movers killed; pause: median %v, 99th percentile %v, longest %v; %d writes that count, 99th percentile %v, longest %v",
		len(pauses), kills, at(pauses, 0.5), at(pauses, 0.99), at(pauses, 1), len(waits), at(waits, 0.99), at(waits, 1))
	if p := at(pauses, 0.99); p > 20*time.Second {
		t.Errorf("writers pause for %v at the 99th percentile", p)
	}
}

// TestMoveTenant moves a tenant by the function for programs, which tells of its progress.
func TestMoveTenant(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newTiers(t)
		h.server.Inject(emulator.Fault{Delay: time.Millisecond, Count: -1}) // a pause lasts
		directory, err := tenancy.EnsureTenantDirectory(t.Context(), h.db, "directory", admin.AnyThroughput(), tenancy.WithResidenceTTL(time.Second), tenancy.WithResidenceGrace(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		b := kit.BidsOf(h.db, directory)
		storeBids(t, b)
		before, _, _ := h.stored("bids")
		order := tenancy.TenantMove{Shared: "bids", Tenant: "t", To: "bids-t"}
		planned := order
		planned.DryRun = true
		plan, err := tenancy.Move(t.Context(), h.db, directory, planned)
		if err != nil || plan.Total != int64(len(before)) || plan.Documents != 0 || plan.From != "bids" || plan.To != "bids-t" {
			t.Errorf("%+v, %v", plan, err)
		}
		var steps []string
		order.Queries, order.Budget = time.Nanosecond, 100_000
		order.Progress = func(s tenancy.MoveSummary) {
			if len(steps) == 0 || steps[len(steps)-1] != s.Step {
				steps = append(steps, s.Step)
			}
		}
		done, err := tenancy.Move(t.Context(), h.db, directory, order)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(steps, " "); got != " claimed marked copying closing switched done" {
			t.Errorf("steps %q", got)
		}
		after, _, _ := h.stored("bids-t")
		if left, _, _ := h.stored("bids"); !maps.Equal(before, after) || len(left) > 0 || done.Documents != int64(len(before)) || done.Pause <= 0 {
			t.Errorf("%v and %v, want %v; %+v", left, after, before, done)
		}
		for _, tt := range []struct {
			tenant tenancy.TenantMove
			want   string
		}{
			{tenancy.TenantMove{Shared: "bids", Tenant: "t", To: "bids-t", Budget: 1}, "is too small"},
			{tenancy.TenantMove{Shared: "bids", Tenant: "t", To: "bids-t", Queries: -1}, "less than no time"},
			{tenancy.TenantMove{Shared: "bids", Tenant: "", To: "bids-t"}, "have to be named"},
			{tenancy.TenantMove{Shared: "bids", Tenant: "t", To: "gone"}, `there is no container "gone"`},
		} {
			if _, err := tenancy.Move(t.Context(), h.db, directory, tt.tenant); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		}
		if _, err := tenancy.Move(t.Context(), nil, nil, order); err == nil {
			t.Error("a move without a database")
		}
	})
}
