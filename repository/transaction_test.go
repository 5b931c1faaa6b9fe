package repository_test

import (
	"context"
	"errors"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestTransaction runs every operation on documents of two types.
func TestTransaction(t *testing.T) {
	s := newShop(t)
	ctx := context.Background()
	stored := []sale{{ID: "o1", Customer: "c"}, {ID: "o2", Customer: "c"}, {ID: "o3", Customer: "c"}, {ID: "o4", Customer: "c"}}
	for i := range stored {
		if err := s.sales.Create(ctx, &stored[i]); err != nil {
			t.Fatal(err)
		}
	}
	created := sale{ID: "o5", Customer: "c", Total: 5}
	upserted := line{ID: "l1", Customer: "c", SKU: "x"}
	replaced, unconditional := stored[0], stored[1]
	replaced.Total = 1
	unconditional.ETag, unconditional.Total = "", 2

	tx := repository.NewTransaction()
	before, err := s.sales.In(tx).Get(replaced.key())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := before.Doc(); err == nil {
		t.Error("there is a document before Commit")
	}
	for i, err := range []error{
		s.sales.In(tx).Create(&created),
		s.lines.In(tx).Upsert(&upserted),
		s.sales.In(tx).Replace(&replaced),
		s.sales.In(tx).Replace(&unconditional),
		s.sales.In(tx).Delete(stored[2].key()),
		s.sales.In(tx).DeleteIfMatch(&stored[3]),
	} {
		if err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
	after, err := s.sales.In(tx).Get(replaced.key())
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := s.sales.In(tx).Get(shopKey{"l1", "c"})
	if err != nil {
		t.Fatal(err)
	}
	s.server.ResetRequests()
	var meter repository.Meter
	if err := tx.Commit(repository.WithMeter(ctx, &meter)); err != nil {
		t.Fatal(err)
	}
	if n := len(s.server.Requests()); n != 1 || meter.Requests() != 1 || meter.RequestUnits() < 10 {
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
	for _, want := range []sale{created, replaced, unconditional} {
		if got, err := s.sales.Get(ctx, want.key()); err != nil || *got != want {
			t.Errorf("stored is %+v, %v, and the caller has %+v", got, err, want)
		}
	}
	if got, err := s.lines.Get(ctx, upserted.key()); err != nil || *got != upserted {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, gone := range stored[2:] {
		if got, err := s.sales.Get(ctx, gone.key()); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("still there: %+v, %v", got, err)
		}
	}
}

// TestTransactionsFail has an operation that fails after one that succeeds.
func TestTransactionsFail(t *testing.T) {
	s := newShop(t)
	ctx := context.Background()
	taken := sale{ID: "o1", Customer: "c"}
	if err := s.sales.Create(ctx, &taken); err != nil {
		t.Fatal(err)
	}
	old := taken
	old.ETag = `"old"`
	missing := sale{ID: "none", Customer: "c"}
	for name, test := range map[string]struct {
		add  func(*repository.Transaction) error
		want error
		text string
	}{
		"create":          {func(tx *repository.Transaction) error { return s.sales.In(tx).Create(&taken) }, repository.ErrAlreadyExists, `create sale "o1" in partition "c": document already exists (status 409)`},
		"replace":         {func(tx *repository.Transaction) error { return s.sales.In(tx).Replace(&missing) }, repository.ErrNotFound, `replace sale "none" in partition "c": document not found (status 404)`},
		"replace, ETag":   {func(tx *repository.Transaction) error { return s.sales.In(tx).Replace(&old) }, repository.ErrPreconditionFailed, `replace sale "o1" in partition "c": document has changed since it was read (status 412)`},
		"delete":          {func(tx *repository.Transaction) error { return s.sales.In(tx).Delete(missing.key()) }, repository.ErrNotFound, `delete sale "none" in partition "c": document not found (status 404)`},
		"delete, ETag":    {func(tx *repository.Transaction) error { return s.sales.In(tx).DeleteIfMatch(&old) }, repository.ErrPreconditionFailed, `delete sale "o1" in partition "c": document has changed since it was read (status 412)`},
		"get of nothing":  {func(tx *repository.Transaction) error { _, err := s.lines.In(tx).Get(missing.key()); return err }, repository.ErrNotFound, `get line "none" in partition "c": document not found (status 404)`},
		"create, the end": {func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&line{ID: "l1", Customer: "c"}) }, repository.ErrAlreadyExists, `create line "l1" in partition "c": document already exists (status 409)`},
	} {
		t.Run(name, func(t *testing.T) {
			var read *repository.Pending[sale]
			err := commit(ctx,
				func(tx *repository.Transaction) (err error) {
					read, err = s.sales.In(tx).Get(taken.key())
					return err
				},
				func(tx *repository.Transaction) error { return s.lines.In(tx).Upsert(&line{ID: "l1", Customer: "c"}) },
				test.add,
				func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&line{ID: "l2", Customer: "c"}) },
			)
			var own *repository.TransactionError
			if !errors.Is(err, test.want) || !errors.As(err, &own) || own.Operation != 3 || own.Of != 4 {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if want := "operation 3 of 4 of a transaction: " + test.text + "; nothing of the transaction was stored"; err.Error() != want {
				t.Errorf("got  %v\nwant %v", err, want)
			}
			var response *azcore.ResponseError
			if !errors.As(err, &response) || errors.Is(err, repository.ErrUnclear) {
				t.Errorf("%#v", err)
			}
			if got, err := read.Doc(); got != nil || err == nil {
				t.Errorf("the failed transaction has read %v, %v", got, err)
			}
			for _, id := range []string{"l1", "l2"} {
				if _, err := s.lines.Get(ctx, shopKey{id, "c"}); !errors.Is(err, repository.ErrNotFound) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	// The request as a whole.
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: 429, Count: -1})
	err := commit(ctx, func(tx *repository.Transaction) error { return s.sales.In(tx).Upsert(&taken) })
	var own *repository.Error
	if !errors.Is(err, repository.ErrThrottled) || !errors.As(err, &own) || own.Op != "commit" {
		t.Errorf("got %v", err)
	}
	if want := `commit sale in partition "c": request rate too large (status 429), nothing of the transaction was stored`; err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
	s.server.ClearFaults()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	err = commit(ended, func(tx *repository.Transaction) error { return s.sales.In(tx).Upsert(&taken) })
	if !errors.Is(err, context.Canceled) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}

// TestTransactionsOfOddIDs has ids that the SDK does not escape.
func TestTransactionsOfOddIDs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx := context.Background()
	for _, id := range []string{`a"b`, `"`, `","operationType":"Delete`, "<&>", "é日本", "\u2028", "a b", "'", "%2", "100%", "\U0001F600"} {
		o := sale{ID: id, Customer: "c", Total: 1}
		l := line{ID: id + "l", Customer: "c", SKU: id}
		if err := commit(ctx,
			func(tx *repository.Transaction) error { return s.sales.In(tx).Create(&o) },
			func(tx *repository.Transaction) error { return s.lines.In(tx).Upsert(&l) },
		); err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		o.Total = 2
		var got *repository.Pending[sale]
		err := commit(ctx,
			func(tx *repository.Transaction) error { return s.sales.In(tx).Replace(&o) },
			func(tx *repository.Transaction) (err error) { got, err = s.sales.In(tx).Get(o.key()); return err },
			func(tx *repository.Transaction) error { return s.lines.In(tx).Delete(l.key()) },
		)
		if err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		if doc, err := got.Doc(); err != nil || *doc != o {
			t.Errorf("%q: got %+v, %v", id, doc, err)
		}
	}
	if all, err := repository.NewQuery(s.lines, byCustomer("c")).Collect(ctx); err != nil || len(all) != 0 {
		t.Errorf("%d lines are left, %v", len(all), err)
	}
}

// TestTransactionsOfManyClients mixes repositories with different container
// clients of one database client.
func TestTransactionsOfManyClients(t *testing.T) {
	s := newShop(t)
	db := s.server.Database(nil)
	one, err := db.NewContainer("shop")
	if err != nil {
		t.Fatal(err)
	}
	two, err := db.NewContainer("shop")
	if err != nil {
		t.Fatal(err)
	}
	err = commit(context.Background(),
		func(tx *repository.Transaction) error {
			return repository.New(one, &saleModel).In(tx).Create(&sale{ID: "o1", Customer: "c"})
		},
		func(tx *repository.Transaction) error {
			return repository.New(two, &lineModel).In(tx).Create(&line{ID: "l1", Customer: "c"})
		},
	)
	if err != nil {
		t.Error(err)
	}
}
