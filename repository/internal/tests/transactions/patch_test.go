package transactions

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTransactionPatches patches documents in a transaction with other
// operations, and undoes all of them if a condition does not hold.
func TestTransactionPatches(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	p := fixtures.Sale{ID: `o"1`, Customer: "c", Total: 5}
	if err := s.Sales.Create(ctx, &p); err != nil {
		t.Fatal(err)
	}
	total := documents.Number[fixtures.Sale, int]("/total")
	patch := func(limit int) error {
		return kit.Commit(ctx,
			func(tx *repository.Transaction) error {
				return s.Lines.In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "c"})
			},
			func(tx *repository.Transaction) error {
				return s.Sales.In(tx).Patch(p.Key(), fixtures.SalePatch.Total.Increment(2))
			},
			func(tx *repository.Transaction) error {
				return s.Sales.In(tx).PatchIf(p.Key(), total.Lt(limit), fixtures.SalePatch.Total.Increment(3))
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
	if got, err := s.Sales.Get(ctx, p.Key()); err != nil || got.Total != 10 {
		t.Errorf("stored is %+v, %v", got, err)
	}

	// A line is no sale, though it has the id.
	err = kit.Commit(ctx, func(tx *repository.Transaction) error {
		return s.Sales.In(tx).Patch(fixtures.SaleKey{ID: "l1", Customer: "c"}, fixtures.SalePatch.Total.Set(1))
	})
	if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrOtherType) {
		t.Errorf("a patch of another type: %v", err)
	}
	for name, changes := range map[string][]repository.PatchOperation[fixtures.Sale]{
		"there are no operations": nil,
		"is a fraction":           {repository.PatchNumber[fixtures.Sale, float64]("/total").Increment(0.5)},
	} {
		tx := repository.NewTransaction()
		if err := s.Sales.In(tx).Patch(p.Key(), changes...); err == nil || !strings.Contains(err.Error(), name) || tx.Len() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
