package writes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// settling is a policy that answers requests for documents as a physical partition does
// that is being split or moved.
type settling struct {
	mu        sync.Mutex
	left      []int // the substatuses of the answers that are left
	forEver   bool  // the last of them is the one of all others
	operation bool  // it is the last operation of a batch that is answered so, and the batch with it
	in        string
	at        []time.Time // of all requests for documents, or of those to the physical partition of in
}

// gone returns the substatus of the next 410, 0 if there is none.
func (s *settling) gone() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = append(s.at, time.Now())
	if len(s.left) == 0 {
		return 0
	}
	next := s.left[0]
	if len(s.left) > 1 || !s.forEver {
		s.left = s.left[1:]
	}
	return next
}

// Do implements policy.Policy.
func (s *settling) Do(r *policy.Request) (*http.Response, error) {
	header := r.Raw().Header
	if !strings.Contains(r.Raw().URL.Path, "/docs") || s.in != "" && header.Get("x-ms-documentdb-partitionkeyrangeid") != s.in {
		return r.Next()
	}
	substatus := s.gone()
	if substatus == 0 {
		return r.Next()
	}
	answer := &http.Response{StatusCode: http.StatusGone, Request: r.Raw(), Header: http.Header{}, Body: http.NoBody}
	answer.Header.Set("x-ms-substatus", strconv.Itoa(substatus))
	if s.operation && header.Get("x-ms-cosmos-is-batch-request") != "" {
		answer.StatusCode, answer.Header = http.StatusMultiStatus, http.Header{}
		answer.Body = io.NopCloser(strings.NewReader(fmt.Sprintf(`[{"statusCode":424},{"statusCode":410,"subStatusCode":%d}]`, substatus)))
	}
	return answer, nil
}

// database is one with a shop of two sales and windows of readings.
func (s *settling) database(t testing.TB) *azcosmos.DatabaseClient {
	t.Helper()
	v := harness.NewVirtual(t, server.Options{Partitions: 4})
	v.Load(`{"id":"shop","partitionKey":{"paths":["/customer"],"kind":"Hash","version":2}}`,
		`{"id":"s1","customer":"c","type":"sale","total":1}`, `{"id":"s2","customer":"c","type":"sale","total":2}`)
	for month := range 3 {
		v.Load(fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, kit.Window(1+month)))
	}
	return v.Database(repository.Configure(harness.PerRetry(s)))
}

func newSettlingShop(t testing.TB, s *settling) kit.Shop {
	t.Helper()
	container, err := s.database(t).NewContainer("shop")
	if err != nil {
		t.Fatal(err)
	}
	return kit.Shop{Container: container, Sales: repository.New(container, &kit.SaleModel), Lines: repository.New(container, &kit.LineModel)}
}

// settlingOperations are operations of two documents at most, the number of their requests,
// and the total of the first sale after them.
var settlingOperations = map[string]struct {
	requests int
	total    int
	batch    bool
	run      func(context.Context, kit.Shop) error
}{
	"get": {1, 1, false, func(ctx context.Context, s kit.Shop) error {
		_, err := s.Sales.Get(ctx, fixtures.SaleKey{ID: "s1", Customer: "c"})
		return err
	}},
	"create": {1, 1, false, func(ctx context.Context, s kit.Shop) error {
		return s.Lines.Create(ctx, &fixtures.Line{ID: "l1", Customer: "c"})
	}},
	"patch": {1, 2, false, func(ctx context.Context, s kit.Shop) error {
		return s.Sales.Patch(ctx, fixtures.SaleKey{ID: "s1", Customer: "c"}, fixtures.SalePatch.Total.Increment(1))
	}},
	"upsert all": {2, 10, false, func(ctx context.Context, s kit.Shop) error {
		_, err := s.Sales.UpsertAll(documents.Items(twoSales()...)).Collect(ctx)
		return err
	}},
	"upsert all in batches": {1, 10, true, func(ctx context.Context, s kit.Shop) error {
		_, err := s.Sales.UpsertAll(documents.Items(twoSales()...), documents.InBatches()).Collect(ctx)
		return err
	}},
	"transaction": {1, 2, true, func(ctx context.Context, s kit.Shop) error {
		tx := repository.NewTransaction()
		err := s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		return errors.Join(err, s.Sales.In(tx).Patch(fixtures.SaleKey{ID: "s1", Customer: "c"}, fixtures.SalePatch.Total.Increment(1)), tx.Commit(ctx))
	}},
}

func twoSales() []*fixtures.Sale {
	return []*fixtures.Sale{{ID: "s1", Customer: "c", Total: 10}, {ID: "s2", Customer: "c", Total: 20}}
}

// TestSettling has operations meet a physical partition that is being split or moved: they
// succeed once, or fail by an error that has the status.
func TestSettling(t *testing.T) {
	for name, test := range settlingOperations {
		kinds := []bool{false}
		if test.batch {
			kinds = []bool{false, true}
		}
		for _, operation := range kinds {
			t.Run(fmt.Sprintf("%s, operation %t", name, operation), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &settling{left: []int{1007, 1002, 1008, 1000}, operation: operation}
					shop := newSettlingShop(t, s)
					if err := test.run(t.Context(), shop); err != nil || len(s.at) != 4+test.requests {
						t.Errorf("%d requests, %v", len(s.at), err)
					}
					found, err := shop.Sales.Get(t.Context(), fixtures.SaleKey{ID: "s1", Customer: "c"})
					if err != nil || found.Total != test.total {
						t.Errorf("stored is %+v, %v", found, err)
					}
				})
				synctest.Test(t, func(t *testing.T) {
					s := &settling{left: []int{1007}, forEver: true, operation: operation}
					err := test.run(t.Context(), newSettlingShop(t, s))
					var own *repository.Error
					if !errors.As(err, &own) || own.Status != http.StatusGone || own.Substatus != 1007 || errors.Is(err, repository.ErrUnclear) || len(s.at) != 10*test.requests {
						t.Errorf("for ever: %d requests, %v", len(s.at), err)
					}
				})
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
					defer cancel()
					s := &settling{left: []int{1007}, forEver: true, operation: operation}
					shop, began := newSettlingShop(t, s), time.Now()
					err := test.run(ctx, shop)
					var own *repository.Error
					if !errors.As(err, &own) || own.Status != http.StatusGone || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, repository.ErrUnclear) {
						t.Errorf("in time: %v", err)
					}
					if took := time.Since(began); took != 100*time.Millisecond {
						t.Errorf("it took %v", took)
					}
				})
			})
		}
	}
}

// TestQuerySettles has a query of one physical partition be answered with 410 again and
// again: it restarts with growing pauses, and the others are read once.
func TestQuerySettles(t *testing.T) {
	for name, run := range map[string]func(context.Context, kit.Shop) error{
		"no order": func(ctx context.Context, s kit.Shop) error { _, err := s.Sales.Scan().Collect(ctx); return err },
		"in order": func(ctx context.Context, s kit.Shop) error {
			_, err := s.Sales.Scan().OrderBy(saleTotals.Asc()).Collect(ctx)
			return err
		},
		"count": func(ctx context.Context, s kit.Shop) error { _, err := s.Sales.Scan().Count(ctx); return err },
	} {
		for _, substatus := range []int{1002, 1007} {
			t.Run(fmt.Sprintf("%s, %d", name, substatus), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &settling{left: []int{substatus}, forEver: true, in: "2"}
					err := run(t.Context(), newSettlingShop(t, s))
					var own *repository.Error
					if !errors.As(err, &own) || own.Status != http.StatusGone || own.Substatus != substatus || own.Range != "2" {
						t.Errorf("for ever: %v", err)
					}
					if len(s.at) != 11 {
						t.Fatalf("%d requests", len(s.at))
					}
					// The first restart is at once: a split that is complete needs no pause.
					for i, least := 2, 10*time.Millisecond; i < len(s.at); i, least = i+1, min(2*least, 500*time.Millisecond) {
						if pause := s.at[i].Sub(s.at[i-1]); pause < least || pause > 2*least {
							t.Errorf("pause %d is %v, want %v at least", i, pause, least)
						}
					}
				})
				synctest.Test(t, func(t *testing.T) {
					s := &settling{left: []int{substatus, substatus, substatus, substatus}, in: "2"}
					if err := run(t.Context(), newSettlingShop(t, s)); err != nil || len(s.at) != 5 {
						t.Errorf("%d requests, %v", len(s.at), err)
					}
				})
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
					defer cancel()
					s := &settling{left: []int{substatus}, forEver: true, in: "2"}
					err := run(ctx, newSettlingShop(t, s))
					var own *repository.Error
					if !errors.As(err, &own) || own.Status != http.StatusGone || !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("in time: %v", err)
					}
				})
			})
		}
	}
}

// TestChangesSettle has the changes of one physical partition be answered with 410 again and
// again: they go on for about as long as queries do, longer than after other failures.
func TestChangesSettle(t *testing.T) {
	changes := func(ctx context.Context, s kit.Shop) (n int, err error) {
		for _, err = range feed.Changes(ctx, s.Sales, feed.FromBeginning(), feed.UntilCaughtUp()) {
			if err == nil {
				n++
			}
		}
		return n, err
	}
	for _, substatus := range []int{1002, 1007} {
		t.Run(strconv.Itoa(substatus), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &settling{left: []int{substatus}, forEver: true, in: "2"}
				shop := newSettlingShop(t, s)
				begin := time.Now()
				_, err := changes(t.Context(), shop)
				var own *repository.Error
				if !errors.As(err, &own) || own.Status != http.StatusGone || own.Substatus != substatus || own.Range != "2" {
					t.Errorf("for ever: %v", err)
				}
				if took := time.Since(begin); took < 2*time.Second || took > 5*time.Second {
					t.Errorf("it gives up after %v", took)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				s := &settling{left: slices.Repeat([]int{substatus}, 24), in: "2"}
				if n, err := changes(t.Context(), newSettlingShop(t, s)); n != 2 || err != nil || len(s.left) > 0 {
					t.Errorf("%d changes, %v, %d answers left", n, err, len(s.left))
				}
			})
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				s := &settling{left: []int{substatus}, forEver: true, in: "2"}
				if _, err := changes(ctx, newSettlingShop(t, s)); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("in time: %v", err)
				}
			})
		})
	}
}

// TestQueryOfSeveralSettles has a physical partition of each of several containers be
// answered with 410 until the context ends: the error says both.
func TestQueryOfSeveralSettles(t *testing.T) {
	for name, in := range map[string]string{"one physical partition": "2", "all": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				s := &settling{left: []int{1002}, forEver: true, in: in}
				_, err := repository.NewIn(s.database(t), fixtures.ReadingModel).Scan().Collect(ctx)
				var own *repository.Error
				if !errors.As(err, &own) || own.Status != http.StatusGone || !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
		})
	}
}
