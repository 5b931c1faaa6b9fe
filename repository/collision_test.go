package repository_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// left and right have one partition key, a-b-c, and one id.
var (
	left  = fixtures.Note{ID: "1", Topic: "a-b", Title: "c", Text: "left"}
	right = fixtures.Note{ID: "1", Topic: "a", Title: "b-c", Text: "right"}
)

func create(ctx context.Context, t testing.TB, r notes, n fixtures.Note) fixtures.Note {
	t.Helper()
	if err := r.Create(ctx, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// holds fails the test unless n, and nothing else, is stored in its place.
func holds(t testing.TB, r notes, n fixtures.Note) {
	t.Helper()
	got, err := r.Get(context.Background(), n.Key())
	if err != nil || got.Text != n.Text || got.Key() != n.Key() {
		t.Errorf("got %+v, %v, want %+v", got, err, n)
	}
}

// TestCollidingDocumentsAreLeftAlone runs every operation on a note in whose
// place another note is stored.
func TestCollidingDocumentsAreLeftAlone(t *testing.T) {
	_, r := newNotes(t)
	ctx := context.Background()
	create(ctx, t, r, left)
	foreign := func() *fixtures.Note { n := right; return &n }
	anyTag := right
	anyTag.ETag = "*"
	for name, test := range map[string]struct {
		run  func() error
		want error
	}{
		"Create":                     {func() error { return r.Create(ctx, foreign()) }, repository.ErrAlreadyExists},
		"Upsert":                     {func() error { return r.Upsert(ctx, foreign()) }, repository.ErrAlreadyExists},
		"Replace":                    {func() error { return r.Replace(ctx, foreign()) }, repository.ErrNotFound},
		"Replace with the ETag *":    {func() error { return r.Replace(ctx, &anyTag) }, repository.ErrNotFound},
		"Replace with an older ETag": {func() error { n := right; n.ETag = `"old"`; return r.Replace(ctx, &n) }, repository.ErrPreconditionFailed},
		"Delete":                     {func() error { return r.Delete(ctx, right.Key()) }, repository.ErrNotFound},
		"Get":                        {func() error { _, err := r.Get(ctx, right.Key()); return err }, repository.ErrNotFound},
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
			holds(t, r, left)
		})
	}
	docs, err := r.ByTopicAndTitle("a-b", "C").Collect(ctx)
	if err != nil || len(docs) != 1 || docs[0].Text != "left" {
		t.Errorf("the query gave %v, %v", docs, err)
	}
	// Another id in the same logical partition is no collision.
	other := right
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
	server, r := newNotes(t)
	ctx := context.Background()
	n := left
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
	missing := right
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
	_, r := newNotes(t, harness.Intercepted)
	ctx := context.Background()
	swap := func(t testing.TB) { // the foreign note takes the place of one's own
		if err := r.Delete(ctx, left.Key()); err != nil {
			t.Fatal(err)
		}
		create(ctx, t, r, right)
	}
	rewrite := func(t testing.TB) {
		n := left
		n.Text = "of another writer"
		if err := r.Upsert(ctx, &n); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t testing.TB) {
		if err := r.Delete(ctx, left.Key()); err != nil {
			t.Fatal(err)
		}
	}
	mine := left
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
		{"Upsert, the note is rewritten", left, upsert, rewrite, nil, mine},
		{"Upsert, the note is deleted", left, upsert, remove, nil, mine},
		{"Upsert, the note is swapped", left, upsert, swap, repository.ErrAlreadyExists, right},
		{"Upsert, a foreign note is stored", nothing, upsert, func(t testing.TB) { create(ctx, t, r, right) }, repository.ErrAlreadyExists, right},
		{"Upsert, the same note is stored", nothing, upsert, func(t testing.TB) { create(ctx, t, r, left) }, nil, mine},
		{"Replace, the note is rewritten", left, replace, rewrite, nil, mine},
		{"Replace, the note is deleted", left, replace, remove, repository.ErrNotFound, nothing},
		{"Replace, the note is swapped", left, replace, swap, repository.ErrNotFound, right},
		{"Delete, the note is rewritten", left, del, rewrite, nil, nothing},
		{"Delete, the note is deleted", left, del, remove, repository.ErrNotFound, nothing},
		{"Delete, the note is swapped", left, del, swap, repository.ErrNotFound, right},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.before != nothing {
				create(ctx, t, r, test.before)
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
	hook := new(harness.Between)
	server, r := newNotes(t, harness.Intercepted)
	ctx := context.Background()
	stored := create(ctx, t, r, left)
	writes := 0
	hook.Act = func() {
		writes++
		stored.Text = fmt.Sprint(writes)
		if err := r.Replace(ctx, &stored); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetRequests()
	err := r.Delete(hook.Context(ctx), left.Key())
	if !errors.Is(err, repository.ErrPreconditionFailed) || !strings.HasSuffix(err.Error(), "(status 412), 10 times in a row: others keep writing it, try again later") {
		t.Errorf("got %v", err)
	}
	if n := server.Documents()[emulator.OpDeleteItem]; n != 10 || writes != 10 {
		t.Errorf("%d attempts against %d writes, want 10", n, writes)
	}

	canceled, cancel := context.WithCancel(hook.Context(ctx))
	inner := hook.Act
	hook.Act = func() { inner(); cancel() }
	if err := r.Delete(canceled, left.Key()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	hook.Act = nil
	holds(t, r, stored)
}
