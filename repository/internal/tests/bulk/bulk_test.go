package bulk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestCreateAll(t *testing.T) {
	t.Parallel()
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			server, r := kit.NewPlainNotes(t, emulator.Options{Partitions: 5}, repository.Configure(nil))
			ctx := context.Background()
			var meter repository.Meter
			outcomes := kit.AllItems(t, r.CreateAll(documents.Sequence(kit.NotesOf(300, 7)), way...).All(repository.WithMeter(ctx, &meter)))
			units := 0.0
			for i, o := range outcomes {
				units += o.RequestUnits
				if o.Err != nil || o.Item.ID != kit.NoteOf(i, 7).ID || o.Item.ETag == "" {
					t.Fatalf("create: got %+v", o)
				}
			}
			if len(outcomes) != 300 || units < 300 || units > meter.RequestUnits()+0.1 || units < meter.RequestUnits()-0.1 {
				t.Errorf("%d outcomes of %.1f request units, and the meter has %.1f", len(outcomes), units, meter.RequestUnits())
			}

			// Every other one is new, and the others were there before.
			server.Advance(time.Minute)
			summary, err := r.CreateAll(documents.Sequence(func(yield func(*fixtures.Note) bool) {
				for i := range 150 {
					if !yield(kit.NoteOf(2*i+150, 7)) {
						return
					}
				}
			}), way...).Collect(ctx)

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
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{Partitions: 5}, repository.Configure(nil))
			ctx := context.Background()
			for _, n := range []int{100, 400} {
				if summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(n, 7)), way...).Collect(ctx); err != nil || summary.Items != n {
					t.Fatal(summary, err)
				}
			}
			stored := r.Stored(t)
			if len(stored) != 400 {
				t.Errorf("%d are stored", len(stored))
			}
			for o := range r.UpsertAll(documents.Sequence(kit.NotesOf(20, 7)), way...).All(ctx) {
				got, err := r.Get(ctx, o.Item.Key())
				if o.Err != nil || err != nil || *got != *o.Item {
					t.Errorf("got %+v, %v, and %v", got, err, o)
				}
			}

			keys := func(yield func(fixtures.NoteKey) bool) {
				for i := range 500 { // a hundred of which are not there
					if !yield(kit.NoteOf(i, 7).Key()) {
						return
					}
				}
			}
			missing := 0
			for _, o := range kit.AllItems(t, r.DeleteAll(documents.Sequence(keys), way...).All(ctx)) {
				if _, there := stored[o.Item.ID]; there != (o.Err == nil) || !there && !errors.Is(o.Err, repository.ErrNotFound) {
					t.Errorf("delete: %+v", o)
				} else if !there {
					missing++
				}
			}
			if left := r.Stored(t); len(left) != 0 || missing != 500-len(stored) {
				t.Errorf("%d are left, %d were missing", len(left), missing)
			}
		})
	}
}

// TestBulkOfBadItems has items that cannot be sent among others.
func TestBulkOfBadItems(t *testing.T) {
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			docs := []*fixtures.Note{kit.NoteOf(0, 1), nil, {ID: "x", Title: "t"}, kit.NoteOf(1, 1)}
			outcomes := kit.AllItems(t, r.UpsertAll(documents.Items(docs...), way...).All(context.Background()))
			var keyError *partition.KeyError
			if len(outcomes) != 4 || outcomes[0].Err != nil || outcomes[3].Err != nil ||
				outcomes[1].Err == nil || !strings.Contains(outcomes[1].Err.Error(), "the document is nil") ||
				!errors.As(outcomes[2].Err, &keyError) || keyError.Field != "Topic" {
				t.Errorf("got %v", outcomes)
			}
			if n := len(r.Stored(t)); n != 2 {
				t.Errorf("%d are stored", n)
			}
		})
	}
}

// TestBulkOfOneReusedDocument has a source that yields one struct again and
// again: bulk operations marshal it when they read it.
func TestBulkOfOneReusedDocument(t *testing.T) {
	t.Parallel()
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	var n fixtures.Note
	outcomes := kit.AllItems(t, r.UpsertAll(documents.Sequence(func(yield func(*fixtures.Note) bool) {
		for i := range 100 {
			n = *kit.NoteOf(i, 3)
			if !yield(&n) {
				return
			}
		}
	})).All(context.Background()),
	)
	stored := r.Stored(t)
	if len(outcomes) != 100 || len(stored) != 100 || stored["n00042"].Text != "text 42" {
		t.Errorf("%d outcomes, %d are stored, one is %+v", len(outcomes), len(stored), stored["n00042"])
	}
}

// TestBulkKeepsTheOrderOfADocument upserts few documents many times.
func TestBulkKeepsTheOrderOfADocument(t *testing.T) {
	t.Parallel()
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			versions := func(yield func(*fixtures.Note) bool) {
				for i := range 700 {
					n := kit.NoteOf(i%7, 2)
					n.Text = fmt.Sprint(i)
					if !yield(n) {
						return
					}
				}
			}
			if summary, err := r.UpsertAll(documents.Sequence(versions), way...).Collect(context.Background()); err != nil {
				t.Fatal(summary, err)
			}
			for id, n := range r.Stored(t) {
				if want := fmt.Sprint("n0000", (atoi(n.Text))%7); id != want || atoi(n.Text) < 693 {
					t.Errorf("%s has version %s", id, n.Text)
				}
			}
			// Of those created twice, the first is stored.
			twice := slices.Values([]*fixtures.Note{{ID: "a", Topic: "x", Title: "t", Text: "1"}, {ID: "a", Topic: "x", Title: "t", Text: "2"}})
			outcomes := kit.AllItems(t, r.CreateAll(documents.Sequence(twice), way...).All(context.Background()))
			if outcomes[0].Err != nil || !errors.Is(outcomes[1].Err, repository.ErrAlreadyExists) || r.Stored(t)["a"].Text != "1" {
				t.Errorf("got %v", outcomes)
			}
		})
	}
}

func atoi(text string) (n int) {
	fmt.Sscan(text, &n)
	return n
}
