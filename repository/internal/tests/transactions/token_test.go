package transactions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// tokens are the tokens of transactions on the sales of one container.
type tokens struct {
	kit.Shop
	proxy    *proxytest.Proxy
	attempts *repository.Documents[fixtures.Attempt, fixtures.AttemptKey]
	direct   *repository.Documents[fixtures.Sale, fixtures.SaleKey] // not through the proxy
}

// counter is the sale in which transactions count.
var counter = fixtures.SaleKey{ID: "counter", Customer: "c"}

func newTokens(t testing.TB) tokens {
	t.Helper()
	properties := fixtures.AttemptContainer()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Impatient()))
	proxy := &proxytest.Proxy{}
	options := repository.Configure(harness.Impatient())
	options.Transport = proxy
	through := server.Container(properties.ID, options)
	s := tokens{
		Shop:     kit.Shop{Server: server, Container: container, Sales: repository.New(through, &kit.SaleModel), Lines: repository.New(through, &kit.LineModel)},
		proxy:    proxy,
		attempts: repository.New(through, fixtures.AttemptModel),
		direct:   repository.New(container, &kit.SaleModel),
	}
	kit.MustPass(t, s.direct.Create(t.Context(), &fixtures.Sale{ID: counter.ID, Customer: counter.Customer}))
	return s
}

// count adds 1 to the counter under a token, by an operation that is not safe to repeat.
func (s tokens) count(ctx context.Context, id string, change func(*repository.Transaction) error) error {
	return s.Sales.InTransaction(ctx, counter, change, repository.IdempotencyToken(s.attempts, &fixtures.Attempt{ID: id, Customer: counter.Customer}))
}

func (s tokens) increment(tx *repository.Transaction) error {
	return s.Sales.In(tx).Patch(counter, fixtures.SalePatch.Total.Increment(1))
}

// replace reads the counter, and replaces it.
func (s tokens) replace(ctx context.Context) func(tx *repository.Transaction) error {
	return func(tx *repository.Transaction) error {
		sale, err := s.Sales.In(tx).Read(ctx, counter)
		if err != nil {
			return err
		}
		sale.Total++
		return s.Sales.In(tx).Replace(sale)
	}
}

// counted compares the counter with a number.
func (s tokens) counted(t *testing.T, want int) {
	t.Helper()
	if sale, err := s.direct.Get(t.Context(), counter); err != nil || sale.Total != want {
		t.Errorf("counted is %+v, %v; want %d", sale, err, want)
	}
}

// committed reports whether the error is that of a token that was used before.
func committed(err error) bool {
	return errors.Is(err, repository.ErrAlreadyCommitted) && errors.Is(err, repository.ErrAlreadyExists) && !errors.Is(err, repository.ErrUnclear) &&
		repository.HTTPStatus(err) == http.StatusConflict
}

// TestTokenOfLostAnswers loses transactions and their answers: each takes effect once, and
// another call with its token does not.
func TestTokenOfLostAnswers(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"none":                     {Operation: emulator.OpExecuteBatch, Skip: 1000},
		"before":                   {Operation: emulator.OpExecuteBatch, Drop: true, Count: 2},
		"after":                    {Operation: emulator.OpExecuteBatch, Drop: true, After: true},
		"after, twice":             {Operation: emulator.OpExecuteBatch, Drop: true, After: true, Count: 2},
		"an answer without a body": {Operation: emulator.OpExecuteBatch, After: true, Body: func([]byte) []byte { return nil }},
		"busy":                     {Operation: emulator.OpExecuteBatch, Status: http.StatusServiceUnavailable, After: true, Count: 2},
	} {
		for how, change := range map[string]func(tokens, context.Context) func(*repository.Transaction) error{
			"patch":   func(s tokens, _ context.Context) func(*repository.Transaction) error { return s.increment },
			"replace": func(s tokens, ctx context.Context) func(*repository.Transaction) error { return s.replace(ctx) },
			"and delete": func(s tokens, _ context.Context) func(*repository.Transaction) error {
				return func(tx *repository.Transaction) error {
					return errors.Join(
						s.Lines.In(tx).Create(&fixtures.Line{ID: "new", Customer: "c"}), s.Lines.In(tx).Delete(fixtures.LineKey{ID: "new", Customer: "c"}), s.increment(tx))
				}
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				ctx := t.Context()
				s := newTokens(t)
				s.Server.Inject(fault)
				kit.MustPass(t, s.count(ctx, "1", change(s, ctx)))
				s.counted(t, 1)
				err := s.count(ctx, "1", func(*repository.Transaction) error {
					t.Error("a function is called whose transaction has taken effect")
					return nil
				})
				if !committed(err) {
					t.Errorf("a second call: %v", err)
				}
				kit.MustPass(t, s.count(ctx, "2", change(s, ctx)))
				s.counted(t, 2)
			})
		}
	}
}

// TestTokenAfterUnclear ends contexts while an answer is awaited, and lets no read pass: the
// outcome is unclear, and a second call settles it.
func TestTokenAfterUnclear(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults []emulator.Fault
		again  bool // the first call has taken effect
	}{
		"took effect": {[]emulator.Fault{{Operation: emulator.OpExecuteBatch, Drop: true, After: true}, {Method: http.MethodGet, Path: "/docs/", Skip: 1, Count: -1, Drop: true}}, true},
		"had none":    {[]emulator.Fault{{Operation: emulator.OpExecuteBatch, Drop: true, Count: -1}}, false},
	} {
		harness.Bubble(t, name, func(t *testing.T) {
			s := newTokens(t)
			for _, f := range test.faults {
				s.Server.Inject(f)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // the requests take much less
			defer cancel()
			if err := s.count(ctx, "1", s.increment); !errors.Is(err, repository.ErrUnclear) || errors.Is(err, repository.ErrAlreadyCommitted) {
				t.Fatalf("the first call: %v", err)
			}
			s.Server.ClearFaults()
			// A request that the server has not dropped yet may take effect late.
			if err := s.count(t.Context(), "1", s.increment); !committed(err) && (err != nil || test.again) {
				t.Errorf("the second call: %v", err)
			}
			s.counted(t, 1)
		})
	}
}

// TestTokenRaces has programs that call with the same tokens at once, through a proxy that
// repeats requests, keeps them back and loses their answers.
func TestTokenRaces(t *testing.T) {
	t.Parallel()
	const programs, rounds = 4, 12
	ctx := t.Context()
	s := newTokens(t)
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, 2))
	s.proxy.Fate = func(r *http.Request) proxytest.Fate {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodPost || random.IntN(2) == 0 {
			return proxytest.Passes
		}
		return proxytest.Fate(random.IntN(int(proxytest.Delayed) + 1))
	}
	took := make([]int, rounds)
	var all sync.WaitGroup
	for program := range programs {
		all.Go(func() {
			for round := range rounds {
				change := s.increment
				if program%2 == 0 {
					change = s.replace(ctx)
				}
				for {
					err := s.count(ctx, fmt.Sprint(round), change)
					if errors.Is(err, repository.ErrUnclear) || errors.Is(err, repository.ErrPreconditionFailed) {
						continue
					}
					mu.Lock()
					switch {
					case err == nil:
						took[round]++
					case !committed(err):
						t.Errorf("program %d, round %d: %v", program, round, err)
					}
					mu.Unlock()
					break
				}
			}
		})
	}
	all.Wait()
	s.proxy.Wait()
	s.counted(t, rounds)
	for round, n := range took {
		if n > 1 {
			t.Errorf("round %d has taken effect in %d calls", round, n)
		}
	}
}

// TestTokenAndErrors has functions that refuse to change what another call with the token has
// changed since the token was read.
func TestTokenAndErrors(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newTokens(t)
	refused := errors.New("refused")
	err := s.count(ctx, "1", func(*repository.Transaction) error {
		kit.MustPass(t, s.count(ctx, "1", s.increment))
		return refused
	})
	if !committed(err) {
		t.Errorf("an error after another call: %v", err)
	}
	err = s.count(ctx, "2", func(tx *repository.Transaction) error {
		kit.MustPass(t, s.count(ctx, "2", s.increment))
		return s.increment(tx)
	})
	if !committed(err) {
		t.Errorf("a commit after another call: %v", err)
	}
	s.counted(t, 2)

	// A call that stores nothing leaves the token free.
	if err := s.count(ctx, "3", func(*repository.Transaction) error { return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	kit.MustPass(t, s.count(ctx, "3", func(*repository.Transaction) error { return nil }))
	var failed *repository.TransactionError
	err = s.count(ctx, "3", func(tx *repository.Transaction) error {
		return s.Sales.In(tx).Create(&fixtures.Sale{ID: counter.ID, Customer: counter.Customer})
	})
	if !errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrAlreadyCommitted) || !errors.As(err, &failed) || failed.Operation != 2 {
		t.Errorf("a document that is there: %v", err)
	}
	kit.MustPass(t, s.count(ctx, "3", s.increment))
	s.counted(t, 3)
}

// TestTokenIsHidden has a token that neither queries nor feeds of other types have, and that
// the service removes.
func TestTokenIsHidden(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newTokens(t)
	use := func() error {
		return s.Sales.InTransaction(ctx, counter, s.increment, repository.IdempotencyToken(s.attempts, &fixtures.Attempt{ID: "1", Customer: "c", TTL: 60}))
	}
	kit.MustPass(t, use())
	for name, count := range map[string]func() (int, error){
		"sales":    func() (int, error) { return s.Sales.Scan().Count(ctx) },
		"attempts": func() (int, error) { return s.attempts.Scan().Count(ctx) },
	} {
		if n, err := count(); err != nil || n != 1 {
			t.Errorf("%d %s, %v", n, name, err)
		}
	}
	if n, err := s.Lines.Scan().Count(ctx); err != nil || n != 0 {
		t.Errorf("%d lines, %v", n, err)
	}
	if err := use(); !committed(err) {
		t.Error(err)
	}
	s.Server.Advance(61 * time.Second)
	kit.MustPass(t, use())
	s.counted(t, 2)
}

// TestTokenRefused has tokens that cannot be stored.
func TestTokenRefused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newTokens(t)
	_, clicks := kit.NewClicks(t)
	use := func(options ...repository.TransactionOption) error {
		return s.Sales.InTransaction(ctx, counter, s.increment, options...)
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no option":         {use(nil), "a TransactionOption is nil"},
		"no token":          {use(repository.IdempotencyToken[fixtures.Attempt, fixtures.AttemptKey](s.attempts, nil)), "the token is nil"},
		"another partition": {use(repository.IdempotencyToken(s.attempts, &fixtures.Attempt{ID: "1", Customer: "d"})), "can change only this logical partition"},
		"an invalid key":    {use(repository.IdempotencyToken(s.attempts, &fixtures.Attempt{ID: "1"})), "Customer"},
		"another container": {use(repository.IdempotencyToken(newTokens(t).attempts, &fixtures.Attempt{ID: "1", Customer: "c"})), "container"},
		"a random suffix":   {use(repository.IdempotencyToken(clicks, &clickstream.Click{ID: "1", Date: kit.Day})), "random suffix"},
		"another type": {use(repository.IdempotencyToken(s.attempts, &fixtures.Attempt{ID: counter.ID, Customer: counter.Customer})),
			"other type"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) || errors.Is(test.err, repository.ErrAlreadyCommitted) {
			t.Errorf("%s: %v; want %q", name, test.err, test.want)
		}
	}
	s.counted(t, 0)
}

// TestTokenCosts counts requests.
func TestTokenCosts(t *testing.T) {
	t.Parallel()
	s := newTokens(t)
	before := s.Server.Sent(emulator.OpReadItem)
	kit.MustPass(t, s.count(t.Context(), "1", s.increment))
	if reads, batches := s.Server.Sent(emulator.OpReadItem)-before, s.Server.Sent(emulator.OpExecuteBatch); reads != 1 || batches != 1 {
		t.Errorf("%d reads and %d transactions", reads, batches)
	}
}
