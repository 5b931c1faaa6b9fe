package repository_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestIncrementsOnceInTransactions loses the answer to transactions that
// increment, and whose other operations would succeed a second time: no
// transaction takes effect twice.
func TestIncrementsOnceInTransactions(t *testing.T) {
	ctx := context.Background()
	for name, add := range map[string]func(shop, *repository.Transaction) error{
		"create, delete": func(s shop, tx *repository.Transaction) error {
			return errors.Join(s.lines.In(tx).Create(&line{ID: "new", Customer: "c"}), s.lines.In(tx).Delete(shopKey{"new", "c"}))
		},
		"delete, create": func(s shop, tx *repository.Transaction) error {
			return errors.Join(s.lines.In(tx).Delete(shopKey{"old", "c"}), s.lines.In(tx).Create(&line{ID: "old", Customer: "c"}))
		},
		"delete, upsert": func(s shop, tx *repository.Transaction) error {
			return errors.Join(s.lines.In(tx).Delete(shopKey{"old", "c"}), s.lines.In(tx).Upsert(&line{ID: "old", Customer: "c"}))
		},
		"replace": func(s shop, tx *repository.Transaction) error {
			return s.lines.In(tx).Replace(&line{ID: "old", Customer: "c"})
		},
		"any ETag": func(s shop, tx *repository.Transaction) error {
			return s.sales.In(tx).Replace(&sale{ID: "other", Customer: "c", ETag: "*"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			counter := sale{ID: "counter", Customer: "c"}
			err := errors.Join(
				s.lines.Create(ctx, &line{ID: "old", Customer: "c"}),
				s.sales.Create(ctx, &sale{ID: "other", Customer: "c"}),
				s.sales.Create(ctx, &counter),
			)
			if err != nil {
				t.Fatal(err)
			}
			s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
			err = commit(ctx,
				func(tx *repository.Transaction) error { return add(s, tx) },
				func(tx *repository.Transaction) error {
					return s.sales.In(tx).Patch(counter.key(), saleTotal.Increment(1))
				},
			)
			if !errors.Is(err, repository.ErrUnclear) || s.server.Sent(emulator.OpExecuteBatch) != 1 {
				t.Errorf("%v after %d requests", err, s.server.Sent(emulator.OpExecuteBatch))
			}
			if got, err := s.sales.Get(ctx, counter.key()); err != nil || got.Total != 1 {
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
	other := fixtures.Note{ID: "2", Topic: left.Topic, Title: left.Title}
	for name, test := range map[string]struct {
		add   func(notes, *repository.Transaction) error
		again bool
	}{
		"alone":   {func(notes, *repository.Transaction) error { return nil }, false},
		"replace": {func(r notes, tx *repository.Transaction) error { n := other; return r.In(tx).Replace(&n) }, false},
		"upsert":  {func(r notes, tx *repository.Transaction) error { n := other; return r.In(tx).Upsert(&n) }, false},
		"delete":  {func(r notes, tx *repository.Transaction) error { return r.In(tx).Delete(other.Key()) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			server, r := newNotes(t)
			create(ctx, t, r, left)
			create(ctx, t, r, other)
			server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
			err := commit(ctx,
				func(tx *repository.Transaction) error { return test.add(r, tx) },
				func(tx *repository.Transaction) error { return r.In(tx).Patch(left.Key(), increment) },
			)
			if !errors.Is(err, repository.ErrUnclear) || test.again != errors.Is(err, repository.ErrNotFound) || server.Sent(emulator.OpExecuteBatch) != 1 {
				t.Errorf("%v after %d requests", err, server.Sent(emulator.OpExecuteBatch))
			}
			if n, err := repository.Sum(ctx, r.Scan(), repository.Number[fixtures.Note, int]("/n")); err != nil || n != 1 {
				t.Errorf("incremented %v times, %v", n, err)
			}
		})
	}
}

// TestTransactionOfStoredClicks creates a click that was already created alone,
// so the patches of the transaction have not run.
func TestTransactionOfStoredClicks(t *testing.T) {
	_, clicks := newClicks(t)
	ctx := context.Background()
	one, two := clickstream.Click{ID: "1", Date: day, Stored: day + ".1"}, clickstream.Click{ID: "2", Date: day, Stored: day + ".1"}
	if err := errors.Join(clicks.Create(ctx, &one), clicks.Create(ctx, &two)); err != nil {
		t.Fatal(err)
	}
	err := commit(ctx,
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
