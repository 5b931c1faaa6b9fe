package repository_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// A transaction stores documents of one logical partition, or none of them.
func ExampleTransaction() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	departure := &fleet.VehicleEvent{ID: "departure", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	arrival := &fleet.VehicleEvent{ID: "arrival", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	tx := repository.NewTransaction()
	must(events.In(tx).Create(departure))
	must(events.In(tx).Create(arrival))
	must(tx.Commit(ctx))

	tx = repository.NewTransaction()
	must(events.In(tx).Delete(arrival.Key()))
	must(events.In(tx).Create(departure))
	err := tx.Commit(ctx)
	var failed *repository.TransactionError
	if errors.As(err, &failed) && errors.Is(err, repository.ErrAlreadyExists) {
		fmt.Printf("the %s of %s is to blame, operation %d of %d\n", failed.Op, failed.ID, failed.Operation, failed.Of)
	}
	_, err = events.Get(ctx, arrival.Key())
	fmt.Println("the arrival is still there:", err == nil)
	// Output:
	// the create of departure is to blame, operation 2 of 2
	// the arrival is still there: true
}

func exampleTwoTypes(ctx context.Context, sales *repository.Documents[fixtures.Sale, fixtures.SaleKey], lines *repository.Documents[fixtures.Line, fixtures.LineKey], sale *fixtures.Sale, line *fixtures.Line) error {
	tx := repository.NewTransaction()
	if err := sales.In(tx).Replace(sale); err != nil { // with its ETag
		return err
	}
	if err := lines.In(tx).Create(line); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return nil
}

func exampleInTransaction(ctx context.Context, sales *repository.Documents[fixtures.Sale, fixtures.SaleKey], lines *repository.Documents[fixtures.Line, fixtures.LineKey], key fixtures.SaleKey, line *fixtures.Line) error {
	err := sales.InTransaction(ctx, key, func(tx *repository.Transaction) error {
		sale, err := sales.In(tx).Read(ctx, key) // one point read now
		if err != nil {
			return err
		}
		sale.Total++
		return errors.Join(sales.In(tx).Replace(sale), lines.In(tx).Create(line))
	})
	return err
}

func TestExampleInTransaction(t *testing.T) {
	s := kit.NewShop(t)
	ctx := t.Context()
	sale := &fixtures.Sale{ID: "s1", Customer: "c"}
	kit.MustPass(t, s.Sales.Create(ctx, sale), exampleInTransaction(ctx, s.Sales, s.Lines, sale.Key(), &fixtures.Line{ID: "l1", Customer: "c"}))
	if now, err := s.Sales.Get(ctx, sale.Key()); err != nil || now.Total != 1 {
		t.Errorf("stored: %+v, %v", now, err)
	}
}

func TestExampleOfTwoTypes(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	stored := &fixtures.Sale{ID: "s1", Customer: "c"}
	if err := s.Sales.Create(ctx, stored); err != nil {
		t.Fatal(err)
	}
	before := *stored
	if err := exampleTwoTypes(ctx, s.Sales, s.Lines, stored, &fixtures.Line{ID: "l1", Customer: "c"}); err != nil {
		t.Error(err)
	}
	err := exampleTwoTypes(ctx, s.Sales, s.Lines, &before, &fixtures.Line{ID: "l2", Customer: "c"})
	if !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("of a sale that has changed: %v", err)
	}
	if _, err := s.Lines.Get(ctx, fixtures.LineKey{ID: "l2", Customer: "c"}); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the line of the transaction that failed: %v", err)
	}
}

// A transaction that reads gives its documents after Commit.
func ExamplePending() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	event := &fleet.VehicleEvent{ID: "departure", Date: "2018-08-09", VIN: "1HGCM82633A004352", Speed: 50}
	var pending *fleet.VehicleEventPendingRead
	must(events.InTransaction(ctx, event.Key(), func(tx *repository.Transaction) (err error) {
		must(events.In(tx).Upsert(event))
		pending, err = events.In(tx).Get(event.Key())
		return err
	}))
	stored, err := pending.Doc()
	must(err)
	fmt.Println(stored.Speed)
	// Output: 50
}

func exampleIdempotencyToken(ctx context.Context, sales *repository.Documents[fixtures.Sale, fixtures.SaleKey], attempts *repository.Documents[fixtures.Attempt, fixtures.AttemptKey], key fixtures.SaleKey, request string) error {
	token := &fixtures.Attempt{ID: request, Customer: key.Customer, TTL: 7 * 24 * 3600}
	err := sales.InTransaction(ctx, key, func(tx *repository.Transaction) error {
		return sales.In(tx).Patch(key, fixtures.SalePatch.Total.Increment(1))
	}, repository.IdempotencyToken(attempts, token))
	if errors.Is(err, repository.ErrAlreadyCommitted) {
		return nil // an earlier request has done it
	}
	return err
}

func TestExampleIdempotencyToken(t *testing.T) {
	s := kit.NewShop(t)
	attempts := repository.New(s.Container, fixtures.AttemptModel)
	ctx := t.Context()
	sale := &fixtures.Sale{ID: "s1", Customer: "c"}
	kit.MustPass(t, s.Sales.Create(ctx, sale))
	for range 2 {
		kit.MustPass(t, exampleIdempotencyToken(ctx, s.Sales, attempts, sale.Key(), "request"))
	}
	if now, err := s.Sales.Get(ctx, sale.Key()); err != nil || now.Total != 1 {
		t.Errorf("stored: %+v, %v", now, err)
	}
}
