package indexes

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestUpgrade brings documents up that were stored before the indexes: CheckIndexed finds them
// before, and marked ones, too. Reservations and other types do not count.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	all := features{shared: true, marked: true, unique: true}
	s := newSales(t, all, emulator.Options{Partitions: 3})
	before := all
	before.unindexed = true
	old := s.of(before)
	old.fill(t, 12)
	if err := old.Delete(ctx, saleKey{"s0", "A"}); err != nil {
		t.Fatal(err)
	}
	s.put(t, "A", `{"id":"null","shop":"A","customer":"ann","address":{"city":"Bonn","zip":1},"mail":"n","type":"sale","byCustomer":null,"byPlace":"Bonn|1"}`)
	s.put(t, "A", `{"id":"audit","shop":"A","type":"audit"}`)
	check := func(index string, want error) {
		t.Helper()
		if err := repository.CheckIndexed(ctx, s.Documents, index); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v", index, err)
		}
	}
	check("ByCustomer", repository.ErrNotIndexed)
	check("ByPlace", repository.ErrNotIndexed)
	if err := repository.CheckIndexed(ctx, s.Documents, "ByNobody"); err == nil || errors.Is(err, repository.ErrNotIndexed) {
		t.Errorf("an unknown index: %v", err)
	}
	done, err := admin.Upgrade(ctx, s.Documents, admin.Run{})
	if err != nil || done.Found != 13 || done.Changed != 13 || done.Failed != 0 || !done.Done() {
		t.Fatalf("%+v, %v", done, err)
	}
	check("ByCustomer", nil)
	check("ByPlace", nil)
	if again, err := admin.Upgrade(ctx, s.Documents, admin.Run{}); err != nil || again.Found != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	s.has(t, "a marked document", "s0", "A|ann", "Bonn|53111")
	if _, err := s.Get(ctx, saleKey{"s0", "A"}); !errors.Is(err, repository.ErrDeleted) {
		t.Errorf("the marked document: %v", err)
	}
	if n, err := s.newIndex(t).of("A", "ann").Count(ctx); err != nil || n != 3 { // s2, s4 and null
		t.Errorf("%d entries, %v", n, err)
	}
	s.put(t, "A", `{"id":"bad","shop":"A","address":{"city":"Bonn","zip":1},"mail":"b","type":"sale"}`)
	failed, err := admin.Upgrade(ctx, s.Documents, admin.Run{})
	var own *repository.Error
	if err != nil || failed.Failed != 1 || !errors.As(failed.Err, &own) || own.ID != "bad" {
		t.Errorf("an invalid document: %+v, %v", failed, err)
	}
	check("ByCustomer", repository.ErrNotIndexed)
}

// TestUpgradeMarked has CheckIndexed count a document that is marked as deleted, and no other
// left.
func TestUpgradeMarked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{marked: true}, emulator.Options{})
	s.put(t, "A", `{"id":"s0","shop":"A","customer":"ann","address":{"city":"Bonn","zip":1},"gone":"2018-08-08T00:00:00.0000000Z"}`)
	if err := repository.CheckIndexed(ctx, s.Documents, "ByCustomer"); !errors.Is(err, repository.ErrNotIndexed) {
		t.Error(err)
	}
}

// TestUpgradeGrowing brings documents of both numbers of buckets up.
func TestUpgradeGrowing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	old := newSales(t, features{now: 4, unindexed: true}, emulator.Options{Partitions: 3})
	old.fill(t, 20)
	s := old.of(features{now: 12, was: []int{4}})
	if err := repository.CheckIndexed(ctx, s.Documents, "ByCustomer"); !errors.Is(err, repository.ErrNotIndexed) {
		t.Error(err)
	}
	if done, err := admin.Upgrade(ctx, s.Documents, admin.Run{}); err != nil || done.Changed != 20 || !done.Done() {
		t.Fatalf("%+v, %v", done, err)
	}
	if err := repository.CheckIndexed(ctx, s.Documents, "ByCustomer"); err != nil {
		t.Error(err)
	}
	for i := range 20 {
		doc := saleOf(i)
		if raw := s.raw(t, saleKey{doc.ID, doc.Shop}.at(4), doc.ID); raw["byCustomer"] != doc.Shop+"|"+doc.Customer {
			t.Errorf("%v", raw)
		}
		if err := s.Update(ctx, saleKey{doc.ID, doc.Shop}, func(s *sale) error { s.Customer = "eve"; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.newIndex(t).of("B", "eve").Count(ctx); err != nil || n != 10 {
		t.Errorf("%d entries, %v", n, err)
	}
}
