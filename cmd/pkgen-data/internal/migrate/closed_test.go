package migrate

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// cutover runs the cutover of a process through a link, as the command does: a run, and
// then the cutover.
func (r *rig) cutover(ctx context.Context, l *harness.Link, notSwitched bool) (*Verdict, error) {
	r.Helper()
	o, err := r.options(ctx, r.connect(l))
	if err != nil {
		return nil, err
	}
	o.NotSwitched, o.trust, o.leaving = notSwitched, 5*time.Millisecond, time.Millisecond
	m, err := New(ctx, o)
	if err == nil {
		err = m.Run(ctx)
	}
	if err != nil {
		return nil, err
	}
	return m.Cutover(ctx)
}

// TestCutoverAgain runs the cutover again after the migration has ended: at once, later,
// and after programs have written to the destination. Nothing is undone, and no request
// writes.
func TestCutoverAgain(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3}, toContainer, stateContainer)
	r.load(fromContainer, events(30)...)
	if v, err := r.cutover(t.Context(), r.whole(), false); err != nil || !v.Equal {
		t.Fatalf("%+v, %v", v, err)
	}
	again := func(notSwitched bool, wants ...string) {
		t.Helper()
		stored, before := r.documents("daily"), len(r.server.Requests())
		_, err := r.cutover(t.Context(), r.whole(), notSwitched)
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		if diff := cmp.Diff(stored, r.documents("daily")); diff != "" {
			t.Error(diff)
		}
		for _, q := range r.server.Requests()[before:] {
			if q.Method != http.MethodGet && q.Operation != "QueryItems" {
				t.Errorf("%s %s was sent", q.Method, q.Path)
			}
		}
	}
	words := []string{"both sides were equal, 30 documents with the checksum", "switch the programs"}
	again(false, words...)
	r.server.Advance(100 * time.Hour)
	again(false, words...)
	w, switched := r.writer(), r.writer()
	w.replace(1, 1001) // a program that was not stopped
	switched.to, _ = w.account.Container(t.Context(), "fleet", "daily")
	if _, err := w.account.CreateItem(t.Context(), switched.to, `["new"]`, []byte(`{"id":"new","partitionKey":"new"}`)); err != nil {
		t.Fatal(err)
	}
	again(false, words...)
	again(true, `programs have written to container "daily" since the migration into it ended`)
}

// TestNotSwitched goes on after the end, since nobody has switched, and ends again.
func TestNotSwitched(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 2}, toContainer, stateContainer)
	r.load(fromContainer, events(30)...)
	if _, err := r.cutover(t.Context(), r.whole(), false); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		r.writer().replace(3, 1000+i)
		if err := r.server.Split("fleet", "daily", []string{"0", "1"}[i]); err != nil {
			t.Fatal(err)
		}
		if v, err := r.cutover(t.Context(), r.whole(), true); err != nil || !v.Equal {
			t.Fatalf("%+v, %v", v, err)
		}
		if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := r.cutover(t.Context(), r.whole(), false); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// TestStateRemoved removes documents of the state: a run does not take what is missing
// for a migration that has nothing to copy, or that nobody has written after.
func TestStateRemoved(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 2}, toContainer, stateContainer)
	r.load(fromContainer, events(30)...)
	if _, err := r.cutover(t.Context(), r.whole(), false); err != nil {
		t.Fatal(err)
	}
	o, err := r.options(t.Context(), r.connect(r.whole()))
	if err != nil {
		t.Fatal(err)
	}
	name := "migration." + o.From.RID + "." + o.To.RID
	remove := func(id string) {
		t.Helper()
		if err := o.Account.DeleteItem(t.Context(), o.State, id, keyOf(id), ""); err != nil {
			t.Fatal(err)
		}
	}
	remove(name + ".ended")
	if _, err := r.cutover(t.Context(), r.whole(), true); err == nil || !strings.Contains(err.Error(), name+`.ended" of the migration was removed`) {
		t.Errorf("without the positions of the end: %v", err)
	}
	remove(name)
	m := &Migration{Options: o, states: &states{account: o.Account, container: o.State, name: name}}
	if _, _, err := m.claim(t.Context(), &share{}, 1); !errors.Is(err, errRemoved) {
		t.Errorf("without the progress: %v", err)
	}
}

// TestCutoverCrashes kills the process at each request of a cutover, and runs the command
// again: it ends the migration, or finds that it has ended. Both sides are equal then.
func TestCutoverCrashes(t *testing.T) {
	step := 1
	if seeds.Part(t, "kills at four of five requests") {
		step = 5
	}
	ended := 0
	for at := 1; ; at += step {
		r := newRig(t, server.Options{Partitions: 1}, toContainer, stateContainer)
		r.load(fromContainer, events(3)...)
		ctx, cancel := context.WithCancel(t.Context())
		l := &harness.Link{Account: r.server, Cancel: cancel, At: at, After: at%2 == 0}
		_, first := r.cutover(ctx, l, false)
		cancel()
		v, err := r.cutover(t.Context(), r.whole(), false)
		switch {
		case errors.Is(err, errClosed):
			ended++
		case err != nil || !v.Equal:
			t.Errorf("request %d: %+v, %v", at, v, err)
		}
		if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
			t.Errorf("request %d: %s", at, diff)
		}
		if first == nil && at > 30 {
			t.Logf("%d requests, %d after the end", at, ended)
			return
		}
	}
}
