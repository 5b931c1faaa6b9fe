package transactions

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
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTransactionsLeaveCollidingDocumentsAlone runs every operation on a note in
// whose place another note is stored.
func TestTransactionsLeaveCollidingDocumentsAlone(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	anyTag := kit.RightNote
	anyTag.ETag = "*"
	old := kit.RightNote
	old.ETag = `"old"`
	for name, test := range map[string]struct {
		add     func(*repository.Transaction) error
		want    error
		batches int
	}{
		"Create":                     {func(tx *repository.Transaction) error { n := kit.RightNote; return r.In(tx).Create(&n) }, repository.ErrAlreadyExists, 1},
		"Upsert":                     {func(tx *repository.Transaction) error { n := kit.RightNote; return r.In(tx).Upsert(&n) }, repository.ErrAlreadyExists, 0},
		"Replace":                    {func(tx *repository.Transaction) error { n := kit.RightNote; return r.In(tx).Replace(&n) }, repository.ErrNotFound, 0},
		"Replace with the ETag *":    {func(tx *repository.Transaction) error { return r.In(tx).Replace(&anyTag) }, repository.ErrNotFound, 0},
		"Replace with an older ETag": {func(tx *repository.Transaction) error { return r.In(tx).Replace(&old) }, repository.ErrPreconditionFailed, 1},
		"Delete":                     {func(tx *repository.Transaction) error { return r.In(tx).Delete(kit.RightNote.Key()) }, repository.ErrNotFound, 0},
		"DeleteIfMatch":              {func(tx *repository.Transaction) error { return r.In(tx).DeleteIfMatch(&old) }, repository.ErrPreconditionFailed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			server.ResetRequests()
			other := fixtures.Note{ID: "2", Topic: "a", Title: "b-c"}
			err := kit.Commit(ctx, func(tx *repository.Transaction) error { return r.In(tx).Create(&other) }, test.add)
			var own *repository.TransactionError
			if !errors.Is(err, test.want) || !errors.As(err, &own) || own.Operation != 2 || server.Sent(emulator.OpExecuteBatch) != test.batches {
				t.Errorf("got %v after %d requests, want %v after %d", err, server.Sent(emulator.OpExecuteBatch), test.want, test.batches)
			}
			kit.HoldsNote(t, r, kit.LeftNote)
			if _, err := r.Get(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
				t.Errorf("the other operation took effect: %v", err)
			}
		})
	}
	var read *repository.Pending[fixtures.Note]
	err := kit.Commit(ctx, func(tx *repository.Transaction) (err error) {
		read, err = r.In(tx).Get(kit.RightNote.Key())
		return err
	})
	if doc, docErr := read.Doc(); err != nil || doc != nil || !errors.Is(docErr, repository.ErrNotFound) {
		t.Errorf("Get: %v, %v, %v", doc, docErr, err)
	}
}

// TestVerifiedTransactions writes notes of one's own and counts the requests.
func TestVerifiedTransactions(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	stored := kit.CreateNote(ctx, t, r, kit.LeftNote)
	fresh := fixtures.Note{ID: "2", Topic: "a-b", Title: "c"}
	stored.Text = "2"
	blind := stored
	blind.ETag = ""
	for _, step := range []struct {
		name  string
		add   func(*repository.Transaction) error
		reads int // or one query for more than one
	}{
		{"Upsert of a new note", func(tx *repository.Transaction) error { return r.In(tx).Upsert(&fresh) }, 1},
		{"Upsert of a stored note", func(tx *repository.Transaction) error { return r.In(tx).Upsert(&fresh) }, 1},
		{"Replace with an ETag", func(tx *repository.Transaction) error { return r.In(tx).Replace(&stored) }, 0},
		{"Replace without one", func(tx *repository.Transaction) error { return r.In(tx).Replace(&blind) }, 1},
		{"two at once", func(tx *repository.Transaction) error {
			return errors.Join(r.In(tx).Upsert(&blind), r.In(tx).Delete(fresh.Key()))
		}, 2},
	} {
		server.ResetRequests()
		if err := kit.Commit(ctx, step.add); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		reads := server.Documents()
		want := map[string]int{}
		switch step.reads {
		case 0:
		case 1:
			want[emulator.OpReadItem] = 1
		default:
			want[emulator.OpQueryItems] = 1
		}
		if !maps.Equal(reads, want) || server.Sent(emulator.OpExecuteBatch) != 1 {
			t.Errorf("%s sent %v and %d transactions, want %d reads", step.name, reads, server.Sent(emulator.OpExecuteBatch), step.reads)
		}
	}
	if got, err := r.Get(ctx, blind.Key()); err != nil || *got != blind {
		t.Errorf("stored is %+v, %v, and the caller has %+v", got, err, blind)
	}
	if _, err := r.Get(ctx, fresh.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	// What is read before a transaction does not show what it writes.
	for name, test := range map[string]func(*repository.Transaction) error{
		"look last": func(tx *repository.Transaction) error { _ = r.In(tx).Create(&fresh); return r.In(tx).Upsert(&fresh) },
		"look first": func(tx *repository.Transaction) error {
			_ = r.In(tx).Delete(fresh.Key())
			return r.In(tx).Create(&fresh)
		},
	} {
		if err := test(repository.NewTransaction()); err == nil || !strings.Contains(err.Error(), "the transaction writes this id already") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOvertakenTransactions changes the note between the read and the
// transaction.
func TestOvertakenTransactions(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	hook := new(harness.Between)
	server, r := kit.NewNotes(t, harness.Intercepted)
	ctx := context.Background()
	rewrite := func() error { n := kit.LeftNote; n.Text = "of another"; return r.Upsert(ctx, &n) }
	remove := func() error { return r.Delete(ctx, kit.LeftNote.Key()) }
	swap := func() error { n := kit.RightNote; return errors.Join(remove(), r.Create(ctx, &n)) }
	mine := kit.LeftNote
	mine.Text = "mine"
	upsert := func(tx *repository.Transaction) error { n := mine; return r.In(tx).Upsert(&n) }
	replace := func(tx *repository.Transaction) error { n := mine; return r.In(tx).Replace(&n) }
	del := func(tx *repository.Transaction) error { return r.In(tx).Delete(mine.Key()) }
	nothing := fixtures.Note{}
	for _, test := range []struct {
		name   string
		before fixtures.Note // stored first
		add    func(*repository.Transaction) error
		meddle func() error
		want   error
		after  fixtures.Note // stored in the end
	}{
		{"Upsert, the note is rewritten", kit.LeftNote, upsert, rewrite, nil, mine},
		{"Upsert, the note is deleted", kit.LeftNote, upsert, remove, nil, mine},
		{"Upsert, the note is swapped", kit.LeftNote, upsert, swap, repository.ErrAlreadyExists, kit.RightNote},
		{"Upsert, the same note is stored", nothing, upsert, rewrite, nil, mine},
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
			times := 0
			hook.Act = func() {
				if times++; times == 1 {
					if err := test.meddle(); err != nil {
						t.Error(err)
					}
				}
			}
			if err := kit.Commit(hook.Context(ctx), test.add); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			all, err := r.Scan().Collect(ctx)
			switch {
			case err != nil || times == 0:
				t.Errorf("%v, and %d transactions were sent", err, times)
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
	// Somebody who never stops.
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	hook.Act = func() {
		if err := rewrite(); err != nil {
			t.Error(err)
		}
	}
	server.ResetRequests()
	err := kit.Commit(hook.Context(ctx), del)
	if !errors.Is(err, repository.ErrPreconditionFailed) || !strings.Contains(err.Error(), "10 times in a row: others keep writing") || server.Sent(emulator.OpExecuteBatch) != 10 {
		t.Errorf("got %v after %d transactions", err, server.Sent(emulator.OpExecuteBatch))
	}
}

// TestUnclearVerifiedTransactions loses the answer to a transaction that reads
// before it writes.
func TestUnclearVerifiedTransactions(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	ctx := context.Background()
	for name, fault := range kit.UnclearFaults(emulator.OpExecuteBatch) {
		t.Run(name, func(t *testing.T) {
			server, r := kit.NewNotes(t)
			removed := kit.CreateNote(ctx, t, r, kit.LeftNote)
			fresh := fixtures.Note{ID: "2", Topic: "a-b", Title: "c"}
			server.Inject(fault)
			err := kit.Commit(ctx,
				func(tx *repository.Transaction) error { return r.In(tx).Upsert(&fresh) },
				func(tx *repository.Transaction) error { return r.In(tx).Delete(removed.Key()) },
			)
			if err != nil {
				t.Fatal(err)
			}
			all, err := r.Scan().Collect(ctx)
			if err != nil || len(all) != 1 || *all[0] != fresh {
				t.Errorf("stored is %v, %v, and the caller has %+v", fmt.Sprint(all), err, fresh)
			}
		})
	}
}
