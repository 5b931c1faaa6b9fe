package querytest

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const letterETag = documents.String[forms.Letter, string]("/_etag")

// TestPatchOfTheETagThatWasRead reads a document of an earlier form and patches the version
// that was read: the run time renews the document first, which changes its ETag.
func TestPatchOfTheETagThatWasRead(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, ambiguous := range map[string]bool{"one key each": false, "keys that can collide": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, container, _ := newLetters(t, emulator.Options{})
			model := *forms.LetterModel
			model.Ambiguous = ambiguous
			r := repository.New(container, &model)
			key := forms.LetterKey{ID: "1", Key: "k"}
			old := func() *forms.Letter {
				put(t, container, `{"id":"1","key":"k","name":"Ada L","euros":3}`)
				read, err := r.Get(ctx, key)
				if err != nil {
					t.Fatal(err)
				}
				return read
			}
			transaction := func(condition repository.Predicate[forms.Letter]) error {
				tx := repository.NewTransaction()
				return errors.Join(r.In(tx).PatchIf(key, condition, forms.LetterPatch.Note.Set("patched")), tx.Commit(ctx))
			}
			alone := func(condition repository.Predicate[forms.Letter]) error {
				return r.PatchIf(ctx, key, condition, forms.LetterPatch.Note.Set("patched"))
			}
			for name, patch := range map[string]func(repository.Predicate[forms.Letter]) error{"alone": alone, "in a transaction": transaction} {
				if err := patch(letterETag.Eq(old().ETag)); err != nil {
					t.Errorf("%s: the ETag that was read: %v", name, err)
				}
				if now, err := r.Get(ctx, key); err != nil || now.Note != "patched" || now.Cents != 300 {
					t.Errorf("%s: %+v, %v", name, now, err)
				}
				if err := patch(repository.And(letterETag.Eq(old().ETag), centsOf.Eq(300))); err != nil {
					t.Errorf("%s: the ETag that was read, and a price: %v", name, err)
				}
				if err := patch(repository.Not(letterETag.Eq(old().ETag))); !errors.Is(err, repository.ErrPreconditionFailed) {
					t.Errorf("%s: any other ETag: %v", name, err)
				}
				before := old().ETag
				put(t, container, `{"id":"1","key":"k","name":"Eve L","euros":4}`)
				if err := patch(letterETag.Eq(before)); !errors.Is(err, repository.ErrPreconditionFailed) {
					t.Errorf("%s: an ETag of before: %v", name, err)
				}
			}
		})
	}
}

var centsOf = forms.LetterFields.Cents
