package queries

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// walk returns all documents of q, page by page.
func walk[T any](t *testing.T, q repository.Query[T], size int) []*T {
	t.Helper()
	var all []*T
	for cursor := ""; ; {
		page, err := q.Page(context.Background(), cursor, size)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Items...)
		if cursor = page.Cursor; cursor == "" {
			return all
		}
		if len(page.Items) != size {
			t.Fatalf("a page of %d, which is not the last, has %d documents", size, len(page.Items))
		}
	}
}

func TestPagesSendOneQueryForEachPhysicalPartition(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 95)
	q := events.ByDate(kit.Day).OrderBy(kit.EventSpeed.Desc())
	if _, err := q.Plan(ctx); err != nil {
		t.Fatal(err)
	}
	cursor, n := "", 0
	for pages := 1; ; pages++ {
		server.ResetRequests()
		page, err := q.Page(ctx, cursor, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			if want := 94 - n; e.Speed != want {
				t.Errorf("event %d has speed %d, want %d", n, e.Speed, want)
			}
			n++
		}
		if got := server.Documents()[emulator.OpQueryItems]; got != 5 {
			t.Errorf("page %d took %d queries", pages, got)
		}
		read := 0
		for _, r := range server.Requests() {
			read += r.Items
		}
		if read > 5*12 { // the page, the last of the one before, and one more
			t.Errorf("page %d read %d documents", pages, read)
		}
		if cursor = page.Cursor; cursor == "" {
			if pages != 10 || n != 95 {
				t.Errorf("%d pages with %d documents", pages, n)
			}
			break
		}
		if strings.Trim(cursor, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			t.Errorf("the cursor %q has a character that a URL escapes", cursor)
		}
	}
}

// TestPagesUnderFaults walks over random documents in random orders, with pages of
// random sizes, by a client of its own for each page, while physical partitions
// are split and requests fail, and compares the pages with the same in memory.
func TestPagesUnderFaults(t *testing.T) {
	seeds.Long(t)
	kit.Seeds(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 400))
		c := kit.NewThings(t, emulator.Options{Partitions: 1 + r.IntN(5), ScanLimit: []int{0, 7}[r.IntN(2)]}, repository.Configure(harness.Impatient()), seed%2 == 1,
			repository.WithPageSize(r.Int32N(12)), repository.WithConcurrency(1+r.IntN(8)))
		all := c.Fill(t, r, 150)
		for range 6 {
			for name, s := range sortings {
				if s.compare == nil {
					s.compare = func(x, y *kit.Thing) int { return strings.Compare(x.ID, y.ID) }
				}
				q, base := c.Scan(), []string{"", "x", "y"}[r.IntN(3)]
				if base != "" {
					q = c.ByBase(base, r.IntN(2) == 0)
				}
				q = q.OrderBy(s.orders...)
				want := kit.ThingsOf(all, base)
				slices.SortStableFunc(want, s.compare)
				limit := 0
				if r.IntN(3) == 0 {
					limit = 1 + r.IntN(60)
					q = q.Limit(limit)
				}
				compareRun(t, fmt.Sprintf("%s of %q, limit %d", name, base, limit), disturbedPages(t, c, r, q), want, s, limit)
			}
		}
	})
}

// disturbedPages walks over q.
func disturbedPages(t *testing.T, c kit.Things, r *rand.Rand, q repository.Query[kit.Thing]) []*kit.Thing {
	t.Helper()
	defer c.Server.ClearFaults()
	var all []*kit.Thing
	for cursor := ""; ; {
		c.Disturb(r)
		size := 1 + r.IntN(40)
		page, err := q.Page(context.Background(), cursor, size)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Items...)
		if cursor = page.Cursor; cursor == "" {
			return all
		}
		if len(page.Items) != size {
			t.Fatalf("a page of %d, which is not the last, has %d documents", size, len(page.Items))
		}
	}
}

// TestPagesGoOnElsewhere takes a cursor to another client, whose strategy does
// not use physical partitions.
func TestPagesGoOnElsewhere(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 60)
	first, err := events.ByDate(kit.Day).Page(ctx, "", 25)
	if err != nil {
		t.Fatal(err)
	}
	container := server.Container(fleet.VehicleEventContainer().ID, nil)
	second, err := fleet.NewVehicleEventRepository(container).ByDate(kit.Day).Page(ctx, first.Cursor, 25)
	if err != nil {
		t.Fatal(err)
	}
	third, err := events.ByDate(kit.Day).Page(ctx, second.Cursor, 25)
	if err != nil {
		t.Fatal(err)
	}
	once(t, slices.Concat(first.Items, second.Items, third.Items), 60)
	if third.Cursor != "" {
		t.Error("there is a page after the last")
	}
	if _, err := fleet.NewVehicleEventRepository(container).Scan().Page(ctx, "", 25); err == nil || !strings.Contains(err.Error(), "Configure") {
		t.Errorf("a page of the whole container without the policy: %v", err)
	}
}

// TestPagesMoveOn stores documents between two pages: those after the cursor
// come, and only those.
func TestPagesMoveOn(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	var want []*fleet.VehicleEvent
	for i := range 40 {
		e := kit.Event(2 * i)
		want = append(want, e)
		if err := events.Create(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	q := events.ByDate(kit.Day)
	page, err := q.Page(ctx, "", 20)
	if err != nil {
		t.Fatal(err)
	}
	before, after := kit.Event(3), kit.Event(77)
	if err := errors.Join(events.Create(ctx, before), events.Create(ctx, after)); err != nil {
		t.Fatal(err)
	}
	if err := events.Delete(ctx, page.Items[19].Key()); err != nil { // the document at the cursor
		t.Fatal(err)
	}
	rest, err := q.Page(ctx, page.Cursor, 100)
	if err != nil {
		t.Fatal(err)
	}
	want = slices.Insert(want, 39, after)
	for i, e := range slices.Concat(page.Items, rest.Items) {
		if e.ID != want[i].ID {
			t.Errorf("document %d is %s, want %s", i, e.ID, want[i].ID)
		}
	}
	if len(rest.Items) != 21 || rest.Cursor != "" {
		t.Errorf("the last page has %d documents", len(rest.Items))
	}
}

func TestPagesOfOneLogicalPartition(t *testing.T) {
	server, events := kit.NewFleet(t)
	for i := range 9 {
		e := kit.Event(i)
		e.VIN = "1HGCM82633A004352"
		if err := events.Create(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetRequests()
	docs := walk(t, events.ByDateAndVIN(kit.Day, "1HGCM82633A004352").OrderBy(kit.EventSpeed.Desc()).Limit(8), 4)
	for i, e := range docs {
		if e.Speed != 8-i {
			t.Errorf("document %d has speed %d", i, e.Speed)
		}
	}
	if n := server.Documents()[emulator.OpQueryItems]; len(docs) != 8 || n != 2 {
		t.Errorf("%d documents by %d queries, want 8 by 2", len(docs), n)
	}
}

func TestCursorsThatDoNotFit(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container)
	ctx := context.Background()
	kit.Fill(t, events, 30)
	q := events.ByDate(kit.Day).Where(kit.EventSpeed.Ge(1)).OrderBy(kit.EventSpeed.Asc())
	page, err := q.Page(ctx, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name string, q repository.Query[fleet.VehicleEvent], cursor, reason string) {
		t.Helper()
		page, err := q.Page(ctx, cursor, 10)
		var own *repository.Error
		if !errors.Is(err, repository.ErrCursor) || !errors.As(err, &own) || own.Op != "page" || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %d documents, %v", name, len(page.Items), err)
		}
	}
	server.ResetRequests()
	for name, other := range map[string]repository.Query[fleet.VehicleEvent]{
		"other keys":       events.ByDate("2018-08-10").Where(kit.EventSpeed.Ge(1)).OrderBy(kit.EventSpeed.Asc()),
		"all keys":         events.Scan().Where(kit.EventSpeed.Ge(1)).OrderBy(kit.EventSpeed.Asc()),
		"other value":      events.ByDate(kit.Day).Where(kit.EventSpeed.Ge(2)).OrderBy(kit.EventSpeed.Asc()),
		"other predicate":  events.ByDate(kit.Day).Where(kit.EventSpeed.Gt(1)).OrderBy(kit.EventSpeed.Asc()),
		"no predicate":     events.ByDate(kit.Day).OrderBy(kit.EventSpeed.Asc()),
		"other direction":  events.ByDate(kit.Day).Where(kit.EventSpeed.Ge(1)).OrderBy(kit.EventSpeed.Desc()),
		"one order more":   q.OrderBy(kit.EventVIN.Asc()),
		"no order":         events.ByDate(kit.Day).Where(kit.EventSpeed.Ge(1)),
		"a limit":          q.Limit(20),
		"a condition more": q.WhereRaw("c.x = @x", azcosmos.QueryParameter{Name: "@x", Value: 1}),
	} {
		refused(name, other, page.Cursor, "another query")
	}
	refused("damaged", q, page.Cursor[:20]+"A"+page.Cursor[21:], "damaged")
	refused("cut off", q, page.Cursor[:len(page.Cursor)-4], "damaged")
	refused("a word", q, "next", "damaged")
	if n := len(server.Requests()); n != 0 {
		t.Errorf("cursors that do not fit sent %d requests", n)
	}
	for _, size := range []int{0, -1, 1_000_001} {
		if _, err := q.Page(ctx, "", size); err == nil || !strings.Contains(err.Error(), fmt.Sprint(size)) {
			t.Errorf("a page of %d documents: %v", size, err)
		}
	}
	if _, err := (repository.Query[fleet.VehicleEvent]{}).Page(ctx, "", 1); err == nil {
		t.Error("the zero query has a page")
	}
	if _, err := q.WhereRaw("c.x = @x", azcosmos.QueryParameter{Name: "@x", Value: func() {}}).Page(ctx, "", 1); err == nil {
		t.Error("a parameter without JSON is accepted")
	}

	one := events.ByDateAndVIN(kit.Day, kit.Event(5).VIN)
	same := kit.Event(5)
	same.ID = "another"
	if err := events.Create(ctx, same); err != nil {
		t.Fatal(err)
	}
	inOne, err := one.Page(ctx, "", 1)
	if err != nil || inOne.Cursor == "" {
		t.Fatal(inOne, err)
	}
	// The container is created again, empty at first.
	if _, err := container.Delete(ctx, nil); err != nil {
		t.Fatal(err)
	}
	db := server.Database(nil)
	if _, err := db.CreateContainer(ctx, fleet.VehicleEventContainer(), nil); err != nil {
		t.Fatal(err)
	}
	refused("an empty container", q, page.Cursor, "another container")
	kit.Fill(t, events, 30)
	refused("another container", q, page.Cursor, "another container")
	refused("one partition of another container", one, inOne.Cursor, "another container")
}
