package transactions

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestIncrementsOnceInTransactions loses the answer to transactions that
// increment, and whose other operations would succeed a second time: no
// transaction takes effect twice.
func TestIncrementsOnceInTransactions(t *testing.T) {
	ctx := context.Background()
	for name, add := range map[string]func(kit.Shop, *repository.Transaction) error{
		"create, delete": func(s kit.Shop, tx *repository.Transaction) error {
			return errors.Join(s.Lines.In(tx).Create(&fixtures.Line{ID: "new", Customer: "c"}), s.Lines.In(tx).Delete(fixtures.LineKey{ID: "new", Customer: "c"}))
		},
		"delete, create": func(s kit.Shop, tx *repository.Transaction) error {
			return errors.Join(s.Lines.In(tx).Delete(fixtures.LineKey{ID: "old", Customer: "c"}), s.Lines.In(tx).Create(&fixtures.Line{ID: "old", Customer: "c"}))
		},
		"delete, upsert": func(s kit.Shop, tx *repository.Transaction) error {
			return errors.Join(s.Lines.In(tx).Delete(fixtures.LineKey{ID: "old", Customer: "c"}), s.Lines.In(tx).Upsert(&fixtures.Line{ID: "old", Customer: "c"}))
		},
		"replace": func(s kit.Shop, tx *repository.Transaction) error {
			return s.Lines.In(tx).Replace(&fixtures.Line{ID: "old", Customer: "c"})
		},
		"any ETag": func(s kit.Shop, tx *repository.Transaction) error {
			return s.Sales.In(tx).Replace(&fixtures.Sale{ID: "other", Customer: "c", ETag: "*"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := kit.NewShop(t)
			counter := fixtures.Sale{ID: "counter", Customer: "c"}
			err := errors.Join(
				s.Lines.Create(ctx, &fixtures.Line{ID: "old", Customer: "c"}),
				s.Sales.Create(ctx, &fixtures.Sale{ID: "other", Customer: "c"}),
				s.Sales.Create(ctx, &counter),
			)
			if err != nil {
				t.Fatal(err)
			}
			s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
			err = kit.Commit(ctx,
				func(tx *repository.Transaction) error { return add(s, tx) },
				func(tx *repository.Transaction) error {
					return s.Sales.In(tx).Patch(counter.Key(), fixtures.SalePatch.Total.Increment(1))
				},
			)
			if !errors.Is(err, repository.ErrUnclear) || s.Server.Sent(emulator.OpExecuteBatch) != 1 {
				t.Errorf("%v after %d requests", err, s.Server.Sent(emulator.OpExecuteBatch))
			}
			if got, err := s.Sales.Get(ctx, counter.Key()); err != nil || got.Total != 1 {
				t.Errorf("stored is %+v, %v", got, err)
			}
		})
	}
}

// TestIncrementsOnceWhereKeysCollide is the same for transactions that read
// documents before each attempt, and find other ETags at the second.
func TestIncrementsOnceWhereKeysCollide(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	increment := repository.PatchNumber[fixtures.Note, int]("/n").Increment(1)
	other := fixtures.Note{ID: "2", Topic: kit.LeftNote.Topic, Title: kit.LeftNote.Title}
	for name, test := range map[string]struct {
		add   func(kit.Notes, *repository.Transaction) error
		again bool
	}{
		"alone":   {func(kit.Notes, *repository.Transaction) error { return nil }, false},
		"replace": {func(r kit.Notes, tx *repository.Transaction) error { n := other; return r.In(tx).Replace(&n) }, false},
		"upsert":  {func(r kit.Notes, tx *repository.Transaction) error { n := other; return r.In(tx).Upsert(&n) }, false},
		"delete":  {func(r kit.Notes, tx *repository.Transaction) error { return r.In(tx).Delete(other.Key()) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			server, r := kit.NewNotes(t)
			kit.CreateNote(ctx, t, r, kit.LeftNote)
			kit.CreateNote(ctx, t, r, other)
			server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
			err := kit.Commit(ctx,
				func(tx *repository.Transaction) error { return test.add(r, tx) },
				func(tx *repository.Transaction) error { return r.In(tx).Patch(kit.LeftNote.Key(), increment) },
			)
			if !errors.Is(err, repository.ErrUnclear) || test.again != errors.Is(err, repository.ErrNotFound) || server.Sent(emulator.OpExecuteBatch) != 1 {
				t.Errorf("%v after %d requests", err, server.Sent(emulator.OpExecuteBatch))
			}
			if n, err := repository.Sum(ctx, r.Scan(), documents.Number[fixtures.Note, int]("/n")); err != nil || n != 1 {
				t.Errorf("incremented %v times, %v", n, err)
			}
		})
	}
}

// TestTransactionOfStoredClicks creates a click that was already created alone,
// so the patches of the transaction have not run.
func TestTransactionOfStoredClicks(t *testing.T) {
	_, clicks := kit.NewClicks(t)
	ctx := context.Background()
	one, two := clickstream.Click{ID: "1", Date: kit.Day, Stored: kit.Day + ".1"}, clickstream.Click{ID: "2", Date: kit.Day, Stored: kit.Day + ".1"}
	if err := errors.Join(clicks.Create(ctx, &one), clicks.Create(ctx, &two)); err != nil {
		t.Fatal(err)
	}
	err := kit.Commit(ctx,
		func(tx *repository.Transaction) error { return clicks.In(tx).Create(&one) },
		func(tx *repository.Transaction) error {
			return clicks.In(tx).Patch(two.Key(), clickstream.ClickPatch.Page.Set("/"))
		},
	)
	got, getErr := clicks.Get(ctx, two.Key())
	if getErr != nil {
		t.Fatal(getErr)
	}
	if !errors.Is(err, repository.ErrAlreadyExists) || got.Page != "" {
		t.Errorf("%v, and stored is %+v", err, got)
	}
}
