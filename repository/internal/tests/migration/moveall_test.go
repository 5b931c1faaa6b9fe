package migration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// crashing runs what a program does until it crashes at a request, and reports whether
// it has.
func (h hauls) crashing(t *testing.T, at int, after bool, run func(context.Context, hauls) error) (crashed bool) {
	t.Helper()
	c := &harness.Crash{At: at, After: after, Counts: harness.IsOfDocuments}
	ctx, hasCrashed := c.Context(t.Context())
	err := run(ctx, h.by(t, repository.Configure(harness.Impatient(harness.Intercepted))))
	if crashed = hasCrashed(); (err != nil) != crashed {
		t.Errorf("crash at request %d: %v", at, err)
	}
	return crashed
}

// TestMigrationLeavesNoDraft has a program of PhaseNew crash at each request of a
// creation and of a move, after MoveAll was done. Programs of PhaseDone do not see what
// it leaves, and MoveAll removes it before a program without a migration would.
func TestMigrationLeavesNoDraft(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	plain := func(h hauls) (n int) {
		all, err := repository.New(h.new, fixtures.HaulModel).Scan().Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	drafts := 0
	for _, test := range []struct {
		name string
		run  func(context.Context, hauls) error
	}{
		{"create", func(ctx context.Context, h hauls) error { d := aHaul; return h.in(repository.PhaseNew).Create(ctx, &d) }},
		{"upsert", func(ctx context.Context, h hauls) error { d := aHaul; return h.in(repository.PhaseNew).Upsert(ctx, &d) }},
	} {
		for _, after := range []bool{true, false}[:seeds.Few(2, 1)] {
			for at, crashed := 0, true; crashed; at++ {
				h := newHauls(t, 0)
				name := fmt.Sprint(test.name, " ", at, " ", after)
				if summary, err := admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{}); err != nil || !summary.Done {
					t.Fatalf("%s: %+v, %v", name, summary, err)
				}
				crashed = h.crashing(t, at, after, test.run)
				done := h.in(repository.PhaseDone)
				_, err := done.Get(ctx, movedKey(&aHaul))
				all, failure := h.scan(done).Collect(ctx)
				seen := 0
				if err == nil {
					seen = 1
				}
				if failure != nil || len(all) != seen || err != nil && !errors.Is(err, repository.ErrNotFound) {
					t.Errorf("%s: Get gives %v, a query %d documents, %v", name, err, len(all), failure)
				}
				left := plain(h) - seen
				drafts += left
				summary, err := admin.MoveAll(ctx, done, admin.Run{})
				if err != nil || !summary.Done || summary.Removed != left || summary.Moved != 0 {
					t.Errorf("%s: %d drafts are removed by %+v, %v", name, left, summary, err)
				}
				if n := plain(h); n != seen || !crashed && n != 1 {
					t.Errorf("%s: a program without a migration sees %d documents, others %d", name, n, seen)
				}
			}
		}
	}
	if drafts == 0 {
		t.Error("no crash left a draft")
	}
}

// TestMigrationDoneTooEarly has a document in the old container in PhaseDone, and a copy
// in the new one of which nothing is moved.
func TestMigrationDoneTooEarly(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	h := newHauls(t, 0)
	d := aHaul
	if err := h.in(repository.PhaseBoth).Create(ctx, &d); err != nil {
		t.Fatal(err)
	}
	late := `{"id":"2","truck":"t","route":"r","log":"deleted since","key":"new-r","_move":{"state":"copy","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`
	if _, err := h.new.CreateItem(ctx, azcosmos.NewPartitionKeyString("new-r"), []byte(late), nil); err != nil {
		t.Fatal(err)
	}
	summary, err := admin.MoveAll(ctx, h.in(repository.PhaseDone), admin.Run{})
	if err != nil || summary.Done || summary.Removed != 1 || len(summary.Blocked) != 1 || !strings.Contains(summary.Blocked[0].Error(), "Go back to PhaseNew") {
		t.Errorf("a document is in the old container: %+v, %v", summary, err)
	}
	for _, phase := range []repository.Phase{repository.PhaseNew, repository.PhaseDone} {
		if summary, err := admin.MoveAll(ctx, h.in(phase), admin.Run{}); err != nil || !summary.Done {
			t.Errorf("phase %d: %+v, %v", phase, summary, err)
		}
	}
	if old, fresh := h.stored(t); len(old) != 0 || len(fresh) != 1 || fresh[0] != "1 a" {
		t.Errorf("stored are %q and %q", old, fresh)
	}
}

// fillOld stores n hauls in the old container.
func (h hauls) fillOld(t *testing.T, name string, n int) {
	t.Helper()
	for i := range n {
		d := fixtures.Haul{ID: fmt.Sprint(name, i), Truck: fmt.Sprint("t", i%7), Route: fmt.Sprint("r", i%5)}
		if err := h.in(repository.PhaseOld).Create(t.Context(), &d); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoveAllBudget keeps to a budget, and refuses one that is too small.
func TestMoveAllBudget(t *testing.T) {
	t.Parallel()
	h := newHauls(t, 0)
	h.fillOld(t, "a", 20)
	m := h.in(repository.PhaseNew)
	for want, run := range map[string]admin.Run{
		"at least 100": {Budget: 99},
		"too small":    {Budget: math.NaN()},
		"no dry run":   {DryRun: true},
		"no progress":  {Progress: func(admin.Summary) {}},
	} {
		var own *repository.Error
		if _, err := admin.MoveAll(t.Context(), m, run); !errors.As(err, &own) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	var meter repository.Meter
	start := time.Now()
	summary, err := admin.MoveAll(repository.WithMeter(t.Context(), &meter), m, admin.Run{Budget: 300, Concurrency: 2})
	if err != nil || !summary.Done || summary.Moved != 20 {
		t.Fatalf("%+v, %v", summary, err)
	}
	if math.Abs(summary.RequestUnits-meter.RequestUnits()) > 0.01 || summary.RequestUnits < 300 {
		t.Errorf("the summary has %.2f request units, and %.2f were charged", summary.RequestUnits, meter.RequestUnits())
	}
	// The last requests are sent when those before are paid for.
	if least := time.Duration((summary.RequestUnits - 100) / 300 * float64(time.Second)); time.Since(start) < least {
		t.Errorf("%.0f request units in %s, at 300 a second", summary.RequestUnits, time.Since(start))
	}
}

// TestMoveAllLeases shares the work of two processes, one of which has more to do.
func TestMoveAllLeases(t *testing.T) {
	t.Parallel()
	h := newHauls(t, 0)
	if err := h.server.Split("db", "hauls", "0"); err != nil {
		t.Fatal(err)
	}
	h.fillOld(t, "a", 60)
	leases := kit.NewLeases(t, h.server)
	var work sync.WaitGroup
	var mu sync.Mutex
	moved := 0
	for range 2 {
		work.Go(func() {
			own := h.by(t, repository.Configure(nil))
			var meter repository.Meter
			summary, err := admin.MoveAll(repository.WithMeter(t.Context(), &meter), own.in(repository.PhaseNew), admin.Run{LeaseOptions: []feed.Option{kit.Quick, feed.PageSize(5), feed.PollEvery(20 * time.Millisecond)}, Leases: leases})
			if err != nil || !summary.Done {
				t.Errorf("%+v, %v", summary, err)
			}
			if math.Abs(summary.RequestUnits-meter.RequestUnits()) > 0.01 {
				t.Errorf("the summary has %.2f request units, and %.2f were charged", summary.RequestUnits, meter.RequestUnits())
			}
			mu.Lock()
			defer mu.Unlock()
			moved += summary.Moved
		})
	}
	work.Wait()
	if old, fresh := h.stored(t); len(old) != 0 || len(fresh) != 60 || moved < 60 {
		t.Errorf("%d documents are left, %d have moved, %d by the summaries", len(old), len(fresh), moved)
	}
	if ids := kit.LeaseIDs(t, leases); len(ids) < 3 || !strings.HasPrefix(ids[0], "moveall") {
		t.Errorf("there are the leases %q", ids)
	}
}

// TestMoveAllGoesOn past documents that cannot move: one that does not decode, and one
// that the service refuses. It does so with leases, too, though a hook for metrics leaves
// nothing out.
func TestMoveAllGoesOn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	h := newHauls(t, 0)
	for _, doc := range []string{
		`{"id":"1","truck":"t","route":["r"],"old":"old-t"}`,
		`{"id":"2","truck":"t","route":"r","old":"old-t"}`,
		`{"id":"3","truck":"t","route":"` + strings.Repeat("r", 2100) + `","old":"old-t"}`, // a key of 2 KB at most
	} {
		if _, err := h.old.CreateItem(ctx, azcosmos.NewPartitionKeyString("old-t"), []byte(doc), nil); err != nil {
			t.Fatal(err)
		}
	}
	summary, err := admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{})
	if err != nil || summary.Done || summary.Moved != 1 || len(summary.Blocked) != 2 {
		t.Errorf("%+v, %v", summary, err)
	}
	text := errors.Join(summary.Blocked...).Error()
	if !strings.Contains(text, `"1"`) || !strings.Contains(text, `"3"`) {
		t.Errorf("blocked are %s", text)
	}
	var told atomic.Bool
	hook := feed.OnEvent(func(_ context.Context, e feed.Event) bool {
		if e.Op == "undecodable" {
			told.Store(true)
		}
		return false
	})
	summary, err = admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{LeaseOptions: []feed.Option{kit.Quick, hook}, Leases: kit.NewLeases(t, h.server)})
	if err != nil || summary.Done || len(summary.Blocked) != 2 || !told.Load() {
		t.Errorf("with leases: %+v, %v, told: %v", summary, err, told.Load())
	}
}
