package bulk

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// failing is a sequence that ends with an error.
func failing[I any](all iter.Seq[I], err error) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		for item := range all {
			if !yield(item, nil) {
				return
			}
		}
		var none I
		yield(none, err)
	}
}

// TestAllFrom has sources that fail: what they gave before is stored or deleted,
// and the error says why there is no more.
func TestAllFrom(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken source")
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			ctx := context.Background()
			check := func(op string, stored int, summary documents.Summary, err error) {
				t.Helper()
				var bulkError *documents.BulkError
				if !errors.As(err, &bulkError) || !errors.Is(bulkError.Err, broken) || bulkError.Op != op || bulkError.Summary != summary ||
					!strings.Contains(err.Error(), op+" Note: the items ended early, after 30: broken source") {
					t.Errorf("%s: got %v", op, err)
				}
				if n := len(r.Stored(t)); n != stored || summary.Items != 30 || summary.Failed != 0 {
					t.Errorf("%s: %+v, and %d are stored", op, summary, n)
				}
			}
			summary, err := r.CreateAll(failing(kit.NotesOf(30, 3), broken), way...).Collect(ctx)
			check("create", 30, summary, err)
			summary, err = r.UpsertAll(failing(kit.NotesOf(30, 3), broken), way...).Collect(ctx)
			check("upsert", 30, summary, err)
			summary, err = r.DeleteAll(failing(kit.KeysOf(kit.NotesOf(30, 3)), broken), way...).Collect(ctx)
			check("delete", 0, summary, err)
		})
	}
}

// TestAllFromAQuery copies a container.
func TestAllFromAQuery(t *testing.T) {
	t.Parallel()
	_, from := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	_, to := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx := context.Background()
	if _, err := from.CreateAll(documents.Sequence(kit.NotesOf(200, 7))).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	summary, err := to.UpsertAll(from.Scan().All(ctx), documents.InBatches()).Collect(ctx)
	if n := len(to.Stored(t)); err != nil || summary.Items != 200 || n != 200 {
		t.Errorf("%+v, %v, and %d are stored", summary, err, n)
	}
	summary, err = to.UpsertAll(from.Scan().WhereRaw("c.x >").All(ctx)).Collect(ctx)
	var own *repository.Error
	if summary.Items != 0 || !errors.As(err, &own) || !strings.Contains(err.Error(), "status 400") {
		t.Errorf("of a wrong query: %+v, %v", summary, err)
	}
}

// TestBulkErrorMatchesEveryFailure has one kind of failure after many of another:
// the error keeps ten, and matches both.
func TestBulkErrorMatchesEveryFailure(t *testing.T) {
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{MaxDocument: 10_000}, repository.Configure(nil))
	ctx := context.Background()
	if _, err := r.CreateAll(documents.Sequence(kit.NotesOf(500, 3))).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	server.Advance(time.Minute)
	docs := slices.Collect(kit.NotesOf(500, 3))
	docs = append(docs, kit.NoteOf(500, 3), kit.NoteOf(501, 3))
	docs[500].Text = strings.Repeat("x", 20_000)
	summary, err := r.CreateAll(documents.Items(docs...), documents.WithBulkConcurrency(1)).Collect(ctx)
	if summary.Items != 502 || summary.Failed != 501 || summary.AlreadyExists != 500 || summary.TooLarge != 1 || summary.NotFound != 0 {
		t.Errorf("got %+v", summary)
	}
	var bulkError *documents.BulkError
	if !errors.As(err, &bulkError) || len(bulkError.Failures) != 10 || bulkError.Err != nil || bulkError.Failures[9].Index != 9 {
		t.Fatalf("got %v", err)
	}
	if !errors.Is(err, repository.ErrAlreadyExists) || !errors.Is(err, repository.ErrTooLarge) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("the error matches others than the failures: %v", err)
	}
	if _, err := r.Get(ctx, docs[501].Key()); err != nil {
		t.Errorf("the last one is not stored: %v", err)
	}
}

// TestAllUnderAContextThatTheSourceSees has a source that ends without an error
// when the context ends: that is no success.
func TestAllUnderAContextThatTheSourceSees(t *testing.T) {
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx, cancel := context.WithCancel(context.Background())
	summary, err := r.UpsertAll(documents.Sequence(func(yield func(*fixtures.Note) bool) {
		yield(kit.NoteOf(0, 1))
		cancel()
	})).Collect(ctx)

	if !errors.Is(err, context.Canceled) || summary.Items != 1 {
		t.Errorf("%+v, %v", summary, err)
	}
}

// TestBulkOfNothing tells a sequence that is nil from one that is empty.
func TestBulkOfNothing(t *testing.T) {
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx := context.Background()
	if summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(0, 1))).Collect(ctx); err != nil || summary != (documents.Summary{}) {
		t.Errorf("got %+v, %v", summary, err)
	}
	_, create := r.CreateAll(nil).Collect(ctx)
	_, upsert := r.UpsertAll(nil).Collect(ctx)
	_, remove := r.DeleteAll(nil).Collect(ctx)
	each := kit.AllItems(t, r.DeleteAll(nil).All(ctx))
	if len(each) != 1 {
		t.Fatalf("got %v", each)
	}
	for op, err := range map[string]error{"create": create, "upsert": upsert, "delete": remove, "each": each[0].Err} {
		if err == nil || !strings.Contains(err.Error(), "the sequence is nil") {
			t.Errorf("%s: got %v", op, err)
		}
	}
}
