package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// TestBulkReadsAsItGoes has an endless source. It is read only a little ahead of
// the requests, and not after the loop.
func TestBulkReadsAsItGoes(t *testing.T) {
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil), repository.WithConcurrency(4))
			read, ended, most := 0, 0, 0
			endless := func(yield func(*fixtures.Note) bool) {
				defer func() { ended++ }()
				for yield(kit.NoteOf(read, 300)) {
					read++
				}
			}
			got := 0
			for o := range r.CreateAll(documents.Sequence(endless), way...).All(context.Background()) {
				if o.Err != nil {
					t.Fatal(o.Err)
				}
				got++
				if most = max(most, read-got); got == 500 {
					break
				}
			}
			if ended != 1 {
				t.Errorf("the source has ended %d times", ended)
			}
			if limit := map[string]int{"singly": 8, "in batches": 4096 + 4*100}[name]; most > limit {
				t.Errorf("%d were read and had no outcome, want %d at most", most, limit)
			}
			harness.Settled(t)
		})
	}
}

// TestBulkUnderABrokenSource has a source, and a loop, that panic.
func TestBulkUnderABrokenSource(t *testing.T) {
	_, r := kit.NewPlainNotes(t, emulator.Options{Latency: time.Millisecond}, repository.Configure(nil))
	broken := func(yield func(*fixtures.Note) bool) {
		for n := range kit.NotesOf(50, 5) {
			yield(n)
		}
		panic("broken source")
	}
	for _, want := range []string{"broken source", "broken loop"} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got %v, want %s", got, want)
				}
			}()
			for range r.UpsertAll(documents.Sequence(broken)).All(context.Background()) {
				if want == "broken loop" {
					panic(want)
				}
			}
		}()
		harness.Settled(t)
	}
}

// TestBulkUnderAContextThatEnds compares what the outcomes say with what the
// server holds.
func TestBulkUnderAContextThatEnds(t *testing.T) {
	for name, way := range kit.BulkWays {
		for seed := range seeds.Of(6) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 5))
				server, r := kit.NewPlainNotes(t, emulator.Options{Latency: 2 * time.Millisecond}, repository.Configure(nil))
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				last := random.IntN(300)
				read := 0
				source := func(yield func(*fixtures.Note) bool) {
					for n := range kit.NotesOf(1000, 5) {
						read++
						if !yield(n) {
							return
						}
					}
				}
				var outcomes []documents.Outcome[*fixtures.Note]
				for o := range r.CreateAll(documents.Sequence(source), way...).All(ctx) {
					if outcomes = append(outcomes, o); len(outcomes) == last+1 {
						cancel()
					}
				}
				harness.Settled(t)
				if len(outcomes) != read {
					t.Errorf("%d outcomes of %d that were read", len(outcomes), read)
				}
				outcomes = kit.AllItems(t, slices.Values(outcomes))
				stored := r.Stored(t)
				notSent := 0
				for _, o := range outcomes {
					_, there := stored[o.Item.ID]
					switch {
					case o.Err == nil:
						if !there {
							t.Errorf("%d is not stored", o.Index)
						}
					case !errors.Is(o.Err, context.Canceled):
						t.Errorf("%d: %v", o.Index, o.Err)
					case errors.Is(o.Err, repository.ErrUnclear):
					case there:
						t.Errorf("%d is stored, and its outcome is %v", o.Index, o.Err)
					case strings.Contains(o.Err.Error(), "before it was sent"):
						notSent++
					}
				}
				if notSent == 0 {
					t.Error("no outcome says that something was not sent")
				}
				if n := len(server.Requests()); name == "singly" && n > 1000 {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}

// TestBulkUnderAnEndedContext reads one item, whose outcome says why there are no
// others.
func TestBulkUnderAnEndedContext(t *testing.T) {
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	server.ResetRequests()
	for name, way := range kit.BulkWays {
		summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(10, 2)), way...).Collect(ctx)
		if summary.Items != 1 || !errors.Is(err, context.Canceled) || summary.Unclear != 0 {
			t.Errorf("%s: %+v, %v", name, summary, err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
