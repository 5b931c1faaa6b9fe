package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// oneOwner is the repository of one tenant.
type oneOwner struct {
	repository.Tenant[fixtures.Owned, fixtures.OwnedKey]
	all *repository.Documents[fixtures.Owned, fixtures.OwnedKey]
}

func ownerOf(all *repository.Documents[fixtures.Owned, fixtures.OwnedKey], tenant string) *oneOwner {
	return &oneOwner{repository.NewTenant(all, fixtures.OwnedKey{Tenant: tenant}), all}
}

func (o *oneOwner) Scan() repository.Query[fixtures.Owned] { return o.Only(o.all.Scan()) }

var ownedCount = documents.Number[fixtures.Owned, int]("/count")

// theTenants are tenants whose names try to be more than a value.
var theTenants = []string{"a", "a-b", `x" OR "1"="1`, "x') OR (true) -- ", "A", "ü", "@pkgen0"}

// newOwned stores documents of all tenants: the same ids on the same shelves.
func newOwned(t testing.TB) (*harness.Account, *repository.Documents[fixtures.Owned, fixtures.OwnedKey]) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("owned", "/pk"), repository.Configure(nil))
	all := repository.New(container, fixtures.OwnedModel)
	for n, tenant := range theTenants {
		for i := range 6 {
			doc := &fixtures.Owned{ID: fmt.Sprintf("%d", i), Tenant: tenant, Shelf: fmt.Sprintf("s%d", i%2), Count: n*100 + i}
			if err := all.Create(context.Background(), doc); err != nil {
				t.Fatal(err)
			}
		}
	}
	return server, all
}

// TestTenantReads compares what the repositories of several tenants read with a model.
func TestTenantReads(t *testing.T) {
	t.Parallel()
	_, all := newOwned(t)
	ctx := context.Background()
	for n, tenant := range theTenants {
		o := ownerOf(all, tenant)
		for name, q := range map[string]repository.Query[fixtures.Owned]{
			"Scan":         o.Scan(),
			"Or":           o.Scan().Where(repository.Or(ownedCount.Ge(0), ownedCount.Lt(0))),
			"WhereRaw":     o.Scan().WhereRaw("true OR c.count = @n", azcosmos.QueryParameter{Name: "@n", Value: 1}),
			"WhereRaw two": o.Scan().WhereRaw("c.count >= 0 OR true").WhereRaw(`")" = ")" OR (true)`),
			"OrderBy":      o.Scan().OrderBy(ownedCount.Asc()),
		} {
			docs, err := q.Collect(ctx)
			if err != nil || len(docs) != 6 {
				t.Errorf("%s of %q: %d documents, %v", name, tenant, len(docs), err)
			}
			for _, doc := range docs {
				if doc.Tenant != tenant {
					t.Errorf("%s of %q has a document of %q", name, tenant, doc.Tenant)
				}
			}
		}
		if count, err := o.Scan().Count(ctx); err != nil || count != 6 {
			t.Errorf("%q has %d documents, %v", tenant, count, err)
		}
		for _, other := range theTenants {
			key := fixtures.OwnedKey{ID: "1", Tenant: other, Shelf: "s1"}
			doc, err := o.Get(ctx, key)
			many, manyErr := o.GetMany(ctx, []fixtures.OwnedKey{{ID: "1", Tenant: tenant, Shelf: "s1"}, key})
			if other != tenant {
				kit.WantError(t, "Get", err, repository.ErrTenant)
				kit.WantError(t, "GetMany", manyErr, repository.ErrTenant)
			} else if err != nil || doc.Count != n*100+1 || manyErr != nil || many[1].Count != n*100+1 {
				t.Errorf("%q: %v, %v, %v, %v", tenant, doc, err, many, manyErr)
			}
		}
	}
	page, err := ownerOf(all, "a").Scan().Page(ctx, "", 2)
	if err != nil || page.Cursor == "" {
		t.Fatal(err)
	}
	_, err = ownerOf(all, "A").Scan().Page(ctx, page.Cursor, 2)
	kit.WantError(t, "a cursor of another tenant", err, repository.ErrCursor)
}

// TestTenantRefuses gives the repository of a tenant the documents, keys and queries of
// another one. Nothing is sent, and nothing changes.
func TestTenantRefuses(t *testing.T) {
	t.Parallel()
	server, all := newOwned(t)
	ctx := context.Background()
	o, key := ownerOf(all, "a"), fixtures.OwnedKey{ID: "1", Tenant: "a-b", Shelf: "s1"}
	doc, err := all.Get(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := all.Get(ctx, fixtures.OwnedKey{ID: "1", Tenant: "a", Shelf: "s1"})
	if err != nil {
		t.Fatal(err)
	}
	set := ownedCount2.Set(-1)
	commit := func(add func(tx *repository.Transaction) error) error {
		tx := repository.NewTransaction()
		first := add(tx)
		if err := tx.Commit(ctx); !errors.Is(err, repository.ErrTenant) {
			t.Errorf("Commit after %v: %v", first, err)
		}
		return first
	}
	each := func(outcomes func(func(documents.Outcome[*fixtures.Owned]) bool)) (err error) {
		for o := range outcomes {
			err = errors.Join(err, o.Err)
		}
		return err
	}
	one := slices.Values([]*fixtures.Owned{doc})
	for name, f := range map[string]func(o *oneOwner) error{
		"Create":        func(o *oneOwner) error { return o.Create(ctx, doc) },
		"Upsert":        func(o *oneOwner) error { return o.Upsert(ctx, doc) },
		"Replace":       func(o *oneOwner) error { return o.Replace(ctx, doc) },
		"Get":           func(o *oneOwner) error { _, err := o.Get(ctx, key); return err },
		"Exists":        func(o *oneOwner) error { _, err := o.Exists(ctx, key); return err },
		"GetMany":       func(o *oneOwner) error { _, err := o.GetMany(ctx, []fixtures.OwnedKey{key}); return err },
		"Delete":        func(o *oneOwner) error { return o.Delete(ctx, key) },
		"DeleteIfMatch": func(o *oneOwner) error { return o.DeleteIfMatch(ctx, doc) },
		"Update":        func(o *oneOwner) error { return o.Update(ctx, key, func(*fixtures.Owned) error { return nil }) },
		"UpdateAndGet": func(o *oneOwner) error {
			_, err := o.UpdateAndGet(ctx, key, func(*fixtures.Owned) error { return nil })
			return err
		},
		"Patch":         func(o *oneOwner) error { return o.Patch(ctx, key, set) },
		"PatchAndGet":   func(o *oneOwner) error { _, err := o.PatchAndGet(ctx, key, set); return err },
		"PatchIf":       func(o *oneOwner) error { return o.PatchIf(ctx, key, ownedCount.Ge(0), set) },
		"PatchIfAndGet": func(o *oneOwner) error { _, err := o.PatchIfAndGet(ctx, key, ownedCount.Ge(0), set); return err },
		"CreateAll":     func(o *oneOwner) error { _, err := o.CreateAll(documents.Sequence(one)).Collect(ctx); return err },
		"UpsertAll": func(o *oneOwner) error {
			_, err := o.UpsertAll(documents.Sequence(one), documents.InBatches()).Collect(ctx)
			return err
		},
		"CreateEach": func(o *oneOwner) error { return each(o.CreateAll(documents.Sequence(one)).All(ctx)) },
		"UpsertEach": func(o *oneOwner) error { return each(o.UpsertAll(documents.Sequence(one)).All(ctx)) },
		"DeleteAll": func(o *oneOwner) error {
			_, err := o.DeleteAll(documents.Items(key)).Collect(ctx)
			return err
		},
		"DeleteEach": func(o *oneOwner) (err error) {
			for outcome := range o.DeleteAll(documents.Items(key), documents.InBatches()).All(ctx) {
				err = errors.Join(err, outcome.Err)
			}
			return err
		},
		"DeleteFound":        func(o *oneOwner) error { _, err := o.DeleteFound(ownerOf(all, "a-b").Scan()).Collect(ctx); return err },
		"DeleteFound of all": func(o *oneOwner) error { _, err := o.DeleteFound(all.Scan()).Collect(ctx); return err },
		"DeleteFound one by one": func(o *oneOwner) (err error) {
			for outcome := range o.DeleteFound(all.Scan()).All(ctx) {
				err = errors.Join(err, outcome.Err)
			}
			return err
		},
	} {
		server.ResetRequests()
		err := f(o)
		kit.WantError(t, name, err, repository.ErrTenant)
		if n := len(server.Requests()); n != 0 {
			t.Errorf("%s has sent %d requests", name, n)
		}
		if err != nil && strings.Contains(err.Error(), "a-b") {
			t.Errorf("%s tells the tenant: %v", name, err)
		}
		var invalid *partition.KeyError
		if err := f(ownerOf(all, "")); !errors.As(err, &invalid) && !strings.Contains(name, "DeleteFound") {
			t.Errorf("%s of the empty tenant: %v", name, err)
		}
	}
	for name, add := range map[string]func(repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error{
		"Create":  func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error { return in.Create(doc) },
		"Upsert":  func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error { return in.Upsert(doc) },
		"Replace": func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error { return in.Replace(doc) },
		"Delete":  func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error { return in.Delete(key) },
		"DeleteIfMatch": func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error {
			return in.DeleteIfMatch(doc)
		},
		"Get": func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error {
			_, err := in.Get(key)
			return err
		},
		"Patch": func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error {
			return in.Patch(key, set)
		},
		"PatchIf": func(in repository.TransactionOf[fixtures.Owned, fixtures.OwnedKey]) error {
			return in.PatchIf(key, ownedCount.Ge(0), set)
		},
	} {
		server.ResetRequests()
		kit.WantError(t, name, commit(func(tx *repository.Transaction) error { return add(o.In(tx)) }), repository.ErrTenant)
		if n := len(server.Requests()); n != 0 {
			t.Errorf("the transaction with %s has sent %d requests", name, n)
		}
	}
	for _, raw := range []string{"true) OR (true", "true -- ", `c.x = "\\") OR (true`} {
		if _, err := o.Scan().WhereRaw(raw).Collect(ctx); err == nil || !strings.Contains(err.Error(), "condition") {
			t.Errorf("WhereRaw %q: %v", raw, err)
		}
		if _, err := o.Only(all.Scan().WhereRaw(raw)).Collect(ctx); err == nil {
			t.Errorf("WhereRaw %q before Only is not refused", raw)
		}
	}
	if _, err := ownerOf(all, "").Scan().Collect(ctx); err == nil {
		t.Error("a query of the empty tenant is not refused")
	}
	kit.WantError(t, "a change of the tenant", o.Update(ctx, mine.Key(), func(x *fixtures.Owned) error { x.Tenant = "a-b"; return nil }), repository.ErrKeyChanged)
	if n, err := all.Scan().Where(ownedCount.Ge(0)).Count(ctx); err != nil || n != 6*len(theTenants) {
		t.Errorf("%d documents are left, %v", n, err)
	}
}

var ownedCount2 = repository.PatchNumber[fixtures.Owned, int]("/count")

// TestTenantWrites runs each operation for one tenant, and compares what all tenants
// have with a model.
func TestTenantWrites(t *testing.T) {
	t.Parallel()
	_, all := newOwned(t)
	ctx := context.Background()
	model := map[fixtures.OwnedKey]int{}
	for doc, err := range all.Scan().All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		model[doc.Key()] = doc.Count
	}
	for n, tenant := range theTenants {
		o := ownerOf(all, tenant)
		at := func(i int) fixtures.OwnedKey {
			return fixtures.OwnedKey{ID: fmt.Sprint(i), Tenant: tenant, Shelf: fmt.Sprintf("s%d", i%2)}
		}
		doc := func(i, count int) *fixtures.Owned {
			k := at(i)
			model[k] = count
			return &fixtures.Owned{ID: k.ID, Tenant: k.Tenant, Shelf: k.Shelf, Count: count}
		}
		tx := repository.NewTransaction()
		in := o.In(tx)
		read, readErr := in.Get(at(3))
		err := errors.Join(
			o.Create(ctx, doc(10, n)), o.Upsert(ctx, doc(0, n)), o.Replace(ctx, doc(1, n)),
			o.Update(ctx, at(2), func(x *fixtures.Owned) error { x.Count = -n; return nil }),
			o.Patch(ctx, at(4), ownedCount2.Set(n+7)),
			o.Delete(ctx, at(5)), readErr, in.Create(doc(11, n)), in.Upsert(doc(3, 5)), tx.Commit(ctx),
		)
		model[at(2)], model[at(4)] = -n, n+7
		delete(model, at(5))
		if err != nil {
			t.Fatalf("%q: %v", tenant, err)
		}
		if x, err := read.Doc(); err != nil || x.Count != n*100+3 {
			t.Errorf("%q: read %v, %v", tenant, x, err)
		}
		mixed := []*fixtures.Owned{doc(20, 1), {ID: "99", Tenant: theTenants[(n+1)%len(theTenants)], Shelf: "s1"}, doc(21, 2)}
		summary, err := o.CreateAll(documents.Items(mixed...), documents.InBatches()).Collect(ctx)
		kit.WantError(t, "CreateAll", err, repository.ErrTenant)
		if summary.Failed != 1 {
			t.Errorf("CreateAll: %+v", summary)
		}
		if n%2 == 1 {
			if _, err := o.DeleteFound(o.Scan().Where(ownedCount.Ge(0))).Collect(ctx); err != nil {
				t.Error(err)
			}
			maps.DeleteFunc(model, func(k fixtures.OwnedKey, count int) bool { return k.Tenant == tenant && count >= 0 })
		}
	}
	found := map[fixtures.OwnedKey]int{}
	for doc, err := range all.Scan().All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		found[doc.Key()] = doc.Count
	}
	if !maps.Equal(found, model) {
		t.Errorf("the container has %v, want %v", found, model)
	}
}

// TestTenantOfForeignDocument reads a document that a program without pkgen has stored
// under the key of one tenant with the name of another.
func TestTenantOfForeignDocument(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("owned", "/pk"), repository.Configure(nil))
	unambiguous := *fixtures.OwnedModel
	unambiguous.Ambiguous, unambiguous.Same = false, nil
	o := ownerOf(repository.New(container, &unambiguous), "a")
	ctx, key := context.Background(), fixtures.OwnedKey{ID: "1", Tenant: "a", Shelf: "s"}
	body, err := json.Marshal(fixtures.Owned{ID: "1", Tenant: "b", Shelf: "s", Stored: "a-s"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("a-s"), body, nil); err != nil {
		t.Fatal(err)
	}
	doc, err := o.Get(ctx, key)
	kit.WantError(t, "Get", err, repository.ErrTenant)
	many, err := o.GetMany(ctx, []fixtures.OwnedKey{key})
	kit.WantError(t, "GetMany", err, repository.ErrTenant)
	if doc != nil || many != nil {
		t.Errorf("documents of another tenant: %v, %v", doc, many)
	}
	kit.WantError(t, "Update", o.Update(ctx, key, func(*fixtures.Owned) error { t.Error("change has it"); return nil }), repository.ErrTenant)
}

// TestTenantAllocations checks that a point read of one tenant allocates one time more
// than that of all: the repository of the tenant.
func TestTenantAllocations(t *testing.T) {
	_, client := kit.NewWireClient(t, `{"id":"1","tenant":"a","shelf":"s","pk":"a-s"}`)
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer("owned")
	if err != nil {
		t.Fatal(err)
	}
	all := repository.New(container, fixtures.OwnedModel)
	ctx, key := context.Background(), fixtures.OwnedKey{ID: "1", Tenant: "a", Shelf: "s"}
	count := func(get func() (*fixtures.Owned, error)) float64 {
		if _, err := get(); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(200, func() { _, _ = get() })
	}
	plain := count(func() (*fixtures.Owned, error) { return all.Get(ctx, key) })
	scoped := count(func() (*fixtures.Owned, error) { return ownerOf(all, "a").Get(ctx, key) })
	if scoped > plain+1+harness.RaceAllocations {
		t.Errorf("a read of a tenant allocates %v times, a plain one %v times", scoped, plain)
	}
}
