package transactions

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUnclearTransactions loses the answer to each kind of transaction, before and after its
// effect. The transaction succeeds nevertheless. A transaction that replaces or patches on
// condition cannot distinguish its own effect from another program's, and returns an unclear
// outcome.
func TestUnclearTransactions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for kind, add := range map[string]func(kit.Shop, *repository.Transaction, *fixtures.Sale) error{
		"create": func(s kit.Shop, tx *repository.Transaction, _ *fixtures.Sale) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "l2", Customer: "c"})
		},
		"upsert":        func(kit.Shop, *repository.Transaction, *fixtures.Sale) error { return nil },
		"replace, ETag": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error { return s.Sales.In(tx).Replace(p) },
		"set": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error {
			return s.Sales.In(tx).Patch(p.Key(), fixtures.SalePatch.Total.Set(99))
		},
		"increment": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error {
			return s.Sales.In(tx).Patch(p.Key(), fixtures.SalePatch.Total.Increment(99))
		},
		"delete": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error {
			return s.Sales.In(tx).Delete(p.Key())
		},
		"delete, ETag": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error {
			return s.Sales.In(tx).DeleteIfMatch(p)
		},
		"delete, create": func(s kit.Shop, tx *repository.Transaction, p *fixtures.Sale) error {
			if err := s.Sales.In(tx).Delete(p.Key()); err != nil {
				return err
			}
			return s.Sales.In(tx).Create(p)
		},
	} {
		for name, fault := range kit.UnclearFaults(emulator.OpExecuteBatch) {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := kit.NewShop(t)
				p := fixtures.Sale{ID: "o1", Customer: "c"}
				if err := s.Sales.Create(ctx, &p); err != nil {
					t.Fatal(err)
				}
				p.Total = 99
				s.Server.Inject(fault)
				err := kit.Commit(ctx,
					func(tx *repository.Transaction) error {
						return s.Lines.In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "c"})
					},
					func(tx *repository.Transaction) error { return add(s, tx, &p) },
				)
				want := 2
				switch {
				case kind == "replace, ETag" && fault.After:
					if !errors.Is(err, repository.ErrPreconditionFailed) || !errors.Is(err, repository.ErrUnclear) {
						t.Fatal(err)
					}
				case kind == "increment":
					if want = 1; !errors.Is(err, repository.ErrUnclear) {
						t.Fatal(err)
					}
					if !fault.After {
						return
					}
				case err != nil:
					t.Fatal(err)
				}
				if n := s.Server.Sent(emulator.OpExecuteBatch); n != want {
					t.Errorf("sent %d times, want %d", n, want)
				}
				if _, err := s.Lines.Get(ctx, fixtures.LineKey{ID: "l1", Customer: "c"}); err != nil {
					t.Error(err)
				}
				got, err := s.Sales.Get(ctx, p.Key())
				switch kind {
				case "delete", "delete, ETag":
					if !errors.Is(err, repository.ErrNotFound) {
						t.Errorf("the sale is still there: %v, %v", got, err)
					}
				case "replace, ETag", "delete, create", "set", "increment":
					if p.ETag = got.ETag; err != nil || *got != p {
						t.Errorf("stored is %+v, %v, and the caller has %+v", got, err, p)
					}
				case "create":
					if _, err := s.Lines.Get(ctx, fixtures.LineKey{ID: "l2", Customer: "c"}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// TestUnclearTransactionsInThePipeline has the client itself repeat a transaction
// that took effect.
func TestUnclearTransactionsInThePipeline(t *testing.T) {
	transport := &kit.LostOnce{RoundTripper: http.DefaultTransport}
	options := repository.Configure(harness.Impatient())
	options.Transport = transport
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.ShopContainer, options)
	lines := repository.New(container, &kit.LineModel)
	transport.Method = http.MethodPost
	err := kit.Commit(context.Background(), func(tx *repository.Transaction) error {
		return lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
	})
	if err != nil || !transport.Lost || server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("%v after %d requests", err, server.Sent(emulator.OpExecuteBatch))
	}
}

// TestUnclearTransactionsOfOthers has somebody else store one of the documents,
// after a transaction was sent that did not take effect.
func TestUnclearTransactionsOfOthers(t *testing.T) {
	t.Parallel()
	hook := new(harness.Between)
	s := kit.NewShop(t, harness.Intercepted)
	ctx := context.Background()
	wanted := fixtures.Line{ID: "l1", Customer: "c", SKU: "x"}
	sent := 0
	hook.Act = func() {
		if sent++; sent == 2 { // the first is over
			other := wanted
			if err := s.Lines.Create(ctx, &other); err != nil {
				t.Error(err)
			}
		}
	}
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true})
	err := kit.Commit(hook.Context(ctx),
		func(tx *repository.Transaction) error { return s.Lines.In(tx).Create(&wanted) },
		func(tx *repository.Transaction) error {
			return s.Sales.In(tx).Upsert(&fixtures.Sale{ID: "o1", Customer: "c"})
		},
	)
	// The line is as the transaction wanted it, and the sale is not there.
	var own *repository.TransactionError
	if !errors.Is(err, repository.ErrAlreadyExists) || !errors.Is(err, repository.ErrUnclear) || !errors.As(err, &own) || own.Operation != 1 {
		t.Errorf("got %v", err)
	}
	if strings.Contains(err.Error(), "nothing") || !strings.HasSuffix(err.Error(), "it is not known whether it took effect") {
		t.Errorf("got %v", err)
	}
	if _, err := s.Sales.Get(ctx, fixtures.SaleKey{ID: "o1", Customer: "c"}); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the sale: %v", err)
	}
}

// TestTransactionsUnclearToTheEnd has a transaction whose answer never comes.
func TestTransactionsUnclearToTheEnd(t *testing.T) {
	t.Parallel()
	s := kit.NewShop(t)
	ctx := context.Background()
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, Count: -1})
	create := func(tx *repository.Transaction) error {
		return s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
	}
	err := kit.Commit(ctx, create)
	var own *repository.Error
	if !errors.Is(err, repository.ErrUnclear) || !errors.As(err, &own) || own.Op != "commit" {
		t.Errorf("got %v", err)
	}
	if n := s.Server.Sent(emulator.OpExecuteBatch); n != 4 {
		t.Errorf("sent %d times, want 4", n)
	}
	s.Server.ClearFaults()

	// A pause that the context ends.
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusServiceUnavailable, Count: -1})
	ended, end := context.WithCancel(ctx)
	observed := repository.New(s.Container, &kit.LineModel, repository.WithObserver(func(context.Context, repository.Event) { end() }))
	err = kit.Commit(ended, func(tx *repository.Transaction) error {
		return observed.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
	})
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTransactionsUnclearAfterADeadline is not parallel: the request has to be sent
// before the deadline.
func TestTransactionsUnclearAfterADeadline(t *testing.T) {
	s := kit.NewShop(t)
	upsert := func(tx *repository.Transaction) error {
		return s.Lines.In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "c"})
	}
	if err := kit.Commit(context.Background(), upsert); err != nil {
		t.Fatal(err)
	}
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Delay: time.Minute})
	short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := kit.Commit(short, upsert)
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestLostReads has a transaction that took effect and whose answer with the read
// documents was lost.
func TestLostReads(t *testing.T) {
	t.Parallel()
	s := kit.NewShop(t)
	ctx := context.Background()
	p := fixtures.Sale{ID: "o1", Customer: "c"}
	if err := s.Sales.Create(ctx, &p); err != nil {
		t.Fatal(err)
	}
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	var read *repository.Pending[fixtures.Sale]
	err := kit.Commit(ctx,
		func(tx *repository.Transaction) (err error) { read, err = s.Sales.In(tx).Get(p.Key()); return err },
		func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if doc, err := read.Doc(); doc != nil || err == nil || !strings.Contains(err.Error(), "was lost: call Get") {
		t.Errorf("got %v, %v", doc, err)
	}
	// One that only reads is as good the second time.
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	err = kit.Commit(ctx, func(tx *repository.Transaction) (err error) { read, err = s.Sales.In(tx).Get(p.Key()); return err })
	if doc, docErr := read.Doc(); err != nil || docErr != nil || *doc != p {
		t.Errorf("got %v, %v, %v", doc, docErr, err)
	}
}

// TestTransactionsWithoutResults has a service that leaves the results out of
// answers without documents.
func TestTransactionsWithoutResults(t *testing.T) {
	quiet := &altered{alter: func(r *http.Request, response *http.Response) {
		if r.Header.Get("Prefer") != "" {
			setBody(response, "")
		}
	}}
	s := kit.NewShop(t, quiet)
	ctx := context.Background()
	create := func(id string) func(*repository.Transaction) error {
		return func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: id, Customer: "c"})
		}
	}
	if err := kit.Commit(ctx, create("l1")); err != nil || s.Server.Sent(emulator.OpExecuteBatch) != 1 {
		t.Fatalf("%v, %d requests", err, s.Server.Sent(emulator.OpExecuteBatch))
	}
	s.Server.ResetRequests()
	err := kit.Commit(ctx, create("l2"), create("l1"))
	var own *repository.TransactionError
	if !errors.Is(err, repository.ErrAlreadyExists) || !errors.As(err, &own) || own.Operation != 2 || s.Server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("got %v, %d requests", err, s.Server.Sent(emulator.OpExecuteBatch))
	}
	// One that never says, and one that says so by its status.
	quiet.alter = func(_ *http.Request, response *http.Response) { setBody(response, "") }
	s.Server.ResetRequests()
	err = kit.Commit(ctx, create("l2"), create("l1"))
	if err == nil || !strings.HasSuffix(err.Error(), "does not name the operation that failed, nothing of the transaction was stored") || s.Server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("got %v, %d requests", err, s.Server.Sent(emulator.OpExecuteBatch))
	}
	quiet.alter = func(r *http.Request, response *http.Response) {
		if r.Header.Get("Prefer") != "" && response.StatusCode == http.StatusMultiStatus {
			response.StatusCode = http.StatusConflict
			setBody(response, "{}")
		}
	}
	if err := kit.Commit(ctx, create("l2"), create("l1")); !errors.As(err, &own) || own.Operation != 2 {
		t.Errorf("got %v", err)
	}
}

// TestGarbledTransactions has an answer that cannot be read, of a transaction that
// took effect.
func TestGarbledTransactions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		garbled := new(altered)
		s := kit.NewShop(t, garbled)
		ctx := context.Background()
		create := func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		}
		garbled.alter = func(_ *http.Request, response *http.Response) {
			setBody(response, "<html>")
			garbled.alter = nil
		}
		if err := kit.Commit(ctx, create); err != nil || s.Server.Sent(emulator.OpExecuteBatch) != 2 {
			t.Errorf("%v after %d requests", err, s.Server.Sent(emulator.OpExecuteBatch))
		}
		garbled.alter = func(_ *http.Request, response *http.Response) { setBody(response, "<html>") }
		if err := kit.Commit(ctx, create); !errors.Is(err, repository.ErrUnclear) {
			t.Errorf("got %v", err)
		}
	})
}

// TestBusyTransactions has operations that fail because the service is busy.
func TestBusyTransactions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		busy := new(altered)
		s := kit.NewShop(t, busy)
		ctx := context.Background()
		create := func(id string) func(*repository.Transaction) error {
			return func(tx *repository.Transaction) error {
				return s.Lines.In(tx).Create(&fixtures.Line{ID: id, Customer: "c"})
			}
		}
		if err := kit.Commit(ctx, create("l1")); err != nil {
			t.Fatal(err)
		}
		for name, test := range map[string]struct {
			status, times int
			want          error
		}{
			"449":           {449, 2, repository.ErrAlreadyExists},
			"429":           {429, 9, repository.ErrAlreadyExists},
			"429 for ever":  {429, 20, repository.ErrThrottled},
			"another error": {400, 0, nil},
		} {
			left := test.times
			busy.alter = func(_ *http.Request, response *http.Response) {
				if left--; left >= 0 || test.want == nil {
					setBody(response, `[{"statusCode":424},{"statusCode":`+strconv.Itoa(test.status)+`}]`)
				}
			}
			s.Server.ResetRequests()
			err := kit.Commit(ctx, create("l2"), create("l1"))
			want := min(test.times+1, 10)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || s.Server.Sent(emulator.OpExecuteBatch) != want {
				t.Errorf("%s: got %v after %d requests, want %d", name, err, s.Server.Sent(emulator.OpExecuteBatch), want)
			}
			if test.want == nil && !strings.Contains(err.Error(), `create of Line "l1" (operation 2 of 2): status 400: Bad Request`) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}
