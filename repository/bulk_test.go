package repository_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// newPlainNotes is an empty container of notes whose keys do not collide.
func newPlainNotes(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions, opts ...repository.Option) (*harness.Account, notes) {
	t.Helper()
	server, container := harness.NewContainer(t, o, fixtures.NoteContainer(), client)
	return server, notes{&fixtures.NoteRepository{Documents: repository.New(container, unverifiedNotes, opts...)}}
}

// noteOf is note n of a number of topics, which take turns.
func noteOf(n, topics int) *fixtures.Note {
	return &fixtures.Note{ID: fmt.Sprintf("n%05d", n), Topic: fmt.Sprint("topic", n%topics), Title: "t", Text: fmt.Sprint("text ", n)}
}

// notesOf is n notes of a number of topics, made when they are asked for.
func notesOf(n, topics int) iter.Seq[*fixtures.Note] {
	return func(yield func(*fixtures.Note) bool) {
		for i := range n {
			if !yield(noteOf(i, topics)) {
				return
			}
		}
	}
}

// stored are all the notes in the container, by id.
func (r notes) stored(t testing.TB) map[string]*fixtures.Note {
	t.Helper()
	all, err := r.Scan().Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*fixtures.Note{}
	for _, n := range all {
		byID[n.ID] = n
	}
	return byID
}

// complete runs a bulk operation and returns the outcome of each item by its
// index.
func complete[I any](t testing.TB, outcomes iter.Seq[repository.Outcome[I]]) []repository.Outcome[I] {
	t.Helper()
	all := slices.Collect(outcomes)
	slices.SortFunc(all, func(a, b repository.Outcome[I]) int { return a.Index - b.Index })
	for i, o := range all {
		if o.Index != i {
			t.Fatalf("outcome %d has the index %d", i, o.Index)
		}
	}
	return all
}

// ways are the two ways to send.
var ways = map[string][]repository.BulkOption{
	"singly":     nil,
	"in batches": {repository.InBatches()},
}

func TestCreateAll(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			server, r := newPlainNotes(t, emulator.Options{Partitions: 5}, repository.Configure(nil))
			ctx := context.Background()
			var meter repository.Meter
			outcomes := complete(t, r.CreateEach(repository.WithMeter(ctx, &meter), notesOf(300, 7), way...))
			units := 0.0
			for i, o := range outcomes {
				units += o.RequestUnits
				if o.Err != nil || o.Item.ID != noteOf(i, 7).ID || o.Item.ETag == "" {
					t.Fatalf("create: got %+v", o)
				}
			}
			if len(outcomes) != 300 || units < 300 || units > meter.RequestUnits()+0.1 || units < meter.RequestUnits()-0.1 {
				t.Errorf("%d outcomes of %.1f request units, and the meter has %.1f", len(outcomes), units, meter.RequestUnits())
			}

			// Every other one is new, and the others were there before.
			server.Advance(time.Minute)
			summary, err := r.CreateAll(ctx, func(yield func(*fixtures.Note) bool) {
				for i := range 150 {
					if !yield(noteOf(2*i+150, 7)) {
						return
					}
				}
			}, way...)
			if summary.Items != 150 || summary.Failed != 75 || summary.Unclear != 0 || !errors.Is(err, repository.ErrAlreadyExists) {
				t.Errorf("create: %+v, %v", summary, err)
			}
			if err != nil && (strings.Count(err.Error(), "item ") != 10 || !strings.Contains(err.Error(), "75 of 150 items failed, of which the first 10:")) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestUpsertAllAndDeleteAll(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			_, r := newPlainNotes(t, emulator.Options{Partitions: 5}, repository.Configure(nil))
			ctx := context.Background()
			for _, n := range []int{100, 400} {
				if summary, err := r.UpsertAll(ctx, notesOf(n, 7), way...); err != nil || summary.Items != n {
					t.Fatal(summary, err)
				}
			}
			stored := r.stored(t)
			if len(stored) != 400 {
				t.Errorf("%d are stored", len(stored))
			}
			for o := range r.UpsertEach(ctx, notesOf(20, 7), way...) {
				got, err := r.Get(ctx, o.Item.Key())
				if o.Err != nil || err != nil || *got != *o.Item {
					t.Errorf("got %+v, %v, and %v", got, err, o)
				}
			}

			keys := func(yield func(fixtures.NoteKey) bool) {
				for i := range 500 { // a hundred of which are not there
					if !yield(noteOf(i, 7).Key()) {
						return
					}
				}
			}
			missing := 0
			for _, o := range complete(t, r.DeleteEach(ctx, keys, way...)) {
				if _, there := stored[o.Item.ID]; there != (o.Err == nil) || !there && !errors.Is(o.Err, repository.ErrNotFound) {
					t.Errorf("delete: %+v", o)
				} else if !there {
					missing++
				}
			}
			if left := r.stored(t); len(left) != 0 || missing != 500-len(stored) {
				t.Errorf("%d are left, %d were missing", len(left), missing)
			}
		})
	}
}

// TestBulkOfBadItems has items that cannot be sent among others.
func TestBulkOfBadItems(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			_, r := newPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			docs := []*fixtures.Note{noteOf(0, 1), nil, {ID: "x", Title: "t"}, noteOf(1, 1)}
			outcomes := complete(t, r.UpsertEach(context.Background(), slices.Values(docs), way...))
			var keyError *partition.KeyError
			if len(outcomes) != 4 || outcomes[0].Err != nil || outcomes[3].Err != nil ||
				outcomes[1].Err == nil || !strings.Contains(outcomes[1].Err.Error(), "the document is nil") ||
				!errors.As(outcomes[2].Err, &keyError) || keyError.Field != "Topic" {
				t.Errorf("got %v", outcomes)
			}
			if n := len(r.stored(t)); n != 2 {
				t.Errorf("%d are stored", n)
			}
		})
	}
}

// TestBulkOfOneReusedDocument has a source that yields one struct again and
// again: bulk operations marshal it when they read it.
func TestBulkOfOneReusedDocument(t *testing.T) {
	t.Parallel()
	_, r := newPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	var n fixtures.Note
	outcomes := complete(t, r.UpsertEach(context.Background(), func(yield func(*fixtures.Note) bool) {
		for i := range 100 {
			n = *noteOf(i, 3)
			if !yield(&n) {
				return
			}
		}
	}))
	stored := r.stored(t)
	if len(outcomes) != 100 || len(stored) != 100 || stored["n00042"].Text != "text 42" {
		t.Errorf("%d outcomes, %d are stored, one is %+v", len(outcomes), len(stored), stored["n00042"])
	}
}

// TestBulkKeepsTheOrderOfADocument upserts few documents many times.
func TestBulkKeepsTheOrderOfADocument(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			_, r := newPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			versions := func(yield func(*fixtures.Note) bool) {
				for i := range 700 {
					n := noteOf(i%7, 2)
					n.Text = fmt.Sprint(i)
					if !yield(n) {
						return
					}
				}
			}
			if summary, err := r.UpsertAll(context.Background(), versions, way...); err != nil {
				t.Fatal(summary, err)
			}
			for id, n := range r.stored(t) {
				if want := fmt.Sprint("n0000", (atoi(n.Text))%7); id != want || atoi(n.Text) < 693 {
					t.Errorf("%s has version %s", id, n.Text)
				}
			}
			// Of those created twice, the first is stored.
			twice := slices.Values([]*fixtures.Note{{ID: "a", Topic: "x", Title: "t", Text: "1"}, {ID: "a", Topic: "x", Title: "t", Text: "2"}})
			outcomes := complete(t, r.CreateEach(context.Background(), twice, way...))
			if outcomes[0].Err != nil || !errors.Is(outcomes[1].Err, repository.ErrAlreadyExists) || r.stored(t)["a"].Text != "1" {
				t.Errorf("got %v", outcomes)
			}
		})
	}
}

func atoi(text string) (n int) {
	fmt.Sscan(text, &n)
	return n
}
