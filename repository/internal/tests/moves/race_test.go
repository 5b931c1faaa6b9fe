package moves

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// race is the move of a note from one topic to another, with concurrent writes of other
// programs.
type race struct {
	kit.Notes
	t      *testing.T
	server *harness.Account
	note   fixtures.Note // as it is stored under the new topic
	from   fixtures.NoteKey
	state  repository.MoveState[fixtures.NoteKey]
}

func newRace(t *testing.T, policies ...policy.Policy) *race {
	t.Helper()
	server, r := kit.NewNotes(t, append(policies, harness.Intercepted)...)
	ctx := context.Background()
	n := kit.CreateNote(ctx, t, r, fixtures.Note{ID: "1", Topic: "old", Title: "t", Text: "text"})
	from := n.Key()
	n.Topic = "new"
	state, err := r.PrepareMove(ctx, from, &n)
	if err != nil {
		t.Fatal(err)
	}
	return &race{r, t, server, n, from, state}
}

// must fails the test on an error.
func (r *race) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// change has somebody change the old note.
func (r *race) change() {
	r.t.Helper()
	r.must(r.Update(context.Background(), r.from, func(n *fixtures.Note) error { n.Text = "changed"; return nil }))
}

// replaceOld has somebody delete the old note and store one of the same key.
func (r *race) replaceOld() {
	r.t.Helper()
	r.must(r.Delete(context.Background(), r.from))
	kit.CreateNote(context.Background(), r.t, r.Notes, fixtures.Note{ID: "1", Topic: "old", Title: "t", Text: "another"})
}

// stop makes the move up to a request, counted from 0, that is not sent.
func (r *race) stop(at int) {
	r.t.Helper()
	c := &harness.Crash{At: at, Counts: harness.IsOfDocuments}
	ctx, crashed := c.Context(context.Background())
	if err := r.ResumeMove(ctx, r.state); !crashed() || !errors.Is(err, harness.ErrCrash) {
		r.t.Fatal(err)
	}
}

// before has somebody act before a request of the move, counted from 0.
func (r *race) before(at int, act func()) error {
	n := 0
	if at == 0 {
		act()
	}
	c := &harness.Crash{At: -1, Counts: harness.IsOfDocuments, Each: func() {
		if n++; n == at {
			act()
		}
	}}
	ctx, end := c.Context(context.Background())
	defer end()
	return r.ResumeMove(ctx, r.state)
}

// stored are the stored notes, as topic and text.
func (r *race) stored() []string {
	r.t.Helper()
	var all []string
	docs, err := repository.NewQuery(r.Documents, generated.Keys{}).Collect(context.Background())
	r.must(err)
	for _, n := range docs {
		all = append(all, n.Topic+": "+n.Text)
	}
	slices.Sort(all)
	return all
}

// TestMoveRaces has somebody change, delete or replace the documents at every
// point of a move.
func TestMoveRaces(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	resume := func(r *race) error { return r.ResumeMove(ctx, r.state) }
	// A move of which nothing was made reads, creates and deletes.
	const create, remove = 1, 2
	for _, test := range []struct {
		name string
		run  func(*race) error
		want error
		left string
	}{
		{"nobody", resume, nil, "new: text"},
		{"changed before", func(r *race) error { r.change(); return resume(r) }, repository.ErrPreconditionFailed, "old: changed"},
		{"changed before the copy", func(r *race) error { return r.before(create, r.change) }, repository.ErrPreconditionFailed, "old: changed"},
		{"changed before the delete", func(r *race) error { return r.before(remove, r.change) }, repository.ErrPreconditionFailed, "old: changed"},
		{"changed after a crash before the copy", func(r *race) error { r.stop(create); r.change(); return resume(r) }, repository.ErrPreconditionFailed, "old: changed"},
		{"changed after a crash before the delete", func(r *race) error { r.stop(remove); r.change(); return resume(r) }, repository.ErrPreconditionFailed, "old: changed"},
		{"the copy is changed, too", func(r *race) error {
			r.stop(remove)
			r.change()
			r.must(r.Update(ctx, r.state.To, func(n *fixtures.Note) error { n.Text = "as well"; return nil }))
			return resume(r)
		}, repository.ErrPreconditionFailed, "new: as well, old: changed"},
		{"the copy alone is changed", func(r *race) error {
			r.stop(remove)
			r.must(r.Update(ctx, r.state.To, func(n *fixtures.Note) error { n.Text = "changed"; return nil }))
			return resume(r)
		}, repository.ErrAlreadyExists, "new: changed, old: text"},
		{"the copy is deleted", func(r *race) error { r.stop(remove); r.must(r.Delete(ctx, r.state.To)); return resume(r) }, nil, "new: text"},
		{"deleted before", func(r *race) error { r.must(r.Delete(ctx, r.from)); return resume(r) }, repository.ErrNotFound, ""},
		{"deleted before the delete", func(r *race) error {
			return r.before(remove, func() { r.must(r.Delete(ctx, r.from)) })
		}, nil, "new: text"},
		{"replaced before", func(r *race) error { r.replaceOld(); return resume(r) }, repository.ErrNotFound, "old: another"},
		{"replaced before the delete", func(r *race) error { return r.before(remove, r.replaceOld) }, nil, "new: text, old: another"},
		{"replaced after the move", func(r *race) error {
			r.must(resume(r))
			create := fixtures.Note{ID: "1", Topic: "old", Title: "t", Text: "another"}
			r.must(r.Create(ctx, &create))
			return resume(r)
		}, nil, "new: text, old: another"},
		{"changed after the move", func(r *race) error {
			r.must(resume(r))
			r.must(r.Update(ctx, r.state.To, func(n *fixtures.Note) error { n.Text = "changed"; return nil }))
			return resume(r)
		}, repository.ErrNotFound, "new: changed"},
		{"moved by another process", func(r *race) error {
			return r.before(remove, func() { r.must(resume(r)) })
		}, nil, "new: text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRace(t)
			if err := test.run(r); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if got := strings.Join(r.stored(), ", "); got != test.left {
				t.Errorf("there is %q, want %q", got, test.left)
			}
		})
	}
}

// TestMoveLeavesTwo fails to remove the copy of a document that was changed. The
// error says so, and the next call removes it.
func TestMoveLeavesTwo(t *testing.T) {
	r := newRace(t)
	r.server.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Skip: 1, Status: http.StatusForbidden})
	err := r.before(2, r.change)
	if !errors.Is(err, repository.ErrPreconditionFailed) || !strings.Contains(err.Error(), `two documents remain, because the copy could not be removed: move Note "1" in partition "new-t": `) {
		t.Errorf("got %v", err)
	}
	if got := r.stored(); !slices.Equal(got, []string{"new: text", "old: changed"}) {
		t.Errorf("there is %q", got)
	}
	if err := r.ResumeMove(context.Background(), r.state); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	if got := r.stored(); !slices.Equal(got, []string{"old: changed"}) {
		t.Errorf("there is %q", got)
	}
}

// TestMoveCannotDelete leaves both documents, says so, and goes on with the next
// call.
func TestMoveCannotDelete(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"refused": {Operation: emulator.OpDeleteItem, Status: http.StatusForbidden},
		"lost":    {Operation: emulator.OpDeleteItem, Drop: true, Count: -1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRace(t)
			ctx := context.Background()
			r.server.Inject(fault)
			err := r.ResumeMove(ctx, r.state)
			if err == nil || errors.Is(err, repository.ErrUnclear) != fault.Drop || !strings.Contains(err.Error(), `the copy "1" in partition "new-t" is there already, and the move can be resumed`) {
				t.Errorf("got %v", err)
			}
			if got := r.stored(); !slices.Equal(got, []string{"new: text", "old: text"}) {
				t.Errorf("there is %q", got)
			}
			r.server.ClearFaults()
			if err := r.ResumeMove(ctx, r.state); err != nil {
				t.Error(err)
			}
			if got := r.stored(); !slices.Equal(got, []string{"new: text"}) {
				t.Errorf("there is %q", got)
			}
		})
	}
}

// TestUnclearMoves loses requests and answers of both writes.
func TestUnclearMoves(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for _, operation := range []string{emulator.OpCreateItem, emulator.OpDeleteItem} {
		for name, fault := range kit.UnclearFaults(operation) {
			t.Run(operation+" "+name, func(t *testing.T) {
				r := newRace(t)
				r.server.Inject(fault)
				if err := r.Move(context.Background(), r.from, &r.note); err != nil {
					t.Error(err)
				}
				kit.HoldsNote(t, r.Notes, r.note)
				if got := r.stored(); !slices.Equal(got, []string{"new: text"}) {
					t.Errorf("there is %q", got)
				}
			})
		}
	}
}

// outdated plays a replica that lacks the last write: it answers the reads of one operation
// with an earlier version of a document.
type outdated struct {
	partition, etag string
	body            []byte
}

// record is a policy that keeps the first version that is read.
func (o *outdated) record(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || o.body != nil || !isRead(r.Raw()) || response.StatusCode != http.StatusOK {
		return response, err
	}
	o.partition, o.etag = r.Raw().Header.Get("x-ms-documentdb-partitionkey"), response.Header.Get("etag")
	o.body, err = io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(o.body))
	return response, err
}

// answer is a policy that answers with this version.
func (o *outdated) answer(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && isRead(r.Raw()) && r.Raw().Header.Get("x-ms-documentdb-partitionkey") == o.partition {
		response.StatusCode = http.StatusOK
		response.Header.Set("etag", o.etag)
		response.Body = io.NopCloser(bytes.NewReader(o.body))
	}
	return response, err
}

func isRead(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/docs/")
}

// TestMoveReadsWhatWas resumes a complete move, while a read still shows the
// document under its old key, in the version before the move. The copy, which is
// the only document, stays.
func TestMoveReadsWhatWas(t *testing.T) {
	o := new(outdated)
	r := newRace(t, harness.Policy(o.record)) // PrepareMove has read the first version
	ctx := context.Background()
	r.change()
	n := r.note
	n.ETag, n.Text = "", "second"
	state, err := r.PrepareMove(ctx, r.from, &n)
	r.must(err)
	r.must(r.ResumeMove(ctx, state))
	if err := r.ResumeMove(harness.Intercept(ctx, o.answer), state); err != nil {
		t.Error(err)
	}
	if got := r.stored(); !slices.Equal(got, []string{"new: second"}) {
		t.Errorf("there is %q", got)
	}
}
