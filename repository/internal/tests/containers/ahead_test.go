package containers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// inFlight is a policy that notes how many queries are under way at most.
type inFlight struct{ now, most atomic.Int64 }

func (f *inFlight) Do(r *policy.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.Raw().URL.Path, "/docs") {
		return r.Next()
	}
	n := f.now.Add(1)
	defer f.now.Add(-1)
	most := f.most.Load()
	for n > most && !f.most.CompareAndSwap(most, n) {
		most = f.most.Load()
	}
	return r.Next()
}

// sixMonths are six windows with four readings each.
func sixMonths(t *testing.T, opts ...repository.Option) (kit.Readings, *inFlight) {
	t.Helper()
	f := new(inFlight)
	server := harness.New(t, emulator.Options{Partitions: 2}, repository.Configure(harness.PerCall(f)))
	r := kit.Readings{Documents: repository.NewIn(server.DB, fixtures.ReadingModel, opts...), Server: server, DB: server.DB}
	for month := 1; month <= 6; month++ {
		r.Make(t, kit.Window(month))
		for i := range 4 {
			if err := r.Create(t.Context(), kit.ReadingAt(fmt.Sprintf("%d-%d", month, i), month, 10+i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := r.Scan().Count(t.Context()); err != nil { // reads the physical partitions
		t.Fatal(err)
	}
	server.ResetRequests()
	f.most.Store(0)
	return r, f
}

// TestWindowsReadAhead checks that the first pages of later windows are requested while
// the consumer has the first document of the first one, of which pages are left: as many
// as the concurrency allows, and none for an order or a limit.
func TestWindowsReadAhead(t *testing.T) {
	t.Parallel()
	r, f := sixMonths(t, repository.WithPageSize(1), repository.WithConcurrency(6))
	var months []time.Month
	for x, err := range r.Scan().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if months = append(months, x.At.Time().Month()); len(months) == 1 {
			for deadline := time.Now().Add(time.Minute); len(r.Queried()) < 3; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("only %v were asked", r.Queried())
				}
			}
			if slices.Contains(r.Queried(), kit.Window(4)) {
				t.Errorf("six workers asked seven physical partitions: %v", r.Queried())
			}
		}
	}
	if len(months) != 24 || !slices.IsSorted(months) {
		t.Errorf("months %v", months)
	}
	if most := f.most.Load(); most > 6 {
		t.Errorf("%d requests were under way at once", most)
	}
	one, f := sixMonths(t, repository.WithPageSize(1), repository.WithConcurrency(1))
	if docs, err := one.Scan().Collect(t.Context()); err != nil || len(docs) != 24 {
		t.Errorf("%d readings, %v", len(docs), err)
	}
	if got := one.Queried(); len(got) != 6 || !slices.IsSorted(got) || f.most.Load() != 1 {
		t.Errorf("a single worker asked %v, %d at once", got, f.most.Load())
	}
	for name, q := range map[string]repository.Query[fixtures.Reading]{"a limit": r.Scan().Limit(24), "the order of time": r.Scan().OrderBy(kit.ReadingAtF.Asc())} {
		r.Server.ResetRequests()
		for _, err := range q.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if got := r.Queried(); len(got) != 1 {
			t.Errorf("%s: asked %v", name, got)
		}
	}
}

// TestReadAheadEnds has errors and ends in the middle of windows that are read ahead: an
// error of a later window comes after the documents before it.
func TestReadAheadEnds(t *testing.T) {
	r, _ := sixMonths(t, repository.WithPageSize(1))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range r.Scan().All(ctx) {
		if last = err; err == nil {
			n++
		}
		if n == 5 {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) || n < 5 || n > 24 {
		t.Errorf("a context that ends: %d readings, %v", n, last)
	}
	broken := t.Context()
	container, err := r.DB.NewContainer(kit.Window(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.CreateItem(broken, azcosmos.NewPartitionKeyString("d0-2024-03-10"), []byte(`{"id":"bad","device":"d0","pk":"d0-2024-03-10","at":"2024-03-10T00:00:00.0000000Z","value":"text"}`), nil); err != nil {
		t.Fatal(err)
	}
	n = 0
	var months []time.Month
	for x, err := range r.Scan().All(broken) {
		if last = err; err == nil {
			n++
			months = append(months, x.At.Time().Month())
		}
	}
	if last == nil || !strings.Contains(last.Error(), "bad") || n < 8 || n > 12 || months[n-1] > 3 {
		t.Errorf("a document that cannot be read: months %v, %v", months, last)
	}
	for _, err := range r.Scan().All(broken) {
		if err != nil {
			t.Error(err)
		}
		break // ends what was begun: goleak looks
	}
}
