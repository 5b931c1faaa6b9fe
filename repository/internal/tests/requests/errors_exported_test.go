package requests

import (
	"context"
	"iter"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestErrorsAreOfThePackage lets each operation fail, and checks the type of the
// error that callers get.
func TestErrorsAreOfThePackage(t *testing.T) {
	t.Parallel()
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	key := kit.NoteOf(1, 1).Key()
	failing := map[string]func() error{
		"create":   func() error { return r.Create(ctx, kit.NoteOf(1, 1)) },
		"upsert":   func() error { return r.Upsert(ctx, kit.NoteOf(1, 1)) },
		"replace":  func() error { return r.Replace(ctx, kit.NoteOf(1, 1)) },
		"delete":   func() error { return r.Delete(ctx, key) },
		"get":      func() error { _, err := r.Get(ctx, key); return err },
		"get many": func() error { _, err := r.GetMany(ctx, []fixtures.NoteKey{key, kit.NoteOf(2, 1).Key()}); return err },
		"update":   func() error { return r.Update(ctx, key, func(*fixtures.Note) error { return nil }) },
		"collect":  func() error { _, err := r.Scan().Collect(ctx); return err },
		"first":    func() error { _, err := r.Scan().First(context.Background()); return err },
		"count":    func() error { _, err := r.Scan().Count(ctx); return err },
		"page":     func() error { _, err := r.Scan().Page(ctx, "", 10); return err },
		"changes":  func() error { return firstError(feed.Changes(ctx, r.Documents, feed.FromBeginning())) },
		"transaction": func() error {
			tx := repository.NewTransaction()
			if err := r.In(tx).Create(kit.NoteOf(1, 1)); err != nil {
				t.Error(err)
			}
			return tx.Commit(ctx)
		},
		"refused by a transaction": func() error { return r.In(repository.NewTransaction()).Create(nil) }, //nolint:pkgen // it comes to no commit
		"an item of many": func() error {
			for outcome := range r.DeleteAll(documents.Sequence(kit.KeysOf(kit.NotesOf(1, 1)))).All(context.Background()) {
				return outcome.Err
			}
			return nil
		},
	}
	for name, fails := range failing {
		if err := fails(); !isOwn(err) {
			t.Errorf("%s: got %T: %v", name, err, err)
		}
	}
}

// isOwn reports whether an error is the package's itself, and does not only wrap it.
func isOwn(err error) bool {
	_, own := err.(*repository.Error) // the outermost is meant
	return own
}

// firstError returns the first error of an iteration.
func firstError[V any](all iter.Seq2[V, error]) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
