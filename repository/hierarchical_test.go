package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newVisits(t testing.TB) (*harness.Account, *azcosmos.ContainerClient, visits) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, visitContainer, repository.Configure(nil))
	return server, container, visits{repository.New(container, &visitModel)}
}

// fillVisits stores 4 tenants × 3 floors × 3 months × 5 visits.
func fillVisits(t testing.TB, r visits) (all []visit) {
	t.Helper()
	for n := range 180 {
		v := visit{
			ID:       fmt.Sprint("v", n%5),
			TenantID: fmt.Sprint("tenant-", n/45),
			Place:    place{Floor: n / 15 % 3},
			At:       time.Date(2024, time.Month(n/5%3+1), 1+n%5, 23, 59, 0, 0, time.FixedZone("", -3600)),
		}
		if err := r.Create(context.Background(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestHierarchicalOperations(t *testing.T) {
	server, container, r := newVisits(t)
	ctx := context.Background()
	v := visit{ID: "1", TenantID: "contoso", Place: place{-3}, At: time.Date(2024, 2, 29, 23, 30, 0, 0, time.FixedZone("", -3600))}
	if err := r.Create(ctx, &v); err != nil {
		t.Fatal(err)
	}
	// The key as it is stored: 23:30 at UTC-1 is in March.
	key := azcosmos.NewPartitionKeyString("contoso").AppendNumber(-3).AppendString("2024-03")
	response, err := container.ReadItem(ctx, key, "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]any
	if err := json.Unmarshal(response.Value, &stored); err != nil {
		t.Fatal(err)
	}
	if stored["partitionKey"] != "2024-03" || stored["tenantId"] != "contoso" || stored["place"].(map[string]any)["floor"] != -3.0 {
		t.Errorf("stored is %s", response.Value)
	}
	got, err := r.Get(ctx, v.key())
	if err != nil || got.TenantID != "contoso" || got.Place != v.Place || got.ETag != v.ETag {
		t.Errorf("got %+v, %v, want %+v", got, err, v)
	}
	if err := r.Create(ctx, &v); !errors.Is(err, repository.ErrAlreadyExists) || !strings.Contains(err.Error(), `in partition ["contoso",-3,"2024-03"]`) {
		t.Errorf("second Create: %v", err)
	}
	for name, step := range map[string]func(context.Context, *visit) error{"Upsert": r.Upsert, "Replace": r.Replace} {
		v.Note = name
		if err := step(ctx, &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := r.Get(ctx, v.key()); err != nil || got.Note != name {
			t.Errorf("after %s: %+v, %v", name, got, err)
		}
	}
	v.ETag = ""
	for name, change := range map[string]func(*visit){
		"the tenant": func(v *visit) { v.TenantID = "fabrikam" },
		"the floor":  func(v *visit) { v.Place.Floor = 3 },
		"the month":  func(v *visit) { v.At = v.At.AddDate(0, 2, 0) },
	} {
		other := v
		change(&other)
		if err := r.Replace(ctx, &other); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Replace under another key, %s: %v", name, err)
		}
		if _, err := r.Get(ctx, other.key()); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Get of another key, %s: %v", name, err)
		}
	}
	server.ResetRequests()
	if err := r.Delete(ctx, v.key()); err != nil {
		t.Fatal(err)
	}
	if n := server.Documents(); len(n) != 1 || n[emulator.OpDeleteItem] != 1 {
		t.Errorf("Delete sent %v", n)
	}
	if err := r.Delete(ctx, v.key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("second Delete: %v", err)
	}
	var keyError *partition.KeyError
	if err := r.Create(ctx, &visit{ID: "1", Place: place{1}, At: v.At}); !errors.As(err, &keyError) || keyError.Field != "TenantID" {
		t.Errorf("Create without a tenant: %v", err)
	}
}

func TestHierarchicalQueries(t *testing.T) {
	t.Parallel()
	server, _, r := newVisits(t)
	all := fillVisits(t, r)
	ranges := map[string]bool{}
	for _, request := range server.Requests() {
		ranges[request.Range] = true
	}
	if len(ranges) < 3 {
		t.Errorf("the documents are on %d physical partitions alone", len(ranges))
	}
	january := time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name   string
		query  repository.Query[visit]
		header string
		keep   func(visitKey) bool
	}{
		{"all levels", r.byTenantIDAndFloorAndAt("tenant-2", 1, january), `["tenant-2",1,"2024-01"]`,
			func(k visitKey) bool { return k.TenantID == "tenant-2" && k.Floor == 1 && k.At.Month() == 1 }},
		{"two levels", r.byTenantIDAndFloor("tenant-2", 0), "",
			func(k visitKey) bool { return k.TenantID == "tenant-2" && k.Floor == 0 }},
		{"one level", r.byTenantID("tenant-3"), "", func(k visitKey) bool { return k.TenantID == "tenant-3" }},
		{"a beginning of a level is no prefix", r.byTenantID("tenant-"), "", func(visitKey) bool { return false }},
		{"no level", r.Scan(), "", func(visitKey) bool { return true }},
		{"one level and a condition", r.byTenantID("tenant-3").WhereRaw("c.place.floor = @floor OR c.id = 'v1'", azcosmos.QueryParameter{Name: "@floor", Value: 2}), "",
			func(k visitKey) bool { return k.TenantID == "tenant-3" && (k.Floor == 2 || k.ID == "v1") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			server.ResetRequests()
			docs, err := test.query.Collect(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var want []visitKey
			for _, v := range all {
				if test.keep(v.key()) {
					want = append(want, v.key())
				}
			}
			sameVisits(t, docs, want)
			for _, request := range server.Requests() {
				if request.Operation == emulator.OpQueryItems && request.PartitionKey != test.header {
					t.Errorf("a query has the partition key %s, want %s", request.PartitionKey, test.header)
				}
			}
		})
	}
	var keyError *partition.KeyError
	if _, err := r.byTenantID("").Collect(context.Background()); !errors.As(err, &keyError) || keyError.Field != "TenantID" {
		t.Errorf("a prefix of nothing: %v", err)
	}
}

// sameVisits fails the test unless docs are those with these keys, each once.
func sameVisits(t *testing.T, docs []*visit, want []visitKey) {
	t.Helper()
	var got []visitKey
	for _, doc := range docs {
		got = append(got, doc.key())
	}
	compare := func(a, b visitKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(got, compare)
	want = slices.Clone(want)
	slices.SortFunc(want, compare)
	if !slices.Equal(got, want) {
		t.Errorf("got %d documents, want %d:\n%v\n%v", len(got), len(want), got, want)
	}
}

// TestPrefixErrorNamesTheLevels: a query by a prefix goes to no one logical
// partition, and its error says so.
func TestPrefixErrorNamesTheLevels(t *testing.T) {
	server, _, r := newVisits(t)
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 400})
	_, err := r.byTenantIDAndFloor("contoso", 7).Collect(context.Background())
	var own *repository.Error
	if !errors.As(err, &own) || own.PartitionKey != `["contoso",7]` {
		t.Errorf("got %v", err)
	}
}

// TestSeveralMadeLevels has a suffix on the first level: a tenant is the prefixes
// of all its buckets.
func TestSeveralMadeLevels(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, orderContainer, repository.Configure(nil))
	r := orders{repository.New(container, &orderModel)}
	ctx := context.Background()
	for n := range 60 {
		o := order{ID: fmt.Sprint(n), TenantID: fmt.Sprint("t", n%2), Customer: fmt.Sprint("customer-", n/2), Day: time.Date(2024, 2, 27+n%5, 0, 0, 0, 0, time.UTC)}
		if err := r.Create(ctx, &o); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Get(ctx, o.key()); err != nil || *got != o {
			t.Fatalf("got %+v, %v, want %+v", got, err, o)
		}
	}
	docs, err := r.byTenantID("t1").Collect(ctx)
	if err != nil || len(docs) != 30 {
		t.Fatalf("t1 has %d orders, %v", len(docs), err)
	}
	seen := map[string]bool{}
	for _, o := range docs {
		if o.TenantID != "t1" || seen[o.ID] {
			t.Errorf("got %+v", o)
		}
		seen[o.ID] = true
	}
	harness.Settled(t)
}

// TestRandomSuffixOnALevel has a level with a random suffix, which is chosen,
// remembered and found again, and whose components collide.
func TestRandomSuffixOnALevel(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, drawContainer, repository.Configure(nil))
	r := repository.New(container, &drawModel)
	ctx := context.Background()
	d := draw{ID: "1", TenantID: "contoso", Game: "a-b", Round: "c"}
	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true})
	if err := r.Create(ctx, &d); err != nil || !strings.HasPrefix(d.Stored, "a-b-c.") {
		t.Fatalf("got %v, and the document is %+v", err, d)
	}
	if got, err := r.Get(ctx, d.key()); err != nil || *got != d {
		t.Errorf("got %+v, %v, want %+v", got, err, d)
	}
	find := func(tenantID, game, round string) (*draw, error) {
		return repository.FindInBuckets(ctx, r, "1", drawKeys(tenantID, game, round))
	}
	if got, err := find("contoso", "a-b", "c"); err != nil || *got != d {
		t.Errorf("FindInBuckets gave %+v, %v", got, err)
	}
	if _, err := find("contoso", "a", "b-c"); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("FindInBuckets of other components: %v", err)
	}
	if _, err := find("fabrikam", "a-b", "c"); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("FindInBuckets of another tenant: %v", err)
	}
	// A draw of other components in the same place is nobody's business.
	foreign := draw{ID: "1", TenantID: "contoso", Game: "a", Round: "b-c", Stored: d.Stored}
	if _, err := r.Get(ctx, foreign.key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
	if err := r.Upsert(ctx, &foreign); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Upsert: %v", err)
	}
	// Under another suffix there may be one, and FindInBuckets tells them apart.
	for foreign.Stored == d.Stored {
		foreign.Stored = ""
		if err := r.Create(ctx, &foreign); err != nil && !errors.Is(err, repository.ErrAlreadyExists) {
			t.Fatal(err)
		}
	}
	if got, err := find("contoso", "a", "b-c"); err != nil || *got != foreign {
		t.Errorf("FindInBuckets gave %+v, %v", got, err)
	}
	// The same draw under two suffixes is reported with its whole key.
	twin := d
	twin.Stored = ""
	for twin.Stored == "" || twin.Stored == d.Stored || twin.Stored == foreign.Stored {
		twin.Stored = ""
		_ = r.Create(ctx, &twin)
	}
	if _, err := find("contoso", "a-b", "c"); !errors.Is(err, repository.ErrAmbiguous) || !strings.Contains(err.Error(), `["contoso","`+twin.Stored+`"]`) {
		t.Errorf("two hits: %v", err)
	}
	// The made level remembers what was stored.
	d.Round = "d"
	if err := r.Upsert(ctx, &d); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("Upsert under another level: %v", err)
	}
}

// TestKeysDoNotShareMemory makes keys of one prefix at once: if they shared
// memory, AppendString would overwrite a level of another key.
func TestKeysDoNotShareMemory(t *testing.T) {
	t.Parallel()
	_, _, r := newVisits(t)
	all := fillVisits(t, r)
	var wg sync.WaitGroup
	for _, v := range all {
		wg.Go(func() {
			got, err := r.Get(context.Background(), v.key())
			if err != nil || got.key() != v.key() {
				t.Errorf("got %+v, %v, want %+v", got, err, v)
			}
		})
	}
	wg.Wait()
}
