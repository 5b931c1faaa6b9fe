package queries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// ranks compares a ranking of what a query selects with BM25 over all that its containers store,
// and a fusion of two scores with a formula.
func ranks[D any](t *testing.T, server *harness.Account, containers []string, q repository.Query[D], pointer string, text func(*D) string) {
	t.Helper()
	ctx := context.Background()
	var stored []string
	for _, id := range containers {
		searchable(t, server, id, pointer)
		all, err := harness.Stored[map[string]any](ctx, server.Container(id, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range all {
			value, _ := doc[strings.TrimPrefix(pointer, "/")].(string)
			stored = append(stored, value)
		}
	}
	selected, err := q.Collect(ctx)
	if err != nil || len(selected) < 3 {
		t.Fatalf("%d documents are selected: %v", len(selected), err)
	}
	const most = 100
	field := documents.FullText[D, string]{String: documents.String[D, string](pointer)}
	words := kit.WordsOf(text(selected[0]))
	one, two := kit.NewBM25(stored, words...), kit.NewBM25(stored, kit.WordsOf(text(selected[1]))[0])
	value := func(score func(*D) float64, doc *D) float64 {
		greater := map[float64]bool{}
		for _, other := range selected {
			if s := score(other); s > score(doc)+1e-9 {
				greater[math.Round(s*1e9)] = true
			}
		}
		return 1 / float64(61+len(greater))
	}
	ofOne := func(doc *D) float64 { return one.Of(text(doc)) }
	ofTwo := func(doc *D) float64 { return two.Of(text(doc)) }
	for name, test := range map[string]struct {
		rows  repository.Ranking[D]
		score func(*D) float64
	}{
		"a score": {repository.OrderByRank(q, field.Score(words...)), ofOne},
		"a fusion": {
			repository.OrderByRank(q, field.Score(words...), field.Score(kit.WordsOf(text(selected[1]))[0]).Weight(3)),
			func(doc *D) float64 { return value(ofOne, doc) + 3*value(ofTwo, doc) },
		},
	} {
		plan, err := test.rows.Limit(most).Plan(ctx)
		if err != nil {
			t.Fatal(err)
		}
		server.ResetRequests()
		for _, limit := range []int{most, 2} {
			rows, err := test.rows.Limit(limit).Collect(ctx)
			if err != nil {
				var response *azcore.ResponseError
				if errors.As(err, &response) {
					err = response
				}
				t.Fatalf("%s: %v", name, err)
			}
			var got, want []float64
			for _, doc := range selected {
				want = append(want, test.score(doc))
			}
			slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
			for _, row := range rows {
				if got = append(got, row.Score); math.Abs(test.score(row.Document)-row.Score) > 1e-9 {
					t.Errorf("%s: %+v has %v, not %v", name, row.Document, row.Score, test.score(row.Document))
				}
			}
			want = want[:min(limit, len(want))]
			if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
		if sent := server.Sent(ofRanking...); sent != 2*plan.Requests {
			t.Errorf("%s: %d requests, and the plan has %+v", name, sent, plan)
		}
	}
}

// searchable makes a full-text index of a property.
func searchable(t *testing.T, server *harness.Account, id, path string) {
	t.Helper()
	container := server.Container(id, nil)
	read, err := container.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := *read.ContainerProperties
	p.FullTextPolicy = &azcosmos.FullTextPolicy{DefaultLanguage: "en-US", FullTextPaths: []azcosmos.FullTextPath{{Path: path, Language: "en-US"}}}
	p.IndexingPolicy.FullTextIndexes = []azcosmos.FullTextIndex{{Path: path}}
	if _, err := container.Replace(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
}

// TestRankFeatures ranks documents of each kind of layout.
func TestRankFeatures(t *testing.T) {
	t.Parallel()
	words := []string{"red bicycle", "blue bicycle red house", "red", "house", "green house red", "blue"}
	ctx := context.Background()
	made := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	day := func(i int) time.Time { return time.Date(2024, time.Month(1+i%3), 1+i%28, 12, 0, 0, 0, time.UTC) }
	for name, run := range map[string]func(t *testing.T, server *harness.Account){
		"marked as deleted": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureParcelContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			parcels := fixtures.NewParcelRepository(c)
			for i := range 30 {
				p := &fixtures.Parcel{ID: fmt.Sprint(i), Owner: words[i%6]}
				made(t, parcels.Create(ctx, p))
				if i%4 == 0 {
					made(t, parcels.Delete(ctx, p.Key()))
				}
			}
			ranks(t, server, []string{"all-parcels"}, parcels.Scan(), "/owner", func(p *fixtures.Parcel) string { return p.Owner })
			ranks(t, server, []string{"all-parcels"}, parcels.ByOwner("red"), "/owner", func(p *fixtures.Parcel) string { return p.Owner })
		},
		"types that share a container": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureMemoContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			memos, purchases := fixtures.NewMemoRepository(c), fixtures.NewPurchaseRepository(c)
			for i := range 30 {
				made(t, memos.Create(ctx, &fixtures.Memo{ID: fmt.Sprint("m", i), Customer: words[i%6], Text: words[i*5%6]}))
				made(t, purchases.Create(ctx, &fixtures.Purchase{ID: fmt.Sprint("p", i), Customer: words[(i+1)%6]}))
			}
			ranks(t, server, []string{"customers"}, purchases.Scan(), "/customer", func(p *fixtures.Purchase) string { return p.Customer })
			ranks(t, server, []string{"customers"}, memos.Scan(), "/text", func(m *fixtures.Memo) string { return m.Text })
			ranks(t, server, []string{"customers"}, purchases.ByCustomer("blue"), "/customer", func(p *fixtures.Purchase) string { return p.Customer })
		},
		"windows": func(t *testing.T, server *harness.Account) {
			readings := fixtures.NewReadingRepository(server.DB)
			windows := []string{"telemetry-2024-01", "telemetry-2024-02", "telemetry-2024-03"}
			for _, id := range windows {
				_, err := server.DB.CreateContainer(ctx, kit.HashContainer(id, "/pk"), nil)
				made(t, err)
			}
			for i := range 40 {
				made(t, readings.Create(ctx, &fixtures.Reading{ID: fmt.Sprint(i), Device: fmt.Sprint("d", i%3), At: repository.NewTime(day(i)), Kind: words[i%6]}))
			}
			kind := func(r *fixtures.Reading) string { return r.Kind }
			ranks(t, server, windows, readings.Scan(), "/kind", kind)
			ranks(t, server, windows[:2], readings.ScanBetween(day(0), time.Date(2024, 2, 20, 0, 0, 0, 0, time.UTC)), "/kind", kind)
			ranks(t, server, windows, readings.ByDeviceBetween("d1", day(0), time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)), "/kind", kind)
			ranks(t, server, windows, readings.Scan().Where(kit.ReadingAtF.Ge(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))), "/kind", kind)
		},
		"a container of a region": func(t *testing.T, server *harness.Account) {
			bills := fixtures.NewRegionBillRepository(server.DB)
			for _, region := range []string{"eu", "us"} {
				server.Create(harness.Properties("bills-"+region, "/customer"))
				for i := range 20 {
					made(t, bills.Create(ctx, &fixtures.RegionBill{ID: fmt.Sprint(i), Customer: words[i%6], Region: region}))
				}
			}
			customer := func(b *fixtures.RegionBill) string { return b.Customer }
			ranks(t, server, []string{"bills-eu"}, bills.ByRegion("eu"), "/customer", customer)
			ranks(t, server, []string{"bills-eu", "bills-us"}, bills.Scan(), "/customer", customer)
		},
		"random buckets of a tenant": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureTicketContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			tickets := fixtures.NewTicketRepository(c)
			for i := range 40 {
				made(t, tickets.Create(ctx, &fixtures.Ticket{ID: fmt.Sprint(words[i%6], " ", i), Tenant: fmt.Sprint("t", i%2)}))
			}
			tenant := tickets.For("t1")
			ranks(t, server, []string{"tickets"}, tenant.Scan(), "/id", func(x *fixtures.Ticket) string { return x.ID })
			ranks(t, server, []string{"tickets"}, tickets.ByTenant("t0"), "/id", func(x *fixtures.Ticket) string { return x.ID })
		},
		"levels": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureVisitContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			visits := fixtures.NewVisitRepository(c)
			for i := range 40 {
				made(t, visits.Create(ctx, &fixtures.Visit{ID: fmt.Sprint(i), TenantID: fmt.Sprint("t", i%2), Place: fixtures.Place{Floor: i % 3}, At: day(0), Note: words[i*7%6] + " " + words[i%5]}))
			}
			note := func(v *fixtures.Visit) string { return v.Note }
			ranks(t, server, []string{"visits"}, visits.Scan(), "/note", note)
			ranks(t, server, []string{"visits"}, visits.ByTenantID("t1"), "/note", note)
			ranks(t, server, []string{"visits"}, visits.ByTenantIDAndFloor("t1", 1), "/note", note)
			ranks(t, server, []string{"visits"}, visits.ByTenantIDAndFloorAndAt("t1", 1, day(0)), "/note", note)
		},
		"hashed buckets at a level": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureOrderContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			orders := fixtures.NewOrderRepository(c)
			for i := range 40 {
				made(t, orders.Create(ctx, &fixtures.Order{ID: fmt.Sprint(i), TenantID: "t", Customer: words[i%6] + " " + words[i%4], Day: day(i)}))
			}
			ranks(t, server, []string{"customer-orders"}, orders.ByTenantID("t"), "/customer", func(o *fixtures.Order) string { return o.Customer })
		},
		"a tenant that may have a container of its own": func(t *testing.T, server *harness.Account) {
			directory, err := tenancy.EnsureTenantDirectory(ctx, server.DB, "tenants", admin.Manual(400))
			made(t, err)
			_, err = fixtures.EnsureLotContainer(ctx, server.DB, admin.Manual(400))
			made(t, err)
			lots := fixtures.NewLotRepository(server.DB, directory)
			for i := range 40 {
				made(t, lots.For(fmt.Sprint("t", i%2)).Create(ctx, &fixtures.Lot{ID: fmt.Sprint(i), Tenant: fmt.Sprint("t", i%2), Shelf: words[i%6] + " " + words[i%4]}))
			}
			shelf := func(l *fixtures.Lot) string { return l.Shelf }
			ranks(t, server, []string{"lots"}, lots.For("t1").Scan(), "/shelf", shelf)
			ranks(t, server, []string{"lots"}, lots.For("t0").ByShelf("red red"), "/shelf", shelf)
		},
		"an index": func(t *testing.T, server *harness.Account) {
			c, err := fixtures.EnsureShipmentContainer(ctx, server.DB, admin.Autoscale(1000))
			made(t, err)
			shipments := fixtures.NewShipmentRepository(c)
			for i := range 30 {
				made(t, shipments.Create(ctx, &fixtures.Shipment{ID: fmt.Sprint(i), TenantID: fmt.Sprint("t", i%4), Carrier: words[i%2], State: words[i%6], SentAt: day(0)}))
			}
			byState, err := fixtures.EnsureShipmentByStateContainer(ctx, server.DB, admin.Autoscale(1000), admin.WaitForIndex())
			made(t, err)
			states := fixtures.NewShipmentByStateRepository(byState)
			ranks(t, server, []string{byState.ID()}, states.Scan(), "/state", func(e *fixtures.ShipmentByStateEntry) string { return e.State })
			ranks(t, server, []string{byState.ID()}, states.ByState("house"), "/state", func(e *fixtures.ShipmentByStateEntry) string { return e.State })
		},
		"forms": func(t *testing.T, server *harness.Account) {
			c := server.Create(harness.Properties("form-letters", "/key"))
			letters, before := repository.New(c, forms.LetterModel), repository.New(c, forms.LetterBeforeModel)
			for i := range 15 {
				made(t, letters.Create(ctx, &forms.Letter{ID: fmt.Sprint(i), Key: words[i%6]}))
				made(t, before.Create(ctx, &forms.LetterBefore{ID: fmt.Sprint("old", i), Key: words[i%5]}))
			}
			ranks(t, server, []string{"form-letters"}, letters.Scan(), "/key", func(l *forms.Letter) string { return l.Key })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, harness.New(t, emulator.Options{Partitions: 3}, repository.Configure(nil)))
		})
	}
}
