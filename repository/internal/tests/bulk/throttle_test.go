package bulk

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// throttledRequests counts the answers of status 429 in the server's journal.
func throttledRequests(server *harness.Account) int {
	n := 0
	for _, r := range server.Requests() {
		if r.Status == http.StatusTooManyRequests {
			n++
		}
	}
	return n
}

// TestBulkOnLittleThroughput stores more than the container's throughput allows
// in a second.
func TestBulkOnLittleThroughput(t *testing.T) {
	t.Parallel()
	for name, way := range kit.BulkWays {
		harness.Bubble(t, name, func(t *testing.T) {
			server, r := kit.NewPlainNotes(t, emulator.Options{Throughput: 1000}, repository.Configure(nil))
			summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(350, 10)), way...).Collect(context.Background())
			if err != nil || summary.Items != 350 || summary.RequestUnits < 1750 {
				t.Errorf("%+v, %v", summary, err)
			}
			if n := throttledRequests(server); n > 350 {
				t.Errorf("%d requests were throttled", n)
			}
			server.Advance(time.Minute)
			if n := len(r.Stored(t)); n != 350 {
				t.Errorf("%d are stored", n)
			}
		})
	}
}

// TestThrottledItemsAreSentAgain has a client that does not retry by itself.
func TestThrottledItemsAreSentAgain(t *testing.T) {
	t.Parallel()
	throttle := func(operation string, count int) emulator.Fault {
		return emulator.Fault{Operation: operation, Status: http.StatusTooManyRequests, Substatus: 3200, Count: count}
	}
	for name, operation := range map[string]string{"singly": emulator.OpCreateItem, "in batches": emulator.OpExecuteBatch} {
		harness.Bubble(t, name, func(t *testing.T) {
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
			server.Inject(throttle(operation, 3))
			if summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(10, 1)), kit.BulkWays[name]...).Collect(t.Context()); err != nil || len(r.Stored(t)) != 10 {
				t.Errorf("%+v, %v", summary, err)
			}
			server.Inject(throttle("", -1))
			server.ResetRequests()
			option := append(slices.Clone(kit.BulkWays[name]), documents.WithBulkConcurrency(2))
			summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(2, 1)), option...).Collect(t.Context())
			if summary.Failed != 2 || summary.Unclear != 0 || !errors.Is(err, repository.ErrThrottled) {
				t.Errorf("%+v, %v", summary, err)
			}
			if n, want := throttledRequests(server), map[string]int{"singly": 22, "in batches": 11}[name]; n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
		})
	}
	t.Run("after a lost answer", func(t *testing.T) {
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
		server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true, After: true})
		server.Inject(throttle(emulator.OpCreateItem, 2))
		if summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(1, 1))).Collect(t.Context()); err != nil || len(r.Stored(t)) != 1 {
			t.Errorf("%+v, %v", summary, err)
		}
		server.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Drop: true, After: true})
		server.Inject(throttle(emulator.OpDeleteItem, 2))
		keys := slices.Values([]fixtures.NoteKey{kit.NoteOf(0, 1).Key()})
		if summary, err := r.DeleteAll(documents.Sequence(keys)).Collect(t.Context()); err != nil || len(r.Stored(t)) != 0 {
			t.Errorf("%+v, %v", summary, err)
		}
	})
}

// TestThrottledUntilTheContextEnds is not parallel: the first answers have to come
// before the deadline.
func TestThrottledUntilTheContextEnds(t *testing.T) {
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
			server.Inject(emulator.Fault{Method: http.MethodPost, Status: http.StatusTooManyRequests, RetryAfter: time.Hour, Count: -1})
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(3, 1)), way...).Collect(ctx)
			if summary.Failed != 3 || summary.Unclear != 0 || !errors.Is(err, repository.ErrThrottled) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%+v, %v", summary, err)
			}
		})
	}
}

// TestBulkBudget looks at what the server has charged in every second.
func TestBulkBudget(t *testing.T) {
	seeds.Long(t)
	const perSecond = 1500
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			server.ResetRequests()
			options := append(slices.Clone(way), documents.WithRequestUnitBudget(perSecond))
			summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(600, 10)), options...).Collect(context.Background())
			if err != nil || summary.RequestUnits < 3000 {
				t.Fatal(summary, err)
			}
			requests := server.Requests()
			slices.SortFunc(requests, func(a, b emulator.Request) int { return a.Start.Compare(b.Start) })
			largest, sum, from := 0.0, 0.0, 0
			for _, q := range requests {
				sum += q.Charge
				largest = max(largest, q.Charge)
				for q.Start.Sub(requests[from].Start) > time.Second {
					sum -= requests[from].Charge
					from++
				}
				if limit := 1.2*perSecond + largest; sum > limit {
					t.Fatalf("%.0f request units in a second, want %.0f at most", sum, limit)
				}
			}
		})
	}
	t.Run("pages wait", func(t *testing.T) {
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil), repository.WithPageSize(10))
		if _, err := r.UpsertAll(documents.Sequence(kit.NotesOf(100, 10))).Collect(context.Background()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		server.ResetRequests()
		summary, err := r.DeleteFound(r.Scan(), documents.WithRequestUnitBudget(1)).Collect(ctx)
		pages := slices.DeleteFunc(server.Requests(), func(q emulator.Request) bool { return q.Query == "" })
		if !errors.Is(err, context.DeadlineExceeded) || summary.Items > 20 || len(pages) > 2 {
			t.Errorf("%+v, %d pages, %v", summary, len(pages), err)
		}
		harness.Settled(t)
	})
	t.Run("until the context ends", func(t *testing.T) {
		_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(100, 10)), documents.WithRequestUnitBudget(1)).Collect(ctx)
		if stored := len(r.Stored(t)); summary.Items-summary.Failed != stored || stored > 2 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %d are stored, %v", summary, stored, err)
		}
		harness.Settled(t)
	})
}
