package queries

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
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// fillVisits stores 4 tenants × 3 floors × 3 months × 5 visits.
func fillVisits(t testing.TB, r *fixtures.VisitRepository) (all []fixtures.Visit) {
	t.Helper()
	for n := range 180 {
		v := fixtures.Visit{
			ID:       fmt.Sprint("v", n%5),
			TenantID: fmt.Sprint("tenant-", n/45),
			Place:    fixtures.Place{Floor: n / 15 % 3},
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
	server, container, r := kit.NewVisits(t)
	ctx := context.Background()
	v := fixtures.Visit{ID: "1", TenantID: "contoso", Place: fixtures.Place{Floor: -3}, At: time.Date(2024, 2, 29, 23, 30, 0, 0, time.FixedZone("", -3600))}
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
	got, err := r.Get(ctx, v.Key())
	if err != nil || got.TenantID != "contoso" || got.Place != v.Place || got.ETag != v.ETag {
		t.Errorf("got %+v, %v, want %+v", got, err, v)
	}
	if err := r.Create(ctx, &v); !errors.Is(err, repository.ErrAlreadyExists) || !strings.Contains(err.Error(), `in partition ["contoso",-3,"2024-03"]`) {
		t.Errorf("second Create: %v", err)
	}
	for name, step := range map[string]func(context.Context, *fixtures.Visit) error{"Upsert": r.Upsert, "Replace": r.Replace} {
		v.Note = name
		if err := step(ctx, &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := r.Get(ctx, v.Key()); err != nil || got.Note != name {
			t.Errorf("after %s: %+v, %v", name, got, err)
		}
	}
	v.ETag = ""
	for name, change := range map[string]func(*fixtures.Visit){
		"the tenant": func(v *fixtures.Visit) { v.TenantID = "fabrikam" },
		"the floor":  func(v *fixtures.Visit) { v.Place.Floor = 3 },
		"the month":  func(v *fixtures.Visit) { v.At = v.At.AddDate(0, 2, 0) },
	} {
		other := v
		change(&other)
		if err := r.Replace(ctx, &other); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Replace under another key, %s: %v", name, err)
		}
		if _, err := r.Get(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Get of another key, %s: %v", name, err)
		}
	}
	server.ResetRequests()
	if err := r.Delete(ctx, v.Key()); err != nil {
		t.Fatal(err)
	}
	if n := server.Documents(); len(n) != 1 || n[emulator.OpDeleteItem] != 1 {
		t.Errorf("Delete sent %v", n)
	}
	if err := r.Delete(ctx, v.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("second Delete: %v", err)
	}
	var keyError *partition.KeyError
	if err := r.Create(ctx, &fixtures.Visit{ID: "1", Place: fixtures.Place{Floor: 1}, At: v.At}); !errors.As(err, &keyError) || keyError.Field != "TenantID" {
		t.Errorf("Create without a tenant: %v", err)
	}
}

func TestHierarchicalQueries(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewVisits(t)
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
		query  repository.Query[fixtures.Visit]
		header string
		keep   func(fixtures.VisitKey) bool
	}{
		{"all levels", r.ByTenantIDAndFloorAndAt("tenant-2", 1, january), `["tenant-2",1,"2024-01"]`,
			func(k fixtures.VisitKey) bool { return k.TenantID == "tenant-2" && k.Floor == 1 && k.At.Month() == 1 }},
		{"two levels", r.ByTenantIDAndFloor("tenant-2", 0), "",
			func(k fixtures.VisitKey) bool { return k.TenantID == "tenant-2" && k.Floor == 0 }},
		{"one level", r.ByTenantID("tenant-3"), "", func(k fixtures.VisitKey) bool { return k.TenantID == "tenant-3" }},
		{"a beginning of a level is no prefix", r.ByTenantID("tenant-"), "", func(fixtures.VisitKey) bool { return false }},
		{"no level", r.Scan(), "", func(fixtures.VisitKey) bool { return true }},
		{"one level and a condition", r.ByTenantID("tenant-3").WhereRaw("c.place.floor = @floor OR c.id = 'v1'", azcosmos.QueryParameter{Name: "@floor", Value: 2}), "",
			func(k fixtures.VisitKey) bool { return k.TenantID == "tenant-3" && (k.Floor == 2 || k.ID == "v1") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			server.ResetRequests()
			docs, err := test.query.Collect(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var want []fixtures.VisitKey
			for _, v := range all {
				if test.keep(v.Key()) {
					want = append(want, v.Key())
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
	if _, err := r.ByTenantID("").Collect(context.Background()); !errors.As(err, &keyError) || keyError.Field != "TenantID" {
		t.Errorf("a prefix of nothing: %v", err)
	}
}

// sameVisits fails the test unless docs are those with these keys, each once.
func sameVisits(t *testing.T, docs []*fixtures.Visit, want []fixtures.VisitKey) {
	t.Helper()
	var got []fixtures.VisitKey
	for _, doc := range docs {
		got = append(got, doc.Key())
	}
	compare := func(a, b fixtures.VisitKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
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
	server, _, r := kit.NewVisits(t)
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 400})
	_, err := r.ByTenantIDAndFloor("contoso", 7).Collect(context.Background())
	var own *repository.Error
	if !errors.As(err, &own) || own.PartitionKey != `["contoso",7]` {
		t.Errorf("got %v", err)
	}
}

// TestSeveralMadeLevels has a suffix on the first level: a tenant is the prefixes
// of all its buckets.
func TestSeveralMadeLevels(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.OrderContainer(), repository.Configure(nil))
	r := fixtures.NewOrderRepository(container)
	ctx := context.Background()
	for n := range 60 {
		o := fixtures.Order{ID: fmt.Sprint(n), TenantID: fmt.Sprint("t", n%2), Customer: fmt.Sprint("customer-", n/2), Day: time.Date(2024, 2, 27+n%5, 0, 0, 0, 0, time.UTC)}
		if err := r.Create(ctx, &o); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Get(ctx, o.Key()); err != nil || *got != o {
			t.Fatalf("got %+v, %v, want %+v", got, err, o)
		}
	}
	docs, err := r.ByTenantID("t1").Collect(ctx)
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
	_, _, r := kit.NewVisits(t)
	all := fillVisits(t, r)
	var wg sync.WaitGroup
	for _, v := range all {
		wg.Go(func() {
			got, err := r.Get(context.Background(), v.Key())
			if err != nil || got.Key() != v.Key() {
				t.Errorf("got %+v, %v, want %+v", got, err, v)
			}
		})
	}
	wg.Wait()
}
