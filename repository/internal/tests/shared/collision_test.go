package shared

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestCollidingDocumentsAreLeftAlone runs every operation on a note in whose
// place another note is stored.
func TestCollidingDocumentsAreLeftAlone(t *testing.T) {
	_, r := kit.NewNotes(t)
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	foreign := func() *fixtures.Note { n := kit.RightNote; return &n }
	anyTag := kit.RightNote
	anyTag.ETag = "*"
	for name, test := range map[string]struct {
		run  func() error
		want error
	}{
		"Create":                     {func() error { return r.Create(ctx, foreign()) }, repository.ErrAlreadyExists},
		"Upsert":                     {func() error { return r.Upsert(ctx, foreign()) }, repository.ErrAlreadyExists},
		"Replace":                    {func() error { return r.Replace(ctx, foreign()) }, repository.ErrNotFound},
		"Replace with the ETag *":    {func() error { return r.Replace(ctx, &anyTag) }, repository.ErrNotFound},
		"Replace with an older ETag": {func() error { n := kit.RightNote; n.ETag = `"old"`; return r.Replace(ctx, &n) }, repository.ErrPreconditionFailed},
		"Delete":                     {func() error { return r.Delete(ctx, kit.RightNote.Key()) }, repository.ErrNotFound},
		"Get":                        {func() error { _, err := r.Get(ctx, kit.RightNote.Key()); return err }, repository.ErrNotFound},
		"First":                      {func() error { _, err := r.ByTopicAndTitle("a", "b-c").First(ctx); return err }, repository.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.run()
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			var own *repository.Error
			if !errors.As(err, &own) || own.Op != "query" && (own.ID != "1" || own.PartitionKey != `"a-b-c"`) {
				t.Errorf("the error does not say where: %#v", err)
			}
			if own.Status == 0 && own.Op != "query" && !strings.Contains(err.Error(), "another, whose fields make the same partition key") {
				t.Errorf("the error does not say why: %v", err)
			}
			kit.HoldsNote(t, r, kit.LeftNote)
		})
	}
	docs, err := r.ByTopicAndTitle("a-b", "C").Collect(ctx)
	if err != nil || len(docs) != 1 || docs[0].Text != "left" {
		t.Errorf("the query gave %v, %v", docs, err)
	}
	// Another id in the same logical partition is no collision.
	other := kit.RightNote
	other.ID = "2"
	if err := r.Upsert(ctx, &other); err != nil {
		t.Fatal(err)
	}
	docs, err = r.ByTopicAndTitle("a", "B-C").Collect(ctx)
	if err != nil || len(docs) != 1 || docs[0].ID != "2" {
		t.Errorf("the query gave %v, %v", docs, err)
	}
}

// TestVerifiedWritesCost counts the requests of each operation on a note of
// one's own.
func TestVerifiedWritesCost(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	n := kit.LeftNote
	for _, step := range []struct {
		name string
		run  func() error
		want map[string]int
	}{
		{"Upsert of a new note", func() error { return r.Upsert(ctx, &n) },
			map[string]int{emulator.OpReadItem: 1, emulator.OpCreateItem: 1}},
		{"Upsert of a stored note", func() error { n.Text = "2"; return r.Upsert(ctx, &n) },
			map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}},
		{"Replace with the ETag that Upsert left", func() error { n.Text = "3"; return r.Replace(ctx, &n) },
			map[string]int{emulator.OpReplaceItem: 1}},
		{"Replace without an ETag, the title in other case", func() error { n.ETag, n.Title, n.Text = "", "C", "4"; return r.Replace(ctx, &n) },
			map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}},
		{"Get", func() error { _, err := r.Get(ctx, n.Key()); return err },
			map[string]int{emulator.OpReadItem: 1}},
		{"Delete", func() error { return r.Delete(ctx, n.Key()) },
			map[string]int{emulator.OpReadItem: 1, emulator.OpDeleteItem: 1}},
		{"Create", func() error { n.ETag = ""; return r.Create(ctx, &n) },
			map[string]int{emulator.OpCreateItem: 1}},
	} {
		server.ResetRequests()
		if err := step.run(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := server.Documents(); !maps.Equal(got, step.want) {
			t.Errorf("%s sent %v, want %v", step.name, got, step.want)
		}
		if n.ETag == "" && step.name != "Delete" {
			t.Errorf("%s left no ETag", step.name)
		}
	}
	missing := kit.RightNote
	missing.ID = "none"
	for name, run := range map[string]func() error{
		"Replace": func() error { return r.Replace(ctx, &missing) },
		"Delete":  func() error { return r.Delete(ctx, missing.Key()) },
	} {
		if err := run(); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
}

// TestOvertakenWrites changes the document between the read and the write of
// one operation.
func TestOvertakenWrites(t *testing.T) {
	t.Parallel()
	hook := new(harness.Between)
	_, r := kit.NewNotes(t, harness.Intercepted)
	ctx := context.Background()
	swap := func(t testing.TB) { // the foreign note takes the place of one's own
		if err := r.Delete(ctx, kit.LeftNote.Key()); err != nil {
			t.Fatal(err)
		}
		kit.CreateNote(ctx, t, r, kit.RightNote)
	}
	rewrite := func(t testing.TB) {
		n := kit.LeftNote
		n.Text = "of another writer"
		if err := r.Upsert(ctx, &n); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t testing.TB) {
		if err := r.Delete(ctx, kit.LeftNote.Key()); err != nil {
			t.Fatal(err)
		}
	}
	mine := kit.LeftNote
	mine.Text = "mine"
	nothing := fixtures.Note{}
	upsert := func(ctx context.Context) error { n := mine; return r.Upsert(ctx, &n) }
	replace := func(ctx context.Context) error { n := mine; return r.Replace(ctx, &n) }
	del := func(ctx context.Context) error { return r.Delete(ctx, mine.Key()) }
	for _, test := range []struct {
		name   string
		before fixtures.Note // stored first
		run    func(context.Context) error
		meddle func(testing.TB)
		want   error
		after  fixtures.Note // stored in the end
	}{
		{"Upsert, the note is rewritten", kit.LeftNote, upsert, rewrite, nil, mine},
		{"Upsert, the note is deleted", kit.LeftNote, upsert, remove, nil, mine},
		{"Upsert, the note is swapped", kit.LeftNote, upsert, swap, repository.ErrAlreadyExists, kit.RightNote},
		{"Upsert, a foreign note is stored", nothing, upsert, func(t testing.TB) { kit.CreateNote(ctx, t, r, kit.RightNote) }, repository.ErrAlreadyExists, kit.RightNote},
		{"Upsert, the same note is stored", nothing, upsert, func(t testing.TB) { kit.CreateNote(ctx, t, r, kit.LeftNote) }, nil, mine},
		{"Replace, the note is rewritten", kit.LeftNote, replace, rewrite, nil, mine},
		{"Replace, the note is deleted", kit.LeftNote, replace, remove, repository.ErrNotFound, nothing},
		{"Replace, the note is swapped", kit.LeftNote, replace, swap, repository.ErrNotFound, kit.RightNote},
		{"Delete, the note is rewritten", kit.LeftNote, del, rewrite, nil, nothing},
		{"Delete, the note is deleted", kit.LeftNote, del, remove, repository.ErrNotFound, nothing},
		{"Delete, the note is swapped", kit.LeftNote, del, swap, repository.ErrNotFound, kit.RightNote},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.before != nothing {
				kit.CreateNote(ctx, t, r, test.before)
			}
			done := false
			hook.Act = func() {
				if !done {
					done = true
					test.meddle(t)
				}
			}
			if err := test.run(hook.Context(ctx)); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if !done {
				t.Error("nothing was sent after the read")
			}
			all, err := r.Scan().Collect(ctx)
			switch {
			case err != nil:
				t.Fatal(err)
			case test.after == nothing:
				if len(all) != 0 {
					t.Errorf("there is %+v, want nothing", *all[0])
				}
			case len(all) != 1 || all[0].Key() != test.after.Key() || all[0].Text != test.after.Text:
				t.Errorf("there is %v, want %+v", all, test.after)
			default:
				if err := r.Delete(ctx, test.after.Key()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestVerifiedWritesGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hook := new(harness.Between)
		server, r := kit.NewNotes(t, harness.Intercepted)
		ctx := context.Background()
		stored := kit.CreateNote(ctx, t, r, kit.LeftNote)
		writes := 0
		hook.Act = func() {
			writes++
			stored.Text = fmt.Sprint(writes)
			if err := r.Replace(ctx, &stored); err != nil {
				t.Fatal(err)
			}
		}
		server.ResetRequests()
		err := r.Delete(hook.Context(ctx), kit.LeftNote.Key())
		if !errors.Is(err, repository.ErrPreconditionFailed) || !strings.HasSuffix(err.Error(), "(status 412), 10 times in a row: others keep writing it, or reads go to a region that lacks its last writes; try again later") {
			t.Errorf("got %v", err)
		}
		if n := server.Documents()[emulator.OpDeleteItem]; n != 10 || writes != 10 {
			t.Errorf("%d attempts against %d writes, want 10", n, writes)
		}

		canceled, cancel := context.WithCancel(hook.Context(ctx))
		inner := hook.Act
		hook.Act = func() { inner(); cancel() }
		if err := r.Delete(canceled, kit.LeftNote.Key()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		hook.Act = nil
		kit.HoldsNote(t, r, stored)
	})
}
