package transactions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// batchFault is a fault of a transaction, before its effect or after.
func batchFault(random *rand.Rand) emulator.Fault {
	f := kit.RandomFault(random)
	f.Operation, f.Skip = emulator.OpExecuteBatch, 0
	f.After = f.After && f.Status != 449 // which says that there was none
	return f
}

// TestTransactionsAgainstAModel runs random transactions under faults, and
// compares each outcome and all that is stored with a map.
func TestTransactionsAgainstAModel(t *testing.T) {
	t.Parallel()
	againstAModel(t, kit.NewShop(t), false)
}

// TestLookingTransactionsAgainstAModel is the same with operations that look
// first. The error may name another failing operation than the first.
func TestLookingTransactionsAgainstAModel(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	againstAModel(t, newLookingShop(t), true)
}

func againstAModel(t *testing.T, s kit.Shop, looks bool) {
	t.Helper()
	random := rand.New(rand.NewPCG(27, 182))
	now, tags := kit.SaleContent{}, map[string]string{}
	outcomes := map[string]int{}
	for n := range seeds.Rounds(400) {
		for id := range tags {
			delete(tags, id)
		}
		for p, err := range repository.NewQuery(s.Sales, kit.ByCustomer("c")).All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			tags[p.ID] = p.ETag
		}
		tx := repository.NewTransaction()
		after := maps.Clone(now)
		var want error
		for i := range 1 + random.IntN(5) {
			step := s.RandomStep(random, now, tags, n*10+i)
			if err := step.Add(tx); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = step.Apply(after)
			}
		}
		faulty := random.IntN(4) == 0
		if faulty {
			s.Server.Inject(batchFault(random))
		}
		err := tx.Commit(context.Background())
		s.Server.ClearFaults()
		stored := s.Read(t, "c")
		switch {
		case want == nil && faulty && errors.Is(err, repository.ErrUnclear) &&
			(maps.Equal(stored, after) || maps.Equal(stored, now)):
			// A replace with an ETag does not know whom it has met.
		case want == nil && (err != nil || !maps.Equal(stored, after)):
			t.Fatalf("transaction %d: %v, stored is %v, want %v", n, err, stored, after)
		case want != nil && !maps.Equal(stored, now):
			t.Fatalf("transaction %d: %v, stored is %v, want %v as before", n, err, stored, now)
		case want != nil && looks && kit.Outcome(err) != err: // any of the sentinels
		case want != nil && !errors.Is(err, want) && (err != nil || !faulty):
			// After a fault, a transaction whose documents are stored has succeeded.
			t.Fatalf("transaction %d: %v, want %v", n, err, want)
		case err != nil && !faulty && errors.Is(err, repository.ErrUnclear):
			t.Fatalf("transaction %d: %v without a fault", n, err)
		}
		outcomes[fmt.Sprint(kit.Outcome(want), faulty)]++
		now = stored
	}
	if len(outcomes) < 7 {
		t.Errorf("few outcomes: %v", outcomes)
	}
}

// TestConcurrentTransactions moves amounts between two sales, from several
// goroutines and under faults, and reads both in transactions of their own: the
// sum is always the same.
func TestConcurrentTransactions(t *testing.T) {
	defer harness.Settled(t, goleak.IgnoreCurrent())
	s := kit.NewShop(t)
	ctx := context.Background()
	for _, id := range []string{"a", "b"} {
		if err := s.Sales.Create(ctx, &fixtures.Sale{ID: id, Customer: "c", Total: 1000}); err != nil {
			t.Fatal(err)
		}
	}
	both := func() (a, b *fixtures.Sale, err error) {
		tx := repository.NewTransaction()
		first, err := s.Sales.In(tx).Get(fixtures.SaleKey{ID: "a", Customer: "c"})
		if err != nil {
			return nil, nil, err
		}
		second, err := s.Sales.In(tx).Get(fixtures.SaleKey{ID: "b", Customer: "c"})
		if err != nil {
			return nil, nil, err
		}
		if err := tx.Commit(ctx); err != nil {
			return nil, nil, err
		}
		a, errA := first.Doc()
		b, errB := second.Doc()
		return a, b, errors.Join(errA, errB)
	}
	var moved, noted atomic.Int64
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 1))
			for n := range seeds.Few(40, 20) {
				a, b, err := both()
				if err != nil || a.Total+b.Total != 2000 {
					t.Errorf("read %+v and %+v, %v", a, b, err)
					return
				}
				if random.IntN(5) == 0 {
					s.Server.Inject(batchFault(random))
				}
				amount := random.IntN(9) - 4
				a.Total, b.Total = a.Total+amount, b.Total-amount
				err = kit.Commit(ctx,
					func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(a) },
					func(tx *repository.Transaction) error {
						return s.Lines.In(tx).Create(&fixtures.Line{ID: fmt.Sprint(worker, "-", n), Customer: "c"})
					},
					func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(b) },
				)
				switch {
				case err == nil:
					moved.Add(1)
				case errors.Is(err, repository.ErrUnclear):
					noted.Add(1)
				case !errors.Is(err, repository.ErrPreconditionFailed):
					t.Errorf("got %v", err)
				}
			}
		})
	}
	wg.Wait()
	s.Server.ClearFaults()
	a, b, err := both()
	if err != nil || a.Total+b.Total != 2000 {
		t.Errorf("in the end %+v and %+v, %v", a, b, err)
	}
	// Each transaction that took effect has left its line.
	lines, err := repository.NewQuery(s.Lines, kit.ByCustomer("c")).Count(ctx)
	if least := int(moved.Load()); err != nil || lines < least || lines > least+int(noted.Load()) || least < 10 {
		t.Errorf("%d lines, %v, of %d transactions that succeeded and %d of unclear outcome", lines, err, least, noted.Load())
	}
}
