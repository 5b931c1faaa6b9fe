package repository_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestUnclearTransactions loses the answer to each kind of transaction, before
// and after its effect. The transaction succeeds nevertheless. One that replaces
// or patches on condition cannot tell its own work from somebody else's, and says
// so.
func TestUnclearTransactions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for kind, add := range map[string]func(shop, *repository.Transaction, *sale) error{
		"create": func(s shop, tx *repository.Transaction, _ *sale) error {
			return s.lines.In(tx).Create(&line{ID: "l2", Customer: "c"})
		},
		"upsert":        func(shop, *repository.Transaction, *sale) error { return nil },
		"replace, ETag": func(s shop, tx *repository.Transaction, p *sale) error { return s.sales.In(tx).Replace(p) },
		"set": func(s shop, tx *repository.Transaction, p *sale) error {
			return s.sales.In(tx).Patch(p.key(), saleTotal.Set(99))
		},
		"increment": func(s shop, tx *repository.Transaction, p *sale) error {
			return s.sales.In(tx).Patch(p.key(), saleTotal.Increment(99))
		},
		"delete": func(s shop, tx *repository.Transaction, p *sale) error { return s.sales.In(tx).Delete(p.key()) },
		"delete, ETag": func(s shop, tx *repository.Transaction, p *sale) error {
			return s.sales.In(tx).DeleteIfMatch(p)
		},
		"delete, create": func(s shop, tx *repository.Transaction, p *sale) error {
			if err := s.sales.In(tx).Delete(p.key()); err != nil {
				return err
			}
			return s.sales.In(tx).Create(p)
		},
	} {
		for name, fault := range unclear(emulator.OpExecuteBatch) {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newShop(t)
				p := sale{ID: "o1", Customer: "c"}
				if err := s.sales.Create(ctx, &p); err != nil {
					t.Fatal(err)
				}
				p.Total = 99
				s.server.Inject(fault)
				err := commit(ctx,
					func(tx *repository.Transaction) error { return s.lines.In(tx).Upsert(&line{ID: "l1", Customer: "c"}) },
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
				if n := s.server.Sent(emulator.OpExecuteBatch); n != want {
					t.Errorf("sent %d times, want %d", n, want)
				}
				if _, err := s.lines.Get(ctx, shopKey{"l1", "c"}); err != nil {
					t.Error(err)
				}
				got, err := s.sales.Get(ctx, p.key())
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
					if _, err := s.lines.Get(ctx, shopKey{"l2", "c"}); err != nil {
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
	transport := &lostOnce{RoundTripper: http.DefaultTransport}
	options := repository.Configure(harness.Impatient())
	options.Transport = transport
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, shopContainer, options)
	lines := repository.New(container, &lineModel)
	transport.method = http.MethodPost
	err := commit(context.Background(), func(tx *repository.Transaction) error {
		return lines.In(tx).Create(&line{ID: "l1", Customer: "c"})
	})
	if err != nil || !transport.lost || server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("%v after %d requests", err, server.Sent(emulator.OpExecuteBatch))
	}
}

// TestUnclearTransactionsOfOthers has somebody else store one of the documents,
// after a transaction was sent that did not take effect.
func TestUnclearTransactionsOfOthers(t *testing.T) {
	t.Parallel()
	hook := new(harness.Between)
	s := newShop(t, harness.Intercepted)
	ctx := context.Background()
	wanted := line{ID: "l1", Customer: "c", SKU: "x"}
	sent := 0
	hook.Act = func() {
		if sent++; sent == 2 { // the first is over
			other := wanted
			if err := s.lines.Create(ctx, &other); err != nil {
				t.Error(err)
			}
		}
	}
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true})
	err := commit(hook.Context(ctx),
		func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&wanted) },
		func(tx *repository.Transaction) error {
			return s.sales.In(tx).Upsert(&sale{ID: "o1", Customer: "c"})
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
	if _, err := s.sales.Get(ctx, shopKey{"o1", "c"}); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the sale: %v", err)
	}
}

// TestTransactionsUnclearToTheEnd has a transaction whose answer never comes.
func TestTransactionsUnclearToTheEnd(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx := context.Background()
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, Count: -1})
	create := func(tx *repository.Transaction) error {
		return s.lines.In(tx).Create(&line{ID: "l1", Customer: "c"})
	}
	err := commit(ctx, create)
	var own *repository.Error
	if !errors.Is(err, repository.ErrUnclear) || !errors.As(err, &own) || own.Op != "commit" {
		t.Errorf("got %v", err)
	}
	if n := s.server.Sent(emulator.OpExecuteBatch); n != 4 {
		t.Errorf("sent %d times, want 4", n)
	}
	s.server.ClearFaults()

	// A pause that the context ends.
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusServiceUnavailable, Count: -1})
	ended, end := context.WithCancel(ctx)
	observed := repository.New(s.container, &lineModel, repository.WithObserver(func(context.Context, repository.Event) { end() }))
	err = commit(ended, func(tx *repository.Transaction) error {
		return observed.In(tx).Create(&line{ID: "l1", Customer: "c"})
	})
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTransactionsUnclearAfterADeadline is not parallel: the request has to be sent
// before the deadline.
func TestTransactionsUnclearAfterADeadline(t *testing.T) {
	s := newShop(t)
	upsert := func(tx *repository.Transaction) error {
		return s.lines.In(tx).Upsert(&line{ID: "l1", Customer: "c"})
	}
	if err := commit(context.Background(), upsert); err != nil {
		t.Fatal(err)
	}
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Delay: time.Minute})
	short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := commit(short, upsert)
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestLostReads has a transaction that took effect and whose answer with the read
// documents was lost.
func TestLostReads(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx := context.Background()
	p := sale{ID: "o1", Customer: "c"}
	if err := s.sales.Create(ctx, &p); err != nil {
		t.Fatal(err)
	}
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	var read *repository.Pending[sale]
	err := commit(ctx,
		func(tx *repository.Transaction) (err error) { read, err = s.sales.In(tx).Get(p.key()); return err },
		func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&line{ID: "l1", Customer: "c"}) },
	)
	if err != nil {
		t.Fatal(err)
	}
	if doc, err := read.Doc(); doc != nil || err == nil || !strings.Contains(err.Error(), "was lost: call Get") {
		t.Errorf("got %v, %v", doc, err)
	}
	// One that only reads is as good the second time.
	s.server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	err = commit(ctx, func(tx *repository.Transaction) (err error) { read, err = s.sales.In(tx).Get(p.key()); return err })
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
	s := newShop(t, quiet)
	ctx := context.Background()
	create := func(id string) func(*repository.Transaction) error {
		return func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&line{ID: id, Customer: "c"}) }
	}
	if err := commit(ctx, create("l1")); err != nil || s.server.Sent(emulator.OpExecuteBatch) != 1 {
		t.Fatalf("%v, %d requests", err, s.server.Sent(emulator.OpExecuteBatch))
	}
	s.server.ResetRequests()
	err := commit(ctx, create("l2"), create("l1"))
	var own *repository.TransactionError
	if !errors.Is(err, repository.ErrAlreadyExists) || !errors.As(err, &own) || own.Operation != 2 || s.server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("got %v, %d requests", err, s.server.Sent(emulator.OpExecuteBatch))
	}
	// One that never says, and one that says so by its status.
	quiet.alter = func(_ *http.Request, response *http.Response) { setBody(response, "") }
	s.server.ResetRequests()
	err = commit(ctx, create("l2"), create("l1"))
	if err == nil || !strings.HasSuffix(err.Error(), "does not say because of which operation, nothing of the transaction was stored") || s.server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("got %v, %d requests", err, s.server.Sent(emulator.OpExecuteBatch))
	}
	quiet.alter = func(r *http.Request, response *http.Response) {
		if r.Header.Get("Prefer") != "" && response.StatusCode == http.StatusMultiStatus {
			response.StatusCode = http.StatusConflict
			setBody(response, "{}")
		}
	}
	if err := commit(ctx, create("l2"), create("l1")); !errors.As(err, &own) || own.Operation != 2 {
		t.Errorf("got %v", err)
	}
}

// TestGarbledTransactions has an answer that cannot be read, of a transaction that
// took effect.
func TestGarbledTransactions(t *testing.T) {
	t.Parallel()
	garbled := new(altered)
	s := newShop(t, garbled)
	ctx := context.Background()
	create := func(tx *repository.Transaction) error {
		return s.lines.In(tx).Create(&line{ID: "l1", Customer: "c"})
	}
	garbled.alter = func(_ *http.Request, response *http.Response) {
		setBody(response, "<html>")
		garbled.alter = nil
	}
	if err := commit(ctx, create); err != nil || s.server.Sent(emulator.OpExecuteBatch) != 2 {
		t.Errorf("%v after %d requests", err, s.server.Sent(emulator.OpExecuteBatch))
	}
	garbled.alter = func(_ *http.Request, response *http.Response) { setBody(response, "<html>") }
	if err := commit(ctx, create); !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}

// TestBusyTransactions has operations that fail because the service is busy.
func TestBusyTransactions(t *testing.T) {
	t.Parallel()
	busy := new(altered)
	s := newShop(t, busy)
	ctx := context.Background()
	create := func(id string) func(*repository.Transaction) error {
		return func(tx *repository.Transaction) error { return s.lines.In(tx).Create(&line{ID: id, Customer: "c"}) }
	}
	if err := commit(ctx, create("l1")); err != nil {
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
		s.server.ResetRequests()
		err := commit(ctx, create("l2"), create("l1"))
		want := min(test.times+1, 10)
		if err == nil || test.want != nil && !errors.Is(err, test.want) || s.server.Sent(emulator.OpExecuteBatch) != want {
			t.Errorf("%s: got %v after %d requests, want %d", name, err, s.server.Sent(emulator.OpExecuteBatch), want)
		}
		if test.want == nil && !strings.Contains(err.Error(), `create line "l1" in partition "c": status 400: Bad Request`) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
