package repository_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestTransactionPatches patches documents in a transaction with other
// operations, and undoes all of them if a condition does not hold.
func TestTransactionPatches(t *testing.T) {
	s := newShop(t)
	ctx := context.Background()
	p := sale{ID: `o"1`, Customer: "c", Total: 5}
	if err := s.sales.Create(ctx, &p); err != nil {
		t.Fatal(err)
	}
	total := repository.Number[sale, int]("/total")
	patch := func(limit int) error {
		return commit(ctx,
			func(tx *repository.Transaction) error { return s.lines.In(tx).Upsert(&line{ID: "l1", Customer: "c"}) },
			func(tx *repository.Transaction) error { return s.sales.In(tx).Patch(p.key(), saleTotal.Increment(2)) },
			func(tx *repository.Transaction) error {
				return s.sales.In(tx).PatchIf(p.key(), total.Lt(limit), saleTotal.Increment(3))
			},
		)
	}
	if err := patch(8); err != nil {
		t.Fatal(err)
	}
	err := patch(8)
	var failed *repository.TransactionError
	if !errors.As(err, &failed) || failed.Operation != 3 || !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	if got, err := s.sales.Get(ctx, p.key()); err != nil || got.Total != 10 {
		t.Errorf("stored is %+v, %v", got, err)
	}

	// A line is no sale, though it has the id.
	err = commit(ctx, func(tx *repository.Transaction) error {
		return s.sales.In(tx).Patch(shopKey{"l1", "c"}, saleTotal.Set(1))
	})
	if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrOtherType) {
		t.Errorf("a patch of another type: %v", err)
	}
	for name, changes := range map[string][]repository.PatchOperation[sale]{
		"there are no operations": nil,
		"is a fraction":           {repository.PatchNumber[sale, float64]("/total").Increment(0.5)},
	} {
		tx := repository.NewTransaction()
		if err := s.sales.In(tx).Patch(p.key(), changes...); err == nil || !strings.Contains(err.Error(), name) || tx.Len() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
