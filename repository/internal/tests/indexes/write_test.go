package indexes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// one is a sequence of one item.
func one[V any](v V) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) { yield(v, nil) }
}

// outcome is the error of a bulk operation.
func outcome[V any](ctx context.Context, b documents.Bulk[V]) error {
	for o := range b.All(ctx) {
		if o.Err != nil {
			return o.Err
		}
	}
	return nil
}

// storing are the operations that store a whole document, as a new one or in place of another.
var storing = map[string]struct {
	creates bool
	run     func(ctx context.Context, s sales, doc *sale) error
}{
	"Create":    {true, func(ctx context.Context, s sales, doc *sale) error { return s.Create(ctx, doc) }},
	"Upsert":    {true, func(ctx context.Context, s sales, doc *sale) error { return s.Upsert(ctx, doc) }},
	"Replace":   {false, func(ctx context.Context, s sales, doc *sale) error { return s.Replace(ctx, doc) }},
	"CreateAll": {true, func(ctx context.Context, s sales, doc *sale) error { return outcome(ctx, s.CreateAll(one(doc))) }},
	"UpsertAll": {false, func(ctx context.Context, s sales, doc *sale) error { return outcome(ctx, s.UpsertAll(one(doc))) }},
	"UpsertAll in batches": {true, func(ctx context.Context, s sales, doc *sale) error {
		return outcome(ctx, s.UpsertAll(one(doc), documents.InBatches()))
	}},
	"CreateAll in transactions": {true, func(ctx context.Context, s sales, doc *sale) error {
		return outcome(ctx, s.CreateAll(one(doc), documents.InTransactions()))
	}},
	"Update": {false, func(ctx context.Context, s sales, doc *sale) error {
		return s.Update(ctx, saleKey{doc.ID, doc.Shop}, func(stored *sale) error {
			tag := stored.ETag
			*stored = *doc
			stored.ETag = tag
			return nil
		})
	}},
	"UpdateOrCreate": {true, func(ctx context.Context, s sales, doc *sale) error {
		_, err := s.UpdateOrCreate(ctx, saleKey{doc.ID, doc.Shop}, func(stored *sale) error {
			tag := stored.ETag
			*stored = *doc
			stored.ETag = tag
			return nil
		})
		return err
	}},
	"Create in a transaction": {true, func(ctx context.Context, s sales, doc *sale) error {
		tx := repository.NewTransaction()
		return errors.Join(s.In(tx).Create(doc), tx.Commit(ctx))
	}},
	"Upsert in a transaction": {true, func(ctx context.Context, s sales, doc *sale) error {
		tx := repository.NewTransaction()
		return errors.Join(s.In(tx).Upsert(doc), tx.Commit(ctx))
	}},
	"Replace in a transaction": {false, func(ctx context.Context, s sales, doc *sale) error {
		tx := repository.NewTransaction()
		return errors.Join(s.In(tx).Replace(doc), tx.Commit(ctx))
	}},
}

// TestWrites stores documents by each operation, and compares the properties that the run time
// writes: of new documents, and after a component has changed.
func TestWrites(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{Partitions: 2})
	n := 0
	for name, op := range storing {
		n++
		doc := &sale{ID: fmt.Sprint("w", n), Shop: "A", Customer: "ann", Address: place{"Bonn", 1}, ByCustomer: "of another"}
		create := s.Create
		if op.creates {
			create = func(ctx context.Context, doc *sale) error { return op.run(ctx, s, doc) }
		}
		if err := create(ctx, doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s.has(t, name, doc.ID, "A|ann", "Bonn|1")
		if strings.HasPrefix(name, "Create") {
			continue
		}
		doc.Customer, doc.Address.Zip, doc.ETag = "bob", 2, ""
		if err := op.run(ctx, s, doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s.has(t, name, doc.ID, "A|bob", "Bonn|2")
	}
}

// has compares the properties of a document of shop A.
func (s sales) has(t *testing.T, what, id, byCustomer, byPlace string) {
	t.Helper()
	raw := s.raw(t, "A", id)
	if raw["byCustomer"] != byCustomer || raw["byPlace"] != byPlace {
		t.Errorf("%s: got %v and %v, want %s and %s", what, raw["byCustomer"], raw["byPlace"], byCustomer, byPlace)
	}
}

// TestMoveAndMarks moves a document to another key, and marks and restores it: it has the
// property of the new key, and keeps it.
func TestMoveAndMarks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{})
	s.fill(t, 2)
	moved, err := s.Get(ctx, saleKey{"s0", "B"})
	if err != nil {
		t.Fatal(err)
	}
	moved.ID, moved.Shop = "s9", "A"
	if err := s.Move(ctx, saleKey{"s0", "B"}, moved); err != nil {
		t.Fatal(err)
	}
	s.has(t, "Move", "s9", "A|ann", "Bonn|53111")

	m := s.of(features{marked: true})
	if err := m.Delete(ctx, saleKey{"s9", "A"}); err != nil {
		t.Fatal(err)
	}
	s.has(t, "Delete", "s9", "A|ann", "Bonn|53111")
	if _, err := repository.Restore(ctx, m.Documents, saleKey{"s9", "A"}); err != nil {
		t.Fatal(err)
	}
	s.has(t, "Restore", "s9", "A|ann", "Bonn|53111")
}

// TestInvalid has no operation send a request for a document whose property cannot be made.
func TestInvalid(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{})
	s.fill(t, 2)
	for name, op := range storing {
		if strings.HasPrefix(name, "Update") {
			continue
		}
		s.server.ResetRequests()
		doc := &sale{ID: "s0", Shop: "A", ByPlace: "stays"}
		err := op.run(ctx, s, doc)
		var invalid *partition.KeyError
		if !errors.As(err, &invalid) || invalid.Field != "Customer" || doc.ByCustomer != "" || doc.ByPlace != "stays" {
			t.Errorf("%s: %v, %+v", name, err, doc)
		}
		if sent := s.server.Requests(); len(sent) > 0 {
			t.Errorf("%s sent %v", name, sent)
		}
	}
	var invalid *partition.KeyError
	if err := s.Update(ctx, saleKey{"s0", "A"}, func(s *sale) error { s.Customer = ""; return nil }); !errors.As(err, &invalid) {
		t.Errorf("Update: %v", err)
	}
	s.server.ResetRequests()
	if err := s.Patch(ctx, saleKey{"s0", "A"}, patchCustomer.Set("")); !errors.As(err, &invalid) || len(s.server.Requests()) > 0 {
		t.Errorf("Patch: %v, %v", err, s.server.Requests())
	}
}

// TestPatches sends patches of components: those whose other components the patch or the key
// tells set the property, too.
func TestPatches(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSales(t, features{}, emulator.Options{})
	key := saleKey{"s0", "A"}
	type operations = []repository.PatchOperation[sale]
	var ten operations
	for i := range 10 {
		ten = append(ten, patchCents.Set(i))
	}
	for _, test := range []struct {
		name       string
		operations operations
		byCustomer string // "" if the patch is refused
		byPlace    string
		refused    []string
	}{
		{"no component", operations{patchCents.Set(7)}, "A|ann", "Bonn|1", nil},
		{"the other one is told by the key", operations{patchCustomer.Set("bob")}, "A|bob", "Bonn|1", nil},
		{"the last one counts", operations{patchCustomer.Remove(), patchCustomer.Set("eve"), patchCustomer.Replace("bob")}, "A|bob", "Bonn|1", nil},
		{"the parent", operations{patchAddress.Set(place{"Rome", 9})}, "A|ann", "Rome|9", nil},
		{"all components", operations{patchZip.Set(8), patchCity.Set("Oslo")}, "A|ann", "Oslo|8", nil},
		{"the parent and a part", operations{patchAddress.Set(place{"Rome", 9}), patchZip.Set(7)}, "A|ann", "Rome|7", nil},
		{"both indexes", operations{patchCustomer.Set("bob"), patchAddress.Replace(place{"Rome", 9})}, "A|bob", "Rome|9", nil},
		{"nine operations", append(ten[:8:8], patchCustomer.Set("bob")), "A|bob", "Bonn|1", nil},
		{"the property", operations{patchByCustomer.Set("x")}, "", "", []string{`"/byCustomer"`, "ByCustomer", "/customer", "use Update"}},
		{"one of two", operations{patchCity.Set("Oslo")}, "", "", []string{`"/address/city"`, "byPlace", "ByPlace", "/address/zip", "use Update"}},
		{"an increment", operations{patchCity.Set("Oslo"), patchZip.Increment(1)}, "", "", []string{`"/address/zip"`, "ByPlace", "use Update"}},
		{"a removal", operations{patchCustomer.Remove()}, "", "", []string{`"/customer"`, "ByCustomer", "use Update"}},
		{"null", operations{patchCustomer.SetNull()}, "", "", []string{`"/customer"`, "ByCustomer", "use Update"}},
		{"the parent removed", operations{patchAddress.Remove()}, "", "", []string{`"/address"`, "ByPlace", "use Update"}},
		{"ten operations", append(ten[:9:9], patchCustomer.Set("bob")), "", "", []string{"10 operations, more than the 9", "1 for indexes"}},
	} {
		for how, patch := range map[string]func() error{
			"Patch": func() error { return s.Patch(ctx, key, test.operations...) },
			"PatchIf": func() error {
				return s.PatchIf(ctx, key, repository.And[sale](), test.operations...)
			},
			"PatchAndGet": func() error { _, err := s.PatchAndGet(ctx, key, test.operations...); return err },
			"in a transaction": func() error {
				tx := repository.NewTransaction()
				if err := s.In(tx).Patch(key, test.operations...); err != nil {
					return err
				}
				return tx.Commit(ctx)
			},
		} {
			what := test.name + ", " + how
			if err := s.Upsert(ctx, &sale{ID: "s0", Shop: "A", Customer: "ann", Address: place{"Bonn", 1}}); err != nil {
				t.Fatal(err)
			}
			s.server.ResetRequests()
			err := patch()
			if test.refused == nil {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				s.has(t, what, "s0", test.byCustomer, test.byPlace)
				if n := len(s.server.Requests()); n > 2 {
					t.Errorf("%s: %d requests", what, n)
				}
				continue
			}
			for _, want := range test.refused {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", what, err, want)
				}
			}
			if sent := s.server.Requests(); len(sent) > 0 {
				t.Errorf("%s sent %v", what, sent)
			}
		}
	}
}

// TestMigration writes through a migration in each phase. Both containers have the properties.
func TestMigration(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for phase := repository.PhaseOld; phase <= repository.PhaseDone; phase++ {
		s := newSales(t, features{}, emulator.Options{})
		to := s
		to.container = s.server.Create(harness.Properties("sales-2", "/shop"))
		to = to.of(features{})
		same := func(doc *sale) *sale { return doc }
		m := repository.NewMigration(s.Documents, to.Documents, phase, same, same, func(k saleKey) (saleKey, saleKey) { return k, k })
		at := to
		if phase < repository.PhaseNew {
			at = s
		}
		key := saleKey{"s0", "A"}
		if err := m.Create(ctx, saleOf(0)); err != nil {
			t.Fatal(err)
		}
		at.has(t, "Create", "s0", "A|ann", "Bonn|53111")
		if err := m.Update(ctx, key, func(s *sale) error { s.Customer = "bob"; return nil }); err != nil {
			t.Fatal(err)
		}
		at.has(t, "Update", "s0", "A|bob", "Bonn|53111")
		if err := m.Patch(ctx, key, patchCents.Set(7)); err != nil {
			t.Error(err)
		}
		s.server.ResetRequests()
		var invalid *partition.KeyError
		if err := m.Upsert(ctx, &sale{ID: "s0", Shop: "A"}); !errors.As(err, &invalid) {
			t.Errorf("Upsert: %v", err)
		}
		if err := m.Patch(ctx, key, patchCustomer.Set("eve")); err == nil || !strings.Contains(err.Error(), "use Update") {
			t.Errorf("Patch: %v", err)
		}
		if sent := s.server.Requests(); len(sent) > 0 {
			t.Errorf("sent %v", sent)
		}
		if phase == repository.PhaseNew {
			if err := s.Create(ctx, saleOf(2)); err != nil {
				t.Fatal(err)
			}
			if done, err := admin.MoveAll(ctx, m, admin.Run{}); err != nil || done.Moved != 1 {
				t.Fatalf("%+v, %v", done, err)
			}
			to.has(t, "MoveAll", "s1", "A|bob", "Bonn|53111")
		}
	}
}
