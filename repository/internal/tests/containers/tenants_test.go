package containers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// The properties of bills that queries are in the order of.
var (
	billAt     = fixtures.BillFields.At
	billAmount = fixtures.BillFields.Amount
)

// billsOf stores bills of three regions and three years.
func billsOf(t *testing.T, d *repository.Documents[fixtures.Bill, fixtures.BillKey]) []*fixtures.Bill {
	t.Helper()
	var all []*fixtures.Bill
	for i := range 36 {
		at := time.Date(2022+i%3, time.Month(1+i/3), 1, 0, 0, 0, 0, time.UTC)
		all = append(all, &fixtures.Bill{ID: fmt.Sprintf("b%02d", i), Customer: fmt.Sprint("c", i%4), Region: []string{"eu", "us", "asia"}[i%5%3], At: repository.NewTime(at), Amount: i * 7 % 36})
	}
	if _, err := d.CreateAll(documents.Items(all...)).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestContainersOfRegions checks queries over containers that are not for periods of time
// alone, with and without Configure.
func TestContainersOfRegions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, model := range map[string]*generated.Model[fixtures.Bill, fixtures.BillKey]{
		"region and year": fixtures.BillModel,
		"region":          fixtures.RegionBillModel,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, db := kit.NewDatabase(t, emulator.Options{Partitions: 2}, nil)
			ensure := admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() })
			d := repository.NewIn(db, model, ensure)
			all := billsOf(t, d)
			named := repository.NewQuery(d, generated.Keys{}.Named("Region", "eu"))
			n, err := named.Count(ctx)
			want := len(slices.DeleteFunc(slices.Clone(all), func(x *fixtures.Bill) bool { return x.Region != "eu" }))
			if err != nil || n != want {
				t.Errorf("Named: %d, %v, want %d", n, err, want)
			}
			plan, err := named.Plan(ctx)
			if err != nil || strings.Contains(plan.Containers, "us") || !strings.Contains(plan.Containers, "eu") {
				t.Errorf("the plan of Named: %v, %v", plan, err)
			}
			for _, order := range []repository.Order[fixtures.Bill]{billAt.Asc(), billAt.Desc(), billAmount.Asc()} {
				billsInOrder(t, d, order, len(all))
			}
			billsWithoutConfigure(t, server, model)
		})
	}
}

// billsInOrder checks that all bills come in an order, at once and by pages.
func billsInOrder(t *testing.T, d *repository.Documents[fixtures.Bill, fixtures.BillKey], order repository.Order[fixtures.Bill], n int) {
	t.Helper()
	ctx := context.Background()
	got, err := d.Scan().OrderBy(order).Collect(ctx)
	if err != nil || len(got) != n {
		t.Fatalf("%v: %d, %v", order, len(got), err)
	}
	var paged []*fixtures.Bill
	for cursor := ""; len(paged) == 0 || cursor != "" && len(paged) < 100; {
		page, err := d.Scan().OrderBy(order).Page(ctx, cursor, 5)
		if err != nil {
			t.Fatal(err)
		}
		paged, cursor = append(paged, page.Items...), page.Cursor
	}
	if len(paged) != n {
		t.Fatalf("%v: %d by pages, want %d", order, len(paged), n)
	}
	for i, x := range got {
		if paged[i].At != x.At && order != billAmount.Asc() || order == billAmount.Asc() && paged[i].Amount != x.Amount {
			t.Errorf("%v: page item %d is %+v, want %+v", order, i, paged[i], x)
		}
		if i > 0 && (order == billAt.Asc() && got[i-1].At.Compare(x.At) > 0 || order == billAt.Desc() && got[i-1].At.Compare(x.At) < 0 || order == billAmount.Asc() && got[i-1].Amount > x.Amount) {
			t.Errorf("%v: %+v comes before %+v", order, got[i-1], x)
		}
	}
}

// billsWithoutConfigure checks queries of a client that Configure does not know.
func billsWithoutConfigure(t *testing.T, server *harness.Account, model *generated.Model[fixtures.Bill, fixtures.BillKey]) {
	t.Helper()
	ctx := context.Background()
	plain := server.Database(nil)
	bare := repository.NewIn(plain, model)
	if got, err := bare.Scan().Where(billAmount.Ge(10)).Collect(ctx); err != nil || len(got) != 26 {
		t.Errorf("without Configure: %d, %v", len(got), err)
	}
	customer := repository.NewQuery(bare, generated.Partition("c1"))
	if got, err := customer.OrderBy(billAmount.Asc()).Collect(ctx); err != nil || len(got) != 9 || !slices.IsSortedFunc(got, func(a, b *fixtures.Bill) int { return a.Amount - b.Amount }) {
		t.Errorf("without Configure, in an order: %d, %v", len(got), err)
	}
	if n, err := customer.Count(ctx); err != nil || n != 9 {
		t.Errorf("without Configure: Count: %d, %v", n, err)
	}
	missing := repository.NewQuery(bare, generated.Partition("c1").In(model.Containers.Name(fixtures.BillKey{Region: "mars", At: time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)})))
	if n, err := missing.Count(ctx); err != nil || n != 0 {
		t.Errorf("without Configure, in a missing container: Count: %d, %v", n, err)
	}
}

// TestListsOfContainers lets the request that lists containers fail, and be cut off.
func TestListsOfContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1), kit.Window(2))
	if err := r.Create(ctx, kit.ReadingAt("a1", 2, 5)); err != nil {
		t.Fatal(err)
	}
	r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Count: 1, Body: func(body []byte) []byte { return body[:len(body)/2] }})
	if n, err := r.Scan().Count(ctx); err != nil || n != 1 {
		t.Errorf("after a list that was cut off: %d, %v", n, err)
	}
	r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Count: 20, Body: func([]byte) []byte { return []byte(`{"DocumentCollections":[],"_count":2}`) }})
	if _, err := r.Scan().Count(ctx); err == nil {
		t.Error("a list that has lost its containers is taken for an empty one")
	}
	r.Server.ClearFaults()
	r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Count: 20, Status: 403})
	_, err := r.Scan().Collect(ctx)
	var own *repository.Error
	if !errors.As(err, &own) || own.Status != 403 {
		t.Errorf("a list that is refused: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Scan().Collect(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
