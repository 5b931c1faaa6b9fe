package computed

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/computed"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// unstored fails if a container has no documents, or one with one of these properties.
func unstored(t *testing.T, what string, container *azcosmos.ContainerClient, names ...string) {
	t.Helper()
	all, err := harness.Stored[map[string]json.RawMessage](t.Context(), container)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s: %d documents, %v", what, len(all), err)
	}
	for _, doc := range all {
		for _, name := range names {
			if v, has := doc[name]; has {
				t.Errorf("%s: %s has %s: %s", what, doc["id"], name, v)
			}
		}
	}
}

func ensured(t *testing.T, ensure func(context.Context, *azcosmos.DatabaseClient, admin.Throughput, ...admin.EnsureOption) (*azcosmos.ContainerClient, error), partitions int) (*harness.Account, *azcosmos.ContainerClient) {
	t.Helper()
	account := harness.New(t, emulator.Options{Partitions: partitions}, repository.Configure(nil))
	container, err := ensure(t.Context(), account.DB, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return account, container
}

var customerNames = []string{"lowerEmail", "initial", "total", "many", "month", "first", "words"}

// filled is a customer whose computed fields the program has filled.
func filled(id string) *computed.Customer {
	first := "x"
	return &computed.Customer{
		ID: id, Region: "eu", Name: "Ann", Email: "Ann@X.org", Price: 2, Count: 3,
		LowerEmail: "x", Initial: "x", Total: 7, Many: true, Month: repository.NewTime(time.Now()), First: &first, Words: []string{"x"},
	}
}

// Each way to write a document leaves the computed properties out, whatever their fields have.
func TestWritesLeaveThemOut(t *testing.T) {
	t.Parallel()
	key := func(id string) computed.CustomerKey { return computed.CustomerKey{ID: id, Region: "eu"} }
	fill := func(c *computed.Customer) error {
		etag := c.ETag
		*c = *filled(c.ID)
		c.ETag, c.Count = etag, c.Count+1
		return nil
	}
	bulk := func(outcomes repository.Bulk[*computed.Customer]) error {
		_, err := outcomes.Collect(context.Background())
		return err
	}
	for name, write := range map[string]func(ctx context.Context, r *computed.CustomerRepository) error{
		"Create":  func(ctx context.Context, r *computed.CustomerRepository) error { return r.Create(ctx, filled("new")) },
		"Upsert":  func(ctx context.Context, r *computed.CustomerRepository) error { return r.Upsert(ctx, filled("a")) },
		"Replace": func(ctx context.Context, r *computed.CustomerRepository) error { return r.Replace(ctx, filled("a")) },
		"Update":  func(ctx context.Context, r *computed.CustomerRepository) error { return r.Update(ctx, key("a"), fill) },
		"UpdateAndGet": func(ctx context.Context, r *computed.CustomerRepository) error {
			c, err := r.UpdateAndGet(ctx, key("a"), fill)
			if err == nil {
				bare(t, c)
			}
			return err
		},
		"UpdateOrCreate": func(ctx context.Context, r *computed.CustomerRepository) error {
			_, err := r.UpdateOrCreate(ctx, key("b"), func(c *computed.Customer) error { c.ID = "b"; return fill(c) })
			return err
		},
		"Patch": func(ctx context.Context, r *computed.CustomerRepository) error {
			c, err := r.PatchAndGet(ctx, key("a"), computed.CustomerPatch.Email.Set("Bob@X.org"), computed.CustomerPatch.Count.Increment(1))
			if err == nil {
				bare(t, c)
			}
			return err
		},
		"Move": func(ctx context.Context, r *computed.CustomerRepository) error {
			c := filled("a")
			c.Region = "us"
			return r.Move(ctx, key("a"), c)
		},
		"CreateAll": func(_ context.Context, r *computed.CustomerRepository) error {
			return bulk(r.CreateAll(documents.Items(filled("c"), filled("d"))))
		},
		"CreateAll in batches": func(_ context.Context, r *computed.CustomerRepository) error {
			return bulk(r.CreateAll(documents.Items(filled("c"), filled("d")), documents.InBatches()))
		},
		"UpsertAll": func(_ context.Context, r *computed.CustomerRepository) error {
			return bulk(r.UpsertAll(documents.Items(filled("a"), filled("d")), documents.InBatches()))
		},
		"transaction": func(ctx context.Context, r *computed.CustomerRepository) error {
			tx := repository.NewTransaction()
			in := r.In(tx)
			if err := in.Create(filled("e")); err != nil {
				return err
			}
			if err := in.Upsert(filled("f")); err != nil {
				return err
			}
			if err := in.Replace(filled("a")); err != nil {
				return err
			}
			return tx.Commit(ctx)
		},
		"InTransaction": func(ctx context.Context, r *computed.CustomerRepository) error {
			return r.InTransaction(ctx, key("a"), func(tx *repository.Transaction) error {
				c, err := r.In(tx).Read(ctx, key("a"))
				if err == nil {
					bare(t, c)
					err = fill(c)
				}
				if err != nil {
					return err
				}
				return r.In(tx).Replace(c)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, container := ensured(t, computed.EnsureCustomerContainer, 1)
			r := computed.NewCustomerRepository(container)
			if name != "Create" {
				storeRaw(t, container, "eu", map[string]any{"id": "a", "region": "eu", "email": "A@x.org", "since": "2025-01-02T03:04:05.0000000Z"})
			}
			if err := write(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			unstored(t, name, container, customerNames...)
			all, err := r.Scan().Where(f.Total.Gt(0)).Collect(t.Context())
			if err != nil || name != "Patch" && len(all) == 0 {
				t.Errorf("%v, %v", all, err)
			}
			bare(t, all...)
		})
	}
}

// A patch changes no computed property, and has no condition on one.
func TestPatchesOfComputedProperties(t *testing.T) {
	t.Parallel()
	account, container := ensured(t, computed.EnsureCustomerContainer, 1)
	r := computed.NewCustomerRepository(container)
	c := filled("a")
	if err := r.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	account.ResetRequests()
	operation := repository.PatchValue[computed.Customer, string]("/lowerEmail").Set("x")
	within := repository.PatchValue[computed.Customer, string]("/words/0").Set("x")
	for _, o := range []repository.PatchOperation[computed.Customer]{operation, within} {
		if err := r.Patch(t.Context(), c.Key(), o); err == nil || !strings.Contains(err.Error(), "the service computes the property") {
			t.Errorf("%v", err)
		}
		tx := repository.NewTransaction()
		if err := r.In(tx).Patch(c.Key(), o); err == nil || !strings.Contains(err.Error(), "the service computes the property") {
			t.Errorf("%v", err)
		}
		if err := tx.Commit(t.Context()); err == nil {
			t.Error("a transaction is committed whose operation was refused")
		}
	}
	err := r.PatchIf(t.Context(), c.Key(), f.LowerEmail.Eq("x"), computed.CustomerPatch.Count.Increment(1))
	if err == nil || !strings.Contains(err.Error(), "the condition of a patch cannot read the property lowerEmail") {
		t.Errorf("%v", err)
	}
	if n := account.Counts(); len(n) > 0 {
		t.Errorf("sent %v", n)
	}
}

// A type that shares its container, has unique values, an earlier form, an earlier name and
// properties that it does not know, has its computed property nowhere.
func TestPersonsLeaveThemOut(t *testing.T) {
	t.Parallel()
	_, container := ensured(t, computed.EnsurePersonContainer, 2)
	ctx := t.Context()
	r, companies := computed.NewPersonRepository(container), computed.NewCompanyRepository(container)
	for i := range 6 {
		p := &computed.Person{ID: fmt.Sprint("p", i), Group: fmt.Sprint("g", i%2), Email: fmt.Sprint("P", i, "@X.org"), LowerEmail: "x", Rest: map[string]json.RawMessage{"other": json.RawMessage("1")}}
		if err := r.Create(ctx, p); err != nil {
			t.Fatal(err)
		}
		p.Rest["lowerEmail"] = json.RawMessage(`"rest"`)
		if err := r.Upsert(ctx, p); err == nil || !strings.Contains(err.Error(), `holds "lowerEmail"`) {
			t.Fatal(err)
		}
		c := &computed.Company{ID: fmt.Sprint("c", i), Group: fmt.Sprint("g", i%2), Email: fmt.Sprint("C", i, "@Y.org"), LowerEmail: "x", Domain: "x"}
		if err := companies.Create(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	unstored(t, "new", container, "lowerEmail", "domain")
	storeRaw(t, container, "g0", map[string]any{"id": "old", "group": "g0", "type": "person", "email": "OLD@x.org", "fullName": "old", "form": 1, "lowerEmail": "stored", "other": 1})
	old, err := r.Get(ctx, computed.PersonKey{ID: "old", Group: "g0"})
	if err != nil || old.LowerEmail != "" || old.Name != "Dr old" || old.Rest["other"] == nil {
		t.Fatalf("%+v, %v", old, err)
	}
	if _, has := old.Rest["lowerEmail"]; has {
		t.Errorf("the rest has it: %v", old.Rest)
	}
	if s, err := admin.Upgrade(ctx, r.Documents, admin.Run{}); err != nil || !s.Done() {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := r.Update(ctx, computed.PersonKey{ID: "p1", Group: "g1"}, func(p *computed.Person) error { p.Email, p.LowerEmail = "New@X.org", "y"; return nil }); err != nil {
		t.Fatal(err)
	}
	unstored(t, "upgraded", container, "lowerEmail", "domain")

	own := computed.PersonFields
	for mail, id := range map[string]string{"old@x.org": "old", "new@x.org": "p1", "p2@x.org": "p2"} {
		found, err := r.Scan().Where(own.LowerEmail.Eq(mail)).Collect(ctx)
		if err != nil || len(found) != 1 || found[0].ID != id || found[0].LowerEmail != "" {
			t.Errorf("%s: %+v, %v", mail, found, err)
		}
	}
	found, err := companies.Scan().Where(computed.CompanyFields.Domain.Eq("Y.org"), computed.CompanyFields.LowerEmail.StartsWith("c")).OrderBy(computed.CompanyFields.LowerEmail.Desc()).Collect(ctx)
	if err != nil || len(found) != 6 || found[0].ID != "c5" {
		t.Errorf("%+v, %v", found, err)
	}
	if got, err := repository.GetByUnique(ctx, r.Documents, "email", "New@X.org"); err != nil || got.ID != "p1" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Documents move between the buckets of two numbers, and into an index, without them.
func TestPalletsLeaveThemOut(t *testing.T) {
	t.Parallel()
	account, container := ensured(t, computed.EnsurePalletContainer, 3)
	ctx := t.Context()
	r := computed.NewPalletRepository(container)
	tons := 0
	for i := range 24 {
		p := &computed.Pallet{ID: fmt.Sprintf("p%02d", i), Day: "2025-01-02", Customer: fmt.Sprint("c", i), State: []string{"open", "sent"}[i%2], Weight: 700 * i, Tons: 99}
		if i%2 == 0 {
			if err := r.Create(ctx, p); err != nil {
				t.Fatal(err)
			}
			continue
		}
		tons += 700 * i / 1000
		key := fmt.Sprint(p.Day, ".", partition.Hash{}.Text(p.Customer).Bucket(4))
		storeRaw(t, container, key, map[string]any{"id": p.ID, "day": p.Day, "customer": p.Customer, "partitionKey": key, "state": p.State, "weight": p.Weight})
	}
	index, err := computed.EnsurePalletByStateContainer(ctx, account.DB, admin.Autoscale(1000), admin.WaitForIndex())
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		own := computed.PalletFields
		heavy, err := r.Scan().Where(own.Tons.Ge(10)).OrderBy(own.Tons.Desc()).Collect(ctx)
		if err != nil || len(heavy) != 9 || heavy[0].ID != "p23" || heavy[0].Tons != 0 {
			t.Fatalf("%d, %v", len(heavy), err)
		}
		sum, err := repository.Sum(ctx, r.Scan().Where(own.State.Eq("sent")), own.Tons)
		if err != nil || sum != float64(tons) {
			t.Fatalf("%v, %v, want %d", sum, err, tons)
		}
		entries, err := computed.NewPalletByStateRepository(index).ByState("open").Collect(ctx)
		if err != nil || len(entries) != 12 {
			t.Fatalf("%d entries, %v", len(entries), err)
		}
	}
	check()
	if s, err := admin.Rekey(ctx, r.Documents, admin.Run{}); err != nil || s.Changed == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	check()
	unstored(t, "moved", container, "tons")
	unstored(t, "index", index, "tons")
}

// Documents in containers for months, of a tenant and with marks of deletion, are found and sorted by
// a computed property over all containers.
func TestTripsOfSeveralContainers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	account := harness.New(t, emulator.Options{Partitions: 2}, repository.Configure(nil))
	r := computed.NewTripRepository(account.DB, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() }), repository.WithPageSize(2))
	for i := range 30 {
		trip := &computed.Trip{ID: fmt.Sprintf("t%02d", i), Owner: []string{"ann", "bob"}[i%2], At: repository.NewTime(time.Date(2025, time.Month(1+i%3), 2, 0, 0, 0, 0, time.UTC)), Distance: float64(i * 7 % 30), Hours: 2, Speed: -1}
		if err := r.Create(ctx, trip); err != nil {
			t.Fatal(err)
		}
		if i%5 == 4 {
			if err := r.Delete(ctx, trip.Key()); err != nil {
				t.Fatal(err)
			}
		}
		if i%7 == 3 {
			if _, err := r.PatchAndGet(ctx, trip.Key(), computed.TripPatch.Hours.Set(4)); err != nil && i%5 != 4 {
				t.Fatal(err)
			}
		}
	}
	for month := 1; month <= 3; month++ {
		unstored(t, "months", account.Container(fmt.Sprintf("computed-trips-2025-%02d", month), nil), "speed")
	}
	own, tenant := computed.TripFields, r.For("bob")
	query := tenant.Scan().Where(own.Speed.Gt(3)).OrderBy(own.Speed.Asc(), own.ID.Asc())
	all, err := query.Collect(ctx)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d trips, %v", len(all), err)
	}
	var paged []*computed.Trip
	for cursor := ""; ; {
		page, err := query.Page(ctx, cursor, 3)
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, page.Items...)
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	speed := func(trip *computed.Trip) float64 { return trip.Distance / trip.Hours }
	want := 0
	stored, err := tenant.Scan().Collect(ctx)
	for _, trip := range stored {
		if speed(trip) > 3 {
			want++
		}
	}
	if err != nil || len(all) != want || len(paged) != want {
		t.Fatalf("%d trips, %d in pages, want %d, %v", len(all), len(paged), want, err)
	}
	for i, trip := range all {
		if trip.Speed != 0 || trip.Owner != "bob" || !trip.Gone.IsZero() || paged[i].ID != trip.ID || i > 0 && (speed(all[i-1]) > speed(trip) || speed(all[i-1]) == speed(trip) && all[i-1].ID >= trip.ID) {
			t.Errorf("%d: %+v after %+v, page %+v", i, trip, all[max(i-1, 0)], paged[i])
		}
	}
}

// A tenant that moves to a container of its own is found by its computed property there.
func TestBidsOfATenant(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		account, container := ensured(t, computed.EnsureBidContainer, 2)
		directory, err := tenancy.EnsureTenantDirectory(ctx, account.DB, "directory", admin.AnyThroughput(), tenancy.WithResidenceTTL(time.Second), tenancy.WithResidenceGrace(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		r := computed.NewBidRepository(account.DB, directory)
		tenant := r.For("ann")
		for i := range 5 {
			if err := tenant.Create(ctx, &computed.Bid{ID: fmt.Sprint("b", i), Tenant: "ann", Title: strings.Repeat("x", i), Length: 99}); err != nil {
				t.Fatal(err)
			}
		}
		unstored(t, "shared", container, "length")
		check := func() {
			t.Helper()
			found, err := tenant.Scan().Where(computed.BidFields.Length.Ge(3)).OrderBy(computed.BidFields.Length.Desc()).Collect(ctx)
			if err != nil || len(found) != 2 || found[0].ID != "b4" || found[0].Length != 0 {
				t.Fatalf("%+v, %v", found, err)
			}
		}
		check()
		own, err := computed.EnsureBidOwnContainer(ctx, account.DB, "ann", admin.AnyThroughput())
		if err != nil {
			t.Fatal(err)
		}
		if s, err := tenancy.Move(ctx, account.DB, directory, tenancy.TenantMove{Shared: container.ID(), Tenant: "ann", To: own.ID(), Queries: time.Nanosecond}); err != nil {
			t.Fatalf("%+v, %v", s, err)
		}
		check()
		unstored(t, "own", own, "length")
	})
}
