package transactions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTransaction runs every operation on documents of two types.
func TestTransaction(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	stored := []fixtures.Sale{{ID: "o1", Customer: "c"}, {ID: "o2", Customer: "c"}, {ID: "o3", Customer: "c"}, {ID: "o4", Customer: "c"}}
	for i := range stored {
		if err := s.Sales.Create(ctx, &stored[i]); err != nil {
			t.Fatal(err)
		}
	}
	created := fixtures.Sale{ID: "o5", Customer: "c", Total: 5}
	upserted := fixtures.Line{ID: "l1", Customer: "c", SKU: "x"}
	replaced, unconditional := stored[0], stored[1]
	replaced.Total = 1
	unconditional.ETag, unconditional.Total = "", 2

	tx := repository.NewTransaction()
	before, err := s.Sales.In(tx).Get(replaced.Key())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := before.Doc(); err == nil {
		t.Error("there is a document before Commit")
	}
	for i, err := range []error{
		s.Sales.In(tx).Create(&created),
		s.Lines.In(tx).Upsert(&upserted),
		s.Sales.In(tx).Replace(&replaced),
		s.Sales.In(tx).Replace(&unconditional),
		s.Sales.In(tx).Delete(stored[2].Key()),
		s.Sales.In(tx).DeleteIfMatch(&stored[3]),
	} {
		if err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
	after, err := s.Sales.In(tx).Get(replaced.Key())
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := s.Sales.In(tx).Get(fixtures.SaleKey{ID: "l1", Customer: "c"})
	if err != nil {
		t.Fatal(err)
	}
	s.Server.ResetRequests()
	var meter repository.Meter
	if err := tx.Commit(repository.WithMeter(ctx, &meter)); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Server.Requests()); n != 1 || meter.Requests() != 1 || meter.RequestUnits() < 10 {
		t.Errorf("%d requests, metered are %d of %v request units", n, meter.Requests(), meter.RequestUnits())
	}
	if got, err := before.Doc(); err != nil || *got != stored[0] {
		t.Errorf("read before the replace: %+v, %v", got, err)
	}
	if got, err := after.Doc(); err != nil || *got != replaced {
		t.Errorf("read after the replace: %+v, %v, want %+v", got, err, replaced)
	}
	if got, err := foreign.Doc(); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("read of a line as a sale: %+v, %v", got, err)
	}
	for _, want := range []fixtures.Sale{created, replaced, unconditional} {
		if got, err := s.Sales.Get(ctx, want.Key()); err != nil || *got != want {
			t.Errorf("stored is %+v, %v, and the caller has %+v", got, err, want)
		}
	}
	if got, err := s.Lines.Get(ctx, upserted.Key()); err != nil || *got != upserted {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, gone := range stored[2:] {
		if got, err := s.Sales.Get(ctx, gone.Key()); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("still there: %+v, %v", got, err)
		}
	}
}

// TestTransactionsFail has an operation that fails after one that succeeds.
func TestTransactionsFail(t *testing.T) {
	s := kit.NewShop(t)
	ctx := context.Background()
	taken := fixtures.Sale{ID: "o1", Customer: "c"}
	if err := s.Sales.Create(ctx, &taken); err != nil {
		t.Fatal(err)
	}
	old := taken
	old.ETag = `"old"`
	missing := fixtures.Sale{ID: "none", Customer: "c"}
	for name, test := range map[string]struct {
		add  func(*repository.Transaction) error
		want error
		text string
	}{
		"create":        {func(tx *repository.Transaction) error { return s.Sales.In(tx).Create(&taken) }, repository.ErrAlreadyExists, `create of Sale "o1" (operation 3 of 4): document already exists (status 409)`},
		"replace":       {func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(&missing) }, repository.ErrNotFound, `replace of Sale "none" (operation 3 of 4): document not found (status 404)`},
		"replace, ETag": {func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(&old) }, repository.ErrPreconditionFailed, `replace of Sale "o1" (operation 3 of 4): document has changed since it was read (status 412)`},
		"delete":        {func(tx *repository.Transaction) error { return s.Sales.In(tx).Delete(missing.Key()) }, repository.ErrNotFound, `delete of Sale "none" (operation 3 of 4): document not found (status 404)`},
		"delete, ETag":  {func(tx *repository.Transaction) error { return s.Sales.In(tx).DeleteIfMatch(&old) }, repository.ErrPreconditionFailed, `delete of Sale "o1" (operation 3 of 4): document has changed since it was read (status 412)`},
		"get of nothing": {func(tx *repository.Transaction) error {
			_, err := s.Lines.In(tx).Get(fixtures.LineKey(missing.Key()))
			return err
		}, repository.ErrNotFound, `get of Line "none" (operation 3 of 4): document not found (status 404)`},
		"create, the end": {func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		}, repository.ErrAlreadyExists, `create of Line "l1" (operation 3 of 4): document already exists (status 409)`},
	} {
		t.Run(name, func(t *testing.T) {
			var read *repository.Pending[fixtures.Sale]
			err := kit.Commit(ctx,
				func(tx *repository.Transaction) (err error) {
					read, err = s.Sales.In(tx).Get(taken.Key())
					return err
				},
				func(tx *repository.Transaction) error {
					return s.Lines.In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "c"})
				},
				test.add,
				func(tx *repository.Transaction) error {
					return s.Lines.In(tx).Create(&fixtures.Line{ID: "l2", Customer: "c"})
				},
			)
			var own *repository.TransactionError
			if !errors.Is(err, test.want) || !errors.As(err, &own) || own.Operation != 3 || own.Of != 4 || own.PartitionKey != `"c"` {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if want := `transaction in partition "c": ` + test.text + "; nothing of the transaction was stored"; err.Error() != want {
				t.Errorf("got  %v\nwant %v", err, want)
			}
			if want := fmt.Sprintf("%s of %s %q", own.Op, own.Type, own.ID); !strings.HasPrefix(test.text, want) {
				t.Errorf("the fields name %s", want)
			}
			var response *azcore.ResponseError
			if !errors.As(err, &response) || errors.Is(err, repository.ErrUnclear) {
				t.Errorf("%#v", err)
			}
			if got, err := read.Doc(); got != nil || err == nil {
				t.Errorf("the failed transaction has read %v, %v", got, err)
			}
			for _, id := range []string{"l1", "l2"} {
				if _, err := s.Lines.Get(ctx, fixtures.LineKey{ID: id, Customer: "c"}); !errors.Is(err, repository.ErrNotFound) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	// The request as a whole.
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: 429, Count: -1})
	err := kit.Commit(ctx, func(tx *repository.Transaction) error { return s.Sales.In(tx).Upsert(&taken) })
	var own *repository.Error
	if !errors.Is(err, repository.ErrThrottled) || !errors.As(err, &own) || own.Op != "commit" {
		t.Errorf("got %v", err)
	}
	if want := `commit Sale in partition "c": request rate too large (status 429), nothing of the transaction was stored`; err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
	s.Server.ClearFaults()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	err = kit.Commit(ended, func(tx *repository.Transaction) error { return s.Sales.In(tx).Upsert(&taken) })
	if !errors.Is(err, context.Canceled) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}

// TestTransactionsOfOddIDs has ids that the SDK does not escape.
func TestTransactionsOfOddIDs(t *testing.T) {
	t.Parallel()
	s := kit.NewShop(t)
	ctx := context.Background()
	for _, id := range []string{`a"b`, `"`, `","operationType":"Delete`, "<&>", "é日本", "\u2028", "a b", "'", "%2", "100%", "\U0001F600"} {
		o := fixtures.Sale{ID: id, Customer: "c", Total: 1}
		l := fixtures.Line{ID: id + "l", Customer: "c", SKU: id}
		if err := kit.Commit(ctx,
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Create(&o) },
			func(tx *repository.Transaction) error { return s.Lines.In(tx).Upsert(&l) },
		); err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		o.Total = 2
		var got *repository.Pending[fixtures.Sale]
		err := kit.Commit(ctx,
			func(tx *repository.Transaction) error { return s.Sales.In(tx).Replace(&o) },
			func(tx *repository.Transaction) (err error) { got, err = s.Sales.In(tx).Get(o.Key()); return err },
			func(tx *repository.Transaction) error { return s.Lines.In(tx).Delete(l.Key()) },
		)
		if err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		if doc, err := got.Doc(); err != nil || *doc != o {
			t.Errorf("%q: got %+v, %v", id, doc, err)
		}
	}
	if all, err := repository.NewQuery(s.Lines, kit.ByCustomer("c")).Collect(ctx); err != nil || len(all) != 0 {
		t.Errorf("%d lines are left, %v", len(all), err)
	}
}

// TestTransactionsOfManyClients mixes repositories with different container
// clients of one database client.
func TestTransactionsOfManyClients(t *testing.T) {
	s := kit.NewShop(t)
	db := s.Server.Database(nil)
	one, err := db.NewContainer("shop")
	if err != nil {
		t.Fatal(err)
	}
	two, err := db.NewContainer("shop")
	if err != nil {
		t.Fatal(err)
	}
	err = kit.Commit(context.Background(),
		func(tx *repository.Transaction) error {
			return repository.New(one, &kit.SaleModel).In(tx).Create(&fixtures.Sale{ID: "o1", Customer: "c"})
		},
		func(tx *repository.Transaction) error {
			return repository.New(two, &kit.LineModel).In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		},
	)
	if err != nil {
		t.Error(err)
	}
}
