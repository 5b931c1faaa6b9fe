package tenants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestTenantMeter runs every operation of two tenants, and compares what the meter says of
// each with a Meter of its own.
func TestTenantMeter(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("owned", "/pk"), repository.Configure(nil))
	meter := new(tenancy.Meter)
	var mu sync.Mutex
	operations := map[string]int{}
	all := repository.New(container, fixtures.OwnedModel, repository.WithObserver(meter.Observe), repository.WithObserver(func(_ context.Context, e repository.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Tenant == "b" {
			operations[e.Op]++
		}
		if e.Container != "owned" {
			t.Errorf("an event names the container %q", e.Container)
		}
	}))
	background := context.Background()
	var whole, unscoped repository.Meter
	used := map[string]float64{}
	for _, tenant := range []string{"a", "b", "b"} {
		var own repository.Meter
		ctx := repository.WithMeter(repository.WithMeter(background, &whole), &own)
		runAsTenant(ctx, t, ownerOf(all, tenant), tenant)
		used[tenant] += own.RequestUnits()
	}
	if _, err := all.Scan().Count(repository.WithMeter(repository.WithMeter(background, &whole), &unscoped)); err != nil {
		t.Fatal(err)
	}
	if n := len(slices.Collect(maps.Keys(operations))); n < 8 {
		t.Errorf("the tenant b has %d sorts of requests: %v", n, operations)
	}
	u := meter.Take()
	if len(u.Tenants) != 2 || u.Tenants[0].Tenant != "b" || !near(u.Unscoped, unscoped.RequestUnits()) || !near(u.RequestUnits, whole.RequestUnits()) ||
		u.Forgotten != 0 || u.From.After(u.To) {
		t.Errorf("%+v, want %v of %v without a tenant", u, unscoped.RequestUnits(), whole.RequestUnits())
	}
	for _, tenant := range u.Tenants {
		if !near(tenant.RequestUnits, used[tenant.Tenant]) || tenant.Error != 0 || tenant.Requests == 0 || tenant.Peak <= 0 || tenant.Container != "owned" {
			t.Errorf("%+v, want %v", tenant, used[tenant.Tenant])
		}
	}
	if again := meter.Usage(); len(again.Tenants) != 0 || again.RequestUnits != 0 || again.From.Before(u.To) {
		t.Errorf("after Take: %+v", again)
	}
}

func near(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }

// runAsTenant runs operations of every sort.
func runAsTenant(ctx context.Context, t *testing.T, o *oneOwner, tenant string) {
	t.Helper()
	doc := func(i int) *fixtures.Owned {
		return &fixtures.Owned{ID: fmt.Sprint(i), Tenant: tenant, Shelf: "s", Count: i}
	}
	key := func(i int) fixtures.OwnedKey { return doc(i).Key() }
	tx := repository.NewTransaction()
	in := o.In(tx)
	_, bulkErr := o.UpsertAll(documents.Items(doc(1), doc(2), doc(3), doc(4))).Collect(ctx)
	_, batchErr := o.UpsertAll(documents.Items(doc(5), doc(6)), documents.InBatches()).Collect(ctx)
	_, getErr := o.Get(ctx, key(1))
	_, manyErr := o.GetMany(ctx, []fixtures.OwnedKey{key(1), key(2)})
	moved := doc(1)
	moved.Shelf = "t"
	err := errors.Join(
		bulkErr, batchErr, getErr, manyErr, o.Upsert(ctx, doc(7)), o.Replace(ctx, doc(7)), o.Patch(ctx, key(7), ownedCount2.Set(1)),
		o.Update(ctx, key(7), func(x *fixtures.Owned) error { x.Count++; return nil }), o.Delete(ctx, key(7)),
		in.Upsert(doc(8)), in.Delete(key(6)), tx.Commit(ctx), o.Move(ctx, key(1), moved),
	)
	_, collectErr := o.Scan().Collect(ctx)
	_, orderErr := o.Scan().OrderBy(ownedCount.Asc()).Collect(ctx)
	_, pageErr := o.Scan().Page(ctx, "", 2)
	_, countErr := o.Scan().Count(ctx)
	_, allErr := o.DeleteFound(o.Scan()).Collect(ctx)
	if err = errors.Join(err, collectErr, orderErr, pageErr, countErr, allErr); err != nil {
		t.Fatal(err)
	}
}

// TestTenantMeterByMinute has a clock of its own: rates are those of minutes, and what
// JSON has is what the meter says.
func TestTenantMeterByMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		meter := &tenancy.Meter{Tenants: 2}
		ctx := context.Background()
		for minute := range 3 {
			for _, e := range []repository.Event{
				{Tenant: "large", Container: "own-large", RequestUnits: float64(600 * (minute + 1))}, {Tenant: "small", Container: "shared", RequestUnits: 60},
				{RequestUnits: 5},
			} {
				meter.Observe(ctx, e)
			}
			time.Sleep(time.Minute)
		}
		meter.Observe(ctx, repository.Event{Tenant: "new", Container: "shared", RequestUnits: 6})
		u := meter.Usage()
		want := tenancy.Usage{
			From: u.To.Add(-3 * time.Minute), To: u.To, RequestUnits: 3600 + 180 + 15 + 6, Unscoped: 15, Forgotten: 186,
			Tenants: []tenancy.TenantUsage{
				{Tenant: "large", Container: "own-large", RequestUnits: 3600, Requests: 3, Peak: 30},
				{Tenant: "new", Container: "shared", RequestUnits: 186, Error: 180, Requests: 1, Peak: 0.1},
			},
		}
		got, _ := json.Marshal(u)
		wanted, _ := json.Marshal(want)
		if !bytes.Equal(got, wanted) {
			t.Errorf("got %s, want %s", got, wanted)
		}
	})
}

// TestFindInBucketsOfTenant finds the documents of one tenant alone.
func TestFindInBucketsOfTenant(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("tickets", "/pk"), repository.Configure(nil))
	all := repository.New(container, fixtures.TicketModel)
	keys := func(tenant string) generated.Keys {
		return generated.Buckets(4, func(n int) string { return fixtures.TicketKey{Tenant: tenant, Suffix: n}.PartitionKey() })
	}
	ctx := context.Background()
	store := func(key, tenant string) {
		t.Helper()
		body, _ := json.Marshal(fixtures.Ticket{ID: "1", Tenant: tenant, Stored: key})
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(key), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	store("a.3", "a")
	store("b.2", "b")
	store("c.1", "b") // by a program without pkgen
	for _, tenant := range []string{"a", "b"} {
		of := repository.NewTenant(all, fixtures.TicketKey{Tenant: tenant})
		if doc, err := repository.FindInBuckets(ctx, &of, "1", keys(tenant)); err != nil || doc.Tenant != tenant {
			t.Errorf("%s: %+v, %v", tenant, doc, err)
		}
		_, err := repository.FindInBuckets(ctx, &of, "2", keys(tenant))
		kit.WantError(t, "an id that is not stored", err, repository.ErrNotFound)
	}
	c := repository.NewTenant(all, fixtures.TicketKey{Tenant: "c"})
	doc, err := repository.FindInBuckets(ctx, &c, "1", keys("c"))
	kit.WantError(t, "another tenant's document", err, repository.ErrTenant)
	none := repository.NewTenant(all, fixtures.TicketKey{})
	server.ResetRequests()
	_, noneErr := repository.FindInBuckets(ctx, &none, "1", keys("a"))
	var invalid *partition.KeyError
	if doc != nil || !errors.As(noneErr, &invalid) || len(server.Requests()) != 0 {
		t.Errorf("%v, %v and %d requests", doc, noneErr, len(server.Requests()))
	}
}

// TestTenantMoves moves documents of one tenant, and refuses to move those of others, or
// to others.
func TestTenantMoves(t *testing.T) {
	t.Parallel()
	server, all := newOwned(t)
	ctx := context.Background()
	o, from := ownerOf(all, "a"), fixtures.OwnedKey{ID: "1", Tenant: "a", Shelf: "s1"}
	move := func(tenant, shelf string) *fixtures.Owned {
		return &fixtures.Owned{ID: "1", Tenant: tenant, Shelf: shelf, Count: 1}
	}
	foreign := fixtures.OwnedKey{ID: "1", Tenant: "A", Shelf: "s1"}
	state, err := all.PrepareMove(ctx, foreign, move("A", "new"))
	if err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	_, prepareErr := o.PrepareMove(ctx, foreign, move("a", "new"))
	into := state
	into.From = from
	for name, err := range map[string]error{
		"from another tenant": o.Move(ctx, foreign, move("a", "new")), "to another tenant": o.Move(ctx, from, move("A", "new")),
		"PrepareMove": prepareErr, "ResumeMove": o.ResumeMove(ctx, state), "ResumeMove to another tenant": o.ResumeMove(ctx, into),
	} {
		kit.WantError(t, name, err, repository.ErrTenant)
	}
	tx := repository.NewTransaction() //nolint:pkgen // it comes to no commit
	if err := errors.Join(o.Move(ctx, from, nil), o.Create(ctx, nil), o.In(tx).Create(nil)); err == nil || errors.Is(err, repository.ErrTenant) {
		t.Errorf("documents that are nil: %v", err)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	if err := o.Move(ctx, from, move("a", "new")); err != nil {
		t.Error(err)
	}
	mine, err := o.PrepareMove(ctx, move("a", "new").Key(), move("a", "newer"))
	if err == nil {
		err = o.ResumeMove(ctx, mine)
	}
	if err != nil {
		t.Error(err)
	}
	docs, err := o.Scan().Collect(ctx)
	shelves := map[string]int{}
	for _, doc := range docs {
		shelves[doc.Shelf]++
	}
	if want := map[string]int{"s0": 3, "s1": 2, "newer": 1}; err != nil || !maps.Equal(shelves, want) {
		t.Errorf("%v, %v, want %v", shelves, err, want)
	}
}

// TestTenantMeterOfTiers counts the requests of a tenant by the container in which it
// lives, with the fence while it moves, and none without the tenant.
func TestTenantMeterOfTiers(t *testing.T) {
	t.Parallel()
	h, l, meter := newTiers(t), newLedger(heldLong), new(tenancy.Meter)
	b := kit.BidsOf(h.db, l, repository.WithObserver(meter.Observe))
	want := map[string]float64{}
	for _, test := range []struct {
		container, name string
		state           tenancy.ResidenceState
	}{{"", "bids", tenancy.ResidenceSettled}, {"", "bids", tenancy.ResidenceMoving}, {"bids-t", "bids-t", tenancy.ResidenceSettled}} {
		l.says(test.container, test.state)
		if test.state == tenancy.ResidenceMoving {
			h.fence(test.name, true)
		}
		var own repository.Meter
		ctx := repository.WithMeter(t.Context(), &own)
		if _, err := b.UpsertAll(documents.Items(kit.BidOf("x", 3))).Collect(ctx); err != nil {
			t.Fatal(err)
		}
		for name, write := range bidWrites {
			if err := errors.Join(b.Upsert(ctx, kit.BidOf(name[:1], 1)), write(ctx, b, name[:1])); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for name, read := range bidReads {
			if _, err := read(ctx, b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		want[test.name] += own.RequestUnits()
	}
	u := meter.Usage()
	if len(u.Tenants) != 2 || u.Unscoped != 0 {
		t.Errorf("%+v", u)
	}
	for _, one := range u.Tenants {
		if one.Tenant != "t" || !near(one.RequestUnits, want[one.Container]) {
			t.Errorf("%+v, want %v", one, want)
		}
	}
}
