package indexes

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// newMixed makes an index with 12 entries, of which A has three of ann. The source has documents
// of another type, marked ones, reservations and older forms, too.
func newMixed(t *testing.T) byCustomer {
	t.Helper()
	s := newSales(t, features{shared: true, marked: true, unique: true, formed: true}, emulator.Options{Partitions: 3})
	s.fill(t, 12) // ann: s0, s2, s4 of each shop
	s.put(t, "A", `{"id":"old","shop":"A","customer":"ann","euros":7,"type":"sale","byCustomer":"A|ann"}`)
	s.put(t, "A", `{"id":"audit","shop":"A","customer":"ann","cents":1000,"type":"audit","byCustomer":"A|ann"}`)
	s.put(t, "A", `{"id":"draft","shop":"A","customer":"ann","cents":1000,"type":"sale","byCustomer":"A|ann","_pending":{"of":"x"}}`)
	if err := s.Delete(t.Context(), saleKey{"s2", "A"}); err != nil {
		t.Fatal(err)
	}
	return s.newIndex(t)
}

// TestRead reads what counts as a document of the source.
func TestRead(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	x := newMixed(t)
	ann := x.of("A", "ann")

	all, err := ann.OrderBy(entryCents.Desc()).Collect(ctx)
	if err != nil || strings.Join(names(all), " ") != "A/s4 A/s0 A/old" && strings.Join(names(all), " ") != "A/s4 A/old A/s0" {
		t.Fatalf("%v, %v", names(all), err)
	}
	for _, e := range all {
		if e.Customer != "ann" || e.ETag != "" || e.SaleID == "old" && e.Cents != 700 {
			t.Errorf("%+v", e)
		}
	}
	scanned, err := x.Scan().Collect(ctx)
	if n, failed := x.Scan().Count(ctx); err != nil || failed != nil || n != 12 || len(scanned) != n {
		t.Errorf("%d of %d entries, %v, %v", len(scanned), n, err, failed)
	}
	if sum, err := repository.Sum(ctx, ann, entryCents); err != nil || sum != 8 {
		t.Errorf("sum %v, %v", sum, err)
	}
	if found, err := x.of("A", "eve").Exists(ctx); err != nil || found {
		t.Errorf("exists: %v, %v", found, err)
	}
	if first, err := ann.Where(entryCents.Gt(4)).First(ctx); err != nil || first.SaleID != "s4" {
		t.Errorf("%+v, %v", first, err)
	}
	if first, err := ann.WhereRaw("c._id = 's0'").First(ctx); err != nil || first.SaleID != "s0" {
		t.Errorf("%+v, %v", first, err)
	}
}

// TestRows reads parts of entries, and groups of them.
func TestRows(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	x := newMixed(t)
	ann := x.of("A", "ann")
	ids, err := repository.Values(ann.Where(entryCents.Ge(0)), entrySale).Collect(ctx)
	if slices.Sort(ids); err != nil || fmt.Sprint(ids) != "[s0 s4]" {
		t.Errorf("%v, %v", ids, err)
	}
	type row struct {
		ID    string `json:"id"`
		Cents int    `json:"cents"`
	}
	rows, err := repository.Select[row](ann.Where(entryCents.Ge(8))).Collect(ctx)
	if err != nil || fmt.Sprint(rows) != "[{s4 8}]" {
		t.Errorf("%v, %v", rows, err)
	}
	type group struct {
		Customer string `json:"customer"`
		N        int    `json:"n"`
	}
	n := 0
	for g, err := range repository.GroupBy[group](x.Scan(), entryCustomer).Count("n").All(ctx) {
		if n += g.N; err != nil {
			t.Fatal(err)
		}
	}
	if n != 12 {
		t.Errorf("groups of %d entries", n)
	}
}

// TestPages walks through an index, and stops a query early.
func TestPages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	x := newMixed(t)
	ann := x.of("A", "ann")
	for size := 1; size < 6; size++ {
		var walked []string
		for cursor, begun := "", false; !begun || cursor != ""; begun = true {
			page, err := x.Scan().Page(ctx, cursor, size)
			if err != nil {
				t.Fatal(err)
			}
			walked, cursor = append(walked, names(page.Items)...), page.Cursor
		}
		if slices.Sort(walked); len(slices.Compact(walked)) != 12 {
			t.Errorf("pages of %d: %v", size, walked)
		}
	}
	until := 0
	for _, err := range ann.OrderBy(entryCents.Desc()).TakeWhile(ctx, func(e *entry) bool { return e.Cents > 4 }) {
		if until++; err != nil {
			t.Fatal(err)
		}
	}
	if plan, err := ann.Plan(ctx); until != 1 || err != nil || plan.Requests != 1 {
		t.Errorf("%d entries, plan %+v, %v", until, plan, err)
	}
}

// TestReadOnly compares the methods of an index with those that read.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	of := reflect.TypeFor[*repository.Index[entry]]()
	for i := range of.NumMethod() {
		if name := of.Method(i).Name; name != "Scan" {
			t.Errorf("method %s", name)
		}
	}
}

// TestLag changes a document by what an index has of it: the source has the present version, and
// an index that is late overwrites nothing.
func TestLag(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{})
	s.fill(t, 2)
	x := s.newIndex(t)
	s.server.PauseIndexes()
	key := saleKey{"s0", "A"}
	if err := s.Update(ctx, key, func(s *sale) error { s.Customer, s.Cents = "bob", 50; return nil }); err != nil {
		t.Fatal(err)
	}
	var session repository.Session
	late := repository.WithSession(ctx, &session)
	if err := s.Update(late, saleKey{"s0", "B"}, func(s *sale) error { s.Customer = "bob"; return nil }); err != nil {
		t.Fatal(err)
	}
	stale, err := x.of("A", "ann").Collect(late)
	if err != nil || len(stale) != 1 || stale[0].Cents != 0 {
		t.Fatalf("%v, %v", stale, err)
	}
	present, err := s.Get(ctx, s.index().Key(stale[0]))
	if err != nil || present.Cents != 50 {
		t.Fatalf("%+v, %v", present, err)
	}
	present.Cents++
	if err := s.Replace(ctx, present); err != nil {
		t.Fatal(err)
	}
	s.server.ResumeIndexes()
	moved, err := x.of("A", "bob").Collect(late)
	if err != nil || len(moved) != 1 || moved[0].Cents != 51 {
		t.Errorf("%v, %v", moved, err)
	}
	if left, err := x.of("A", "ann").Count(ctx); err != nil || left != 0 {
		t.Errorf("%d entries at the old key, %v", left, err)
	}
}

// TestMoving reads an index while documents move to more buckets: at each moment a document
// comes once at most, and in the end once.
func TestMoving(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testMoving) // a wait takes no time here
}

func testMoving(t *testing.T) {
	ctx := t.Context()
	before := newSales(t, features{now: 4}, emulator.Options{Partitions: 3, IndexLag: 3 * time.Second})
	s := before.of(features{now: 12, was: []int{4}}, func(o *untyped.Settings) {
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			before.server.Advance(d)
			return ctx.Err()
		}
	})
	before.fill(t, 40)
	s.server.Advance(time.Minute)
	x := s.newIndex(t)
	s.server.Advance(time.Minute)
	look := func() int {
		t.Helper()
		all, err := x.Scan().Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		found := names(all)
		slices.Sort(found)
		if n := len(found); len(slices.Compact(found)) != n {
			t.Errorf("an entry comes twice: %v", found)
		}
		return len(found)
	}
	if n := look(); n != 40 {
		t.Fatalf("%d entries", n)
	}
	if done, err := admin.Rekey(ctx, s.Documents, admin.Run{}); err != nil || done.Changed == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	for range 5 {
		look()
		s.server.Advance(time.Second)
	}
	s.server.Advance(time.Minute)
	if n := look(); n != 40 {
		t.Errorf("%d entries after the moves", n)
	}
	if n, err := x.Scan().Count(ctx); err != nil || n != 40 {
		t.Errorf("count %d, %v", n, err)
	}
	s.server.Advance(25 * time.Hour)
	if done, err := admin.Rekey(ctx, s.Documents, admin.Run{}); err != nil || !done.Done() {
		t.Fatalf("%+v, %v", done, err)
	}
	s.server.Advance(time.Minute)
	if n := look(); n != 40 {
		t.Errorf("%d entries at the end", n)
	}
}

// TestInterrupted reads an index of a document whose move was interrupted, and of one that is at
// both places there.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{now: 12, was: []int{4}}, emulator.Options{})
	x := s.newIndex(t)
	stored := func(id string, bucket int, mark string) {
		key := fmt.Sprintf("A.%d", bucket)
		s.put(t, key, fmt.Sprintf(`{"id":%q,"shop":"A","customer":"ann","cents":1,"byCustomer":"A|ann","pk":%q%s}`, id, key, mark))
	}
	id := ""
	for i := 0; id == ""; i++ {
		k := saleKey{fmt.Sprint("s", i), "A"}
		if k.at(4) != k.at(12) {
			id = k.ID
		}
	}
	k := saleKey{id, "A"}
	var of4, of12 int
	if _, err := fmt.Sscanf(k.at(4)+" "+k.at(12), "A.%d A.%d", &of4, &of12); err != nil {
		t.Fatal(err)
	}
	const token = `"token":"TTTTTTTTTTTT"`
	look := func(what string, want int) {
		t.Helper()
		all, err := x.of("A", "ann").Collect(ctx)
		if err != nil || len(all) != want {
			t.Errorf("%s: %v, %v", what, names(all), err)
		}
	}
	stored(id, of4, "")
	look("before", 1)
	stored(id, of12, `,"_move":{"state":"copy",`+token+`,"from":"x"}`)
	look("a copy", 1)
	stored(id, of4, `,"_move":{"state":"moved",`+token+`}`)
	look("interrupted", 0)
	stored(id, of12, `,"_move":{"state":"final",`+token+`,"from":"x","at":12}`)
	look("finished", 1)
	stored(id, of4, "") // as an index may have it that is late
	look("both places", 1)
}

// TestUndecodable names the document whose entry does not decode, and tells a container that is
// no index.
func TestUndecodable(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{})
	s.put(t, "A", `{"id":"s1","shop":"A","customer":"ann","cents":"many","byCustomer":"A|ann"}`)
	x := s.newIndex(t)
	_, err := x.of("A", "ann").Collect(ctx)
	_, paged := x.of("A", "ann").Page(ctx, "", 3)
	for _, err := range []error{err, paged} {
		var own *repository.Error
		if !errors.As(err, &own) || own.ID != "s1" || own.Type != "saleByCustomer" {
			t.Errorf("%v", err)
		}
	}
	wrong := repository.NewIndex(s.container, s.index())
	if _, err := wrong.Scan().Collect(ctx); err == nil || !strings.Contains(err.Error(), "no property _id") {
		t.Errorf("the source: %v", err)
	}
	none := repository.NewIndex(nil, s.index())
	if _, err := none.Scan().Collect(ctx); err == nil || !strings.Contains(err.Error(), "is nil") {
		t.Errorf("no container: %v", err)
	}
}
