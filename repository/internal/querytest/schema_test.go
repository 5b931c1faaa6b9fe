package querytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func newLetters(t testing.TB, options emulator.Options) (*harness.Account, *azcosmos.ContainerClient, *repository.Documents[forms.Letter, forms.LetterKey]) {
	t.Helper()
	server, container := harness.NewContainer(t, options, harness.Properties("letters", "/key"), repository.Configure(nil))
	return server, container, repository.New(container, forms.LetterModel)
}

// put stores a document as some release has written it.
func put(t testing.TB, container *azcosmos.ContainerClient, raw string) {
	t.Helper()
	var at struct{ Key string }
	if err := json.Unmarshal([]byte(raw), &at); err != nil {
		t.Fatal(err)
	}
	if _, err := container.UpsertItem(context.Background(), azcosmos.NewPartitionKeyString(at.Key), []byte(raw), nil); err != nil {
		t.Fatal(err)
	}
}

// rawAt returns a document as it is stored, without the properties of the service.
func rawAt(t testing.TB, container *azcosmos.ContainerClient, id, key string) string {
	t.Helper()
	response, err := container.ReadItem(context.Background(), azcosmos.NewPartitionKeyString(key), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(response.Value, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"_rid", "_self", "_etag", "_attachments", "_ts"} {
		delete(all, name)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// letterReads are the ways to read the letter "1" of the key "k".
var letterReads = map[string]func(context.Context, *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error){
	"Get": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		return d.Get(ctx, forms.LetterKey{ID: "1", Key: "k"})
	},
	"GetMany": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		all, err := d.GetMany(ctx, []forms.LetterKey{{ID: "1", Key: "k"}})
		if err != nil {
			return nil, err
		}
		return all[0], nil
	},
	"All": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		return only(d.Scan().All(ctx))
	},
	"First": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		return d.Scan().First(ctx)
	},
	"Page": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		page, err := d.Scan().OrderBy(forms.LetterFields.Note.Asc()).Page(ctx, "", 10)
		if err != nil {
			return nil, err
		}
		return page.Items[0], nil
	},
	"Changes": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		for change, err := range feed.Changes(ctx, d, feed.FromBeginning()) {
			return change.Doc, err
		}
		return nil, repository.ErrNotFound
	},
	"In a transaction": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		tx := repository.NewTransaction()
		pending, err := d.In(tx).Get(forms.LetterKey{ID: "1", Key: "k"})
		if err == nil {
			err = tx.Commit(ctx)
		}
		if err != nil {
			return nil, err
		}
		return pending.Doc()
	},
	"Update": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) (*forms.Letter, error) {
		var got forms.Letter
		err := d.Update(ctx, forms.LetterKey{ID: "1", Key: "k"}, func(l *forms.Letter) error { got = *l; return nil })
		return &got, err
	},
}

// only returns the one document of an iteration.
func only(all iter.Seq2[*forms.Letter, error]) (*forms.Letter, error) {
	for l, err := range all {
		return l, err
	}
	return nil, repository.ErrNotFound
}

// TestFormsAreRead reads documents of all forms in every way.
func TestFormsAreRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, read := range letterReads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, container, letters := newLetters(t, emulator.Options{})
			for _, row := range []struct{ raw, want string }{
				{`{"id":"1","key":"k","name":"Ann Lee","euros":3}`, "Ann Lee 300"},
				{`{"id":"1","key":"k","name":"Ann Lee","euros":3,"schema":null}`, "Ann Lee 300"},
				{`{"id":"1","key":"k","name":"Ann Lee","euros":3,"schema":0}`, "Ann Lee 300"},
				{`{"id":"1","key":"k","schema":1,"name":"Ann Lee","euros":3}`, "Ann Lee 300"},
				{`{"id":"1","key":"k","name":"Ann Lee","cents":250,"schema":2}`, "Ann Lee 250"},
				{`{"id":"1","key":"k","first":"Ann","last":"Lee","cents":250,"schema":3}`, "Ann Lee 250"},
				{`{"id":"1","key":"k","within":{"schema":7},"name":"Ann Lee","cents":250,"schema":2}`, "Ann Lee 250"},
			} {
				put(t, container, row.raw)
				got, err := read(ctx, letters)
				if err != nil || fmt.Sprint(got.First, " ", got.Last, " ", got.Cents) != row.want || got.Schema != 3 || got.ETag == "" {
					t.Errorf("%s: got %+v, %v", row.raw, got, err)
				}
			}
			for _, row := range []struct {
				raw  string
				is   error
				says string
			}{
				{`{"id":"1","key":"k","schema":4}`, repository.ErrNewerDocument, "its form is 4, and this program knows 3: deploy the newer release"},
				{`{"id":"1","key":"k","schema":9,"cents":{"whole":1}}`, repository.ErrNewerDocument, "its form is 9, and this program knows 3"},
				{`{"id":"1","key":"k","schema":"3"}`, nil, "its property schema is no whole number"},
				{`{"id":"1","key":"k","schema":2.5}`, nil, "its property schema is no whole number"},
				{`{"id":"1","key":"k","schema":-1}`, nil, "its property schema is no whole number"},
				{`{"id":"1","key":"k","name":"broken"}`, forms.ErrBroken, "Upgrade of Letter, from form 1 to form 3: it returned an error"},
				{`{"id":"1","key":"k","name":"rekeyed","schema":2}`, nil, "Upgrade of Letter, from form 2 to form 3: it has changed the key"},
				{`{"id":"1","key":"k","name":"emptied","schema":2}`, nil, "it has changed the key"},
				{`{"id":"1","key":"k","cents":"250","schema":2}`, nil, "give a property of another JSON type a new name"},
			} {
				put(t, container, row.raw)
				before := rawAt(t, container, "1", "k")
				_, err := read(ctx, letters)
				if err == nil || row.is != nil && !errors.Is(err, row.is) || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), `Letter "1"`) {
					t.Errorf("%s: got %v", row.raw, err)
				}
				if row.is == repository.ErrNewerDocument && strings.Contains(err.Error(), "store it anew") {
					t.Errorf("the newer release is what helps, and the error says: %v", err)
				}
				if strings.Contains(fmt.Sprint(err), "secret") {
					t.Errorf("the error tells a value: %v", err)
				}
				if now := rawAt(t, container, "1", "k"); now != before {
					t.Errorf("got %s, want %s", now, before)
				}
			}
		})
	}
}

// letterWrites store the letter "1" of the key "k", or change it.
var letterWrites = map[string]func(context.Context, *repository.Documents[forms.Letter, forms.LetterKey]) error{
	"Upsert": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		return d.Upsert(ctx, someLetter())
	},
	"Replace": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		return d.Replace(ctx, someLetter())
	},
	"Replace on any ETag": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		l := someLetter()
		l.ETag = "*"
		return d.Replace(ctx, l)
	},
	"UpsertAll": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		_, err := d.UpsertAll(documents.Items(someLetter())).Collect(ctx)
		return err
	},
	"UpsertAll in batches": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		other := someLetter()
		other.ID = "2"
		_, err := d.UpsertAll(documents.Items(other, someLetter()), documents.InBatches()).Collect(ctx)
		return err
	},
	"Upsert in a transaction": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		tx := repository.NewTransaction()
		return errors.Join(d.In(tx).Upsert(someLetter()), tx.Commit(ctx))
	},
	"Replace in a transaction": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		tx := repository.NewTransaction()
		return errors.Join(d.In(tx).Replace(someLetter()), tx.Commit(ctx))
	},
	"Patch": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		return d.Patch(ctx, forms.LetterKey{ID: "1", Key: "k"}, forms.LetterPatch.Note.Set("n"))
	},
	"PatchIf": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		return d.PatchIf(ctx, forms.LetterKey{ID: "1", Key: "k"}, forms.LetterFields.First.Eq("Ann"), forms.LetterPatch.Note.Set("n"))
	},
	"PatchAndGet": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		l, err := d.PatchAndGet(ctx, forms.LetterKey{ID: "1", Key: "k"}, forms.LetterPatch.Note.Set("n"), forms.LetterPatch.Cents.Increment(0))
		if err == nil && (l.First != "Ann" || l.Note != "n" || l.Schema != 3) {
			err = fmt.Errorf("got %+v", l)
		}
		return err
	},
	"Patch in a transaction": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		tx := repository.NewTransaction()
		return errors.Join(d.In(tx).Patch(forms.LetterKey{ID: "1", Key: "k"}, forms.LetterPatch.Note.Set("n")), tx.Commit(ctx))
	},
	"Update": func(ctx context.Context, d *repository.Documents[forms.Letter, forms.LetterKey]) error {
		return d.Update(ctx, forms.LetterKey{ID: "1", Key: "k"}, func(l *forms.Letter) error { l.Note = "n"; return nil })
	},
}

// someLetter is a letter whose number its caller has made up.
func someLetter() *forms.Letter {
	return &forms.Letter{ID: "1", Key: "k", First: "Ann", Last: "Lee", Cents: 250, Note: "n", Schema: 77}
}

// TestFormsAreWritten writes over documents of all forms, in every way. None of a later form
// is overwritten.
func TestFormsAreWritten(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const want = `{"cents":250,"first":"Ann","id":"1","key":"k","last":"Lee","note":"n","schema":3}`
	for name, write := range letterWrites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, container, letters := newLetters(t, emulator.Options{})
			for _, raw := range []string{
				`{"id":"1","key":"k","first":"Ann","last":"Lee","cents":250,"schema":3}`,
				`{"id":"1","key":"k","name":"Ann Lee","cents":250,"schema":2}`,
				`{"id":"1","key":"k","name":"Ann Lee","euros":3,"cents":250,"schema":2}`,
			} {
				put(t, container, raw)
				if err := write(ctx, letters); err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				if now := rawAt(t, container, "1", "k"); now != want && raw[22:27] != "first" || !strings.Contains(now, `"note":"n","schema":3}`) {
					t.Errorf("%s: got %s, want %s", raw, now, want)
				}
			}
			put(t, container, `{"id":"1","key":"k","schema":4,"kept":true}`)
			before := rawAt(t, container, "1", "k")
			err := write(ctx, letters)
			if !errors.Is(err, repository.ErrNewerDocument) || errors.Is(err, repository.ErrUnclear) || !strings.Contains(fmt.Sprint(err), "its form is 4, and this program knows 3") {
				t.Errorf("got %v", err)
			}
			if now := rawAt(t, container, "1", "k"); now != before {
				t.Errorf("got %s, want %s", now, before)
			}
			blind := strings.HasPrefix(name, "Upsert") || strings.HasPrefix(name, "Replace")
			put(t, container, `{"id":"1","key":"k","name":"broken","euros":1}`)
			before = rawAt(t, container, "1", "k")
			err = write(ctx, letters) // an upgrade that fails does not matter to what replaces the whole
			now := rawAt(t, container, "1", "k")
			if blind && (err != nil || now != want) || !blind && (!errors.Is(err, forms.ErrBroken) || now != before) {
				t.Errorf("got %s, %v", now, err)
			}
		})
	}
	_, container, letters := newLetters(t, emulator.Options{})
	put(t, container, `{"id":"1","key":"k","schema":4}`)
	if err := letters.Create(ctx, someLetter()); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Create: %v", err)
	}
	l := someLetter()
	l.ID = "2"
	if err := letters.Create(ctx, l); err != nil || l.Schema != 3 {
		t.Errorf("Create: %+v, %v", l, err)
	}
	l.Key = "other"
	if err := letters.Move(ctx, forms.LetterKey{ID: "1", Key: "k"}, &forms.Letter{ID: "1", Key: "other"}); !errors.Is(err, repository.ErrNewerDocument) {
		t.Errorf("Move: %v", err)
	}
	if err := letters.Delete(ctx, forms.LetterKey{ID: "1", Key: "k"}); err != nil { // which is the same in all releases
		t.Errorf("Delete: %v", err)
	}
}

// TestConditionsOfForms patches documents on conditions that hold for the present form.
func TestConditionsOfForms(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container, letters := newLetters(t, emulator.Options{})
	put(t, container, `{"id":"1","key":"k","name":"Ann Lee","cents":250,"schema":2}`)
	if err := letters.PatchIf(ctx, forms.LetterKey{ID: "1", Key: "k"}, forms.LetterFields.First.Eq("Bo"), forms.LetterPatch.Note.Set("n")); !errors.Is(err, repository.ErrPreconditionFailed) || !strings.Contains(err.Error(), "the condition does not hold") {
		t.Errorf("got %v", err)
	}
	if err := letters.Patch(ctx, forms.LetterKey{ID: "9", Key: "k"}, forms.LetterPatch.Note.Set("n")); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	for i, raw := range []string{`{"id":"0","key":"k"}`, `{"id":"1","key":"k","schema":1}`, `{"id":"2","key":"k","schema":2}`, `{"id":"3","key":"k","schema":3}`} {
		put(t, container, raw)
		if n, err := letters.Scan().Where(forms.LetterFields.Schema.Lt(3)).Count(ctx); err != nil || n != min(i+1, 3) {
			t.Errorf("%s: got %d, %v", raw, n, err)
		}
	}
}

// TestFirstForm reads and writes documents of a type that has had one form.
func TestFirstForm(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container, _ := newLetters(t, emulator.Options{})
	first := repository.New(container, forms.FirstLetterModel)
	note := forms.FirstLetterPatch.Note
	for _, raw := range []string{`{"id":"1","key":"k"}`, `{"id":"1","key":"k","schema":0}`, `{"id":"1","key":"k","schema":null}`, `{"id":"1","key":"k","schema":1}`} {
		put(t, container, raw)
		if err := first.Patch(ctx, forms.FirstLetterKey{ID: "1", Key: "k"}, note.Set("x")); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if l, err := first.Get(ctx, forms.FirstLetterKey{ID: "1", Key: "k"}); err != nil || l.Note != "x" || l.Schema != 1 {
			t.Errorf("%s: %+v, %v", raw, l, err)
		}
		if err := first.Upsert(ctx, &forms.FirstLetter{ID: "1", Key: "k", Schema: 5}); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if now := rawAt(t, container, "1", "k"); now != `{"id":"1","key":"k","note":"","schema":1}` {
			t.Errorf("%s: got %s", raw, now)
		}
	}
	put(t, container, `{"id":"1","key":"k","schema":2}`)
	for what, err := range map[string]error{
		"Patch": first.Patch(ctx, forms.FirstLetterKey{ID: "1", Key: "k"}, note.Set("x")), "Upsert": first.Upsert(ctx, &forms.FirstLetter{ID: "1", Key: "k"}),
	} {
		if !errors.Is(err, repository.ErrNewerDocument) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := admin.Upgrade(ctx, first, admin.Run{}); err == nil || !strings.Contains(err.Error(), "so no document has an earlier form") {
		t.Errorf("got %v", err)
	}
}

// TestFormsOfTwoReleases writes documents by two releases in turn, in every way. The newer
// one reads all that is stored, and the older one never overwrites what it does not know.
func TestFormsOfTwoReleases(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container, now := newLetters(t, emulator.Options{})
	before := repository.New(container, forms.LetterBeforeModel)
	random := rand.New(rand.NewPCG(5, 6))
	type state struct {
		form  int
		note  string
		cents int
	}
	model := map[string]state{}
	for step := range 500 {
		id, note := fmt.Sprint(random.IntN(6)), fmt.Sprint("note", step)
		key := forms.LetterKey{ID: id, Key: "k"}
		stored, there := model[id]
		next, wrong := stored, error(nil)
		if !there {
			wrong = repository.ErrNotFound
		}
		older := func(form int) { // a write of the release before
			if next.form = form; there && stored.form > 2 {
				wrong = repository.ErrNewerDocument
			}
		}
		var err error
		switch next.note = note; random.IntN(8) {
		case 0: // a program from before the numbers, which is not to run any more
			next, wrong = state{1, note, 100}, nil
			put(t, container, fmt.Sprintf(`{"id":%q,"key":"k","name":"Ann Lee","euros":1,"note":%q}`, id, note))
		case 1:
			wrong = nil
			older(2)
			next.cents = 200
			err = before.Upsert(ctx, &forms.LetterBefore{ID: id, Key: "k", Name: "Ann Lee", Cents: 200, Note: note})
		case 2:
			older(2)
			err = before.Update(ctx, forms.LetterBeforeKey(key), func(l *forms.LetterBefore) error { l.Note = note; return nil })
		case 3:
			older(2)
			err = before.Patch(ctx, forms.LetterBeforeKey(key), forms.LetterBeforePatch.Note.Set(note))
		case 4:
			next, wrong = state{3, note, 300}, nil
			err = now.Upsert(ctx, &forms.Letter{ID: id, Key: "k", First: "Ann", Last: "Lee", Cents: 300, Note: note})
		case 5:
			next.form = 3
			err = now.Update(ctx, key, func(l *forms.Letter) error { l.Note = note; return nil })
		case 6:
			next.form = 3
			err = now.Patch(ctx, key, forms.LetterPatch.Note.Set(note))
		case 7:
			next.form = 3
			var l *forms.Letter
			if l, err = now.Get(ctx, key); err == nil {
				l.Note = note
				err = now.Replace(ctx, l)
			}
		}
		if !errors.Is(err, wrong) {
			t.Fatalf("step %d: %v, want %v", step, err, wrong)
		}
		if err == nil {
			model[id] = next
		}
		want, there := model[id]
		if !there {
			continue
		}
		a, errA := now.Get(ctx, key)
		if errA != nil || a.First != "Ann" || a.Last != "Lee" || a.Cents != want.cents || a.Note != want.note {
			t.Fatalf("step %d: %+v, %v, want %+v", step, a, errA, want)
		}
		b, errB := before.Get(ctx, forms.LetterBeforeKey(key))
		if newer := want.form == 3; errors.Is(errB, repository.ErrNewerDocument) != newer || !newer && (errB != nil || b.Name != "Ann Lee" || b.Cents != want.cents || b.Note != want.note) {
			t.Fatalf("step %d: %+v, %v, want %+v", step, b, errB, want)
		}
	}
}
