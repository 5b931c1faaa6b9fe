package unique_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const (
	oldEmail = "old@example.com"
	newEmail = "new@example.com"
)

// pinned are operations that want newEmail, or end with oldEmail, and how many requests
// each sends if nobody interferes.
var pinned = map[string]struct {
	requests int
	run      func(ctx context.Context, r *members) error
}{
	"create": {3, func(ctx context.Context, r *members) error {
		return r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: newEmail})
	}},
	"upsert of a new document": {4, func(ctx context.Context, r *members) error {
		return r.Upsert(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: newEmail})
	}},
	"upsert": {5, func(ctx context.Context, r *members) error {
		return r.Upsert(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: newEmail})
	}},
	"replace": {5, func(ctx context.Context, r *members) error {
		return r.Replace(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: newEmail})
	}},
	"update": {5, func(ctx context.Context, r *members) error {
		return r.Update(ctx, fixtures.MemberKey{ID: "u", Region: "eu"}, func(m *fixtures.Member) error { m.Email = newEmail; return nil })
	}},
	"bulk creation": {3, func(ctx context.Context, r *members) error {
		_, err := r.CreateAll(documents.Items([]*fixtures.Member{{ID: "n", Region: "eu", Email: newEmail}}...)).Collect(ctx)
		return err
	}},
	"bulk upsert": {5, func(ctx context.Context, r *members) error {
		_, err := r.UpsertAll(documents.Items([]*fixtures.Member{{ID: "u", Region: "eu", Email: newEmail}}...)).Collect(ctx)
		return err
	}},
	"delete": {4, func(ctx context.Context, r *members) error {
		return r.Delete(ctx, fixtures.MemberKey{ID: "u", Region: "eu"})
	}},
	"bulk deletion": {4, func(ctx context.Context, r *members) error {
		_, err := r.DeleteAll(documents.Items([]fixtures.MemberKey{{ID: "u", Region: "eu"}}...)).Collect(ctx)
		return err
	}},
}

// TestUniqueHeld holds each request of each operation for longer than the bound, while
// another program takes the value: the operation finds out, and leaves no hidden document.
func TestUniqueHeld(t *testing.T) {
	t.Parallel()
	server, container, r := newMembers(t)
	through := repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MemberModel)
	ctx := context.Background()
	for name, operation := range pinned {
		deletes := name == "delete" || name == "bulk deletion"
		for n := range operation.requests {
			clearMembers(t, container)
			if err := r.Create(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: oldEmail}); err != nil {
				t.Fatal(err)
			}
			h := harness.NewHold(n)
			done := make(chan error)
			go func() { done <- operation.run(h.Context(ctx), through) }()
			<-h.Reached
			server.Advance(11 * time.Second)
			wanted := newEmail
			if deletes {
				wanted = oldEmail
			}
			before, err := takeStock(container)
			if err != nil {
				t.Fatal(err)
			}
			shown := slices.ContainsFunc(before.visible, func(i *storedItem) bool { return i.Email == wanted })
			rival := r.Create(ctx, &fixtures.Member{ID: "rival", Region: "us", Email: wanted})
			if shown && !errors.Is(rival, repository.ErrNotUnique) || !shown && rival != nil {
				t.Errorf("%s held before request %d: %s is shown: %t, and the other gets %v", name, n, wanted, shown, rival)
			}
			close(h.Release)
			switch err := <-done; {
			case deletes || rival != nil:
				if err != nil {
					t.Errorf("%s held before request %d: %v", name, n, err)
				}
			case !errors.Is(err, repository.ErrNotUnique):
				t.Errorf("%s held before request %d while another took the value: %v", name, n, err)
			}
			after, err := takeStock(container)
			if err == nil {
				err = after.check()
			}
			if err != nil || len(after.hidden) > 0 {
				t.Errorf("%s held before request %d: %d are hidden, %v", name, n, len(after.hidden), err)
			}
			if got, err := repository.GetByUnique(ctx, r, "email", wanted); rival == nil && (err != nil || got.ID != "rival") {
				t.Errorf("%s held before request %d: %v, %v", name, n, got, err)
			}
		}
	}
}

// TestUniqueHeldAndReplaced holds the last write of a creation for longer than the bound,
// while one program takes the value, and another the id: the write has no effect on the
// document that is there now, shown or hidden.
func TestUniqueHeldAndReplaced(t *testing.T) {
	t.Parallel()
	server, container, r := newMembers(t)
	through := repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MemberModel)
	ctx := context.Background()
	for name, last := range map[string]int{"create": 2, "bulk creation": 2, "upsert of a new document": 3} {
		clearMembers(t, container)
		h := harness.NewHold(last)
		done := make(chan error)
		go func() { done <- pinned[name].run(h.Context(ctx), through) }()
		<-h.Reached
		if err := r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: "third"}); !errors.Is(err, repository.ErrUnfinished) || errors.Is(err, repository.ErrAlreadyExists) {
			t.Errorf("%s: a rival for the id meanwhile: %v", name, err)
		}
		server.Advance(11 * time.Second)
		if err := r.Create(ctx, &fixtures.Member{ID: "rival", Region: "us", Email: newEmail}); err != nil {
			t.Fatal(err)
		}
		if err := r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: "third"}); err != nil {
			t.Fatal(err)
		}
		close(h.Release)
		if err := <-done; !errors.Is(err, repository.ErrAlreadyExists) {
			t.Errorf("%s: %v", name, err)
		}
		s, err := takeStock(container)
		if err == nil {
			err = s.check()
		}
		if err != nil || len(s.hidden) > 0 || len(s.visible) != 2 {
			t.Errorf("%s: %d are shown and %d hidden, %v", name, len(s.visible), len(s.hidden), err)
		}
		if got, err := repository.GetByUnique(ctx, r, "email", "third"); err != nil || got.ID != "n" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestUniqueRequests counts what each operation sends, as docs/unique.md has it, and the
// two point reads of GetBy methods.
func TestUniqueRequests(t *testing.T) {
	t.Parallel()
	server, container, r := newMembers(t)
	ctx := context.Background()
	count := func(name string, want int, run func() error) {
		t.Helper()
		server.ResetRequests()
		if err := run(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := server.Requests(); len(got) != want {
			t.Errorf("%s sends %d requests, want %d: %v", name, len(got), want, got)
		}
	}
	for name, operation := range pinned {
		clearMembers(t, container)
		if err := r.Create(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: oldEmail}); err != nil {
			t.Fatal(err)
		}
		count(name, operation.requests, func() error { return operation.run(ctx, r) })
	}
	clearMembers(t, container)
	if err := r.Create(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: oldEmail}); err != nil {
		t.Fatal(err)
	}
	count("GetBy", 2, func() error { _, err := repository.GetByUnique(ctx, r, "email", oldEmail); return err })
	for _, q := range server.Requests() {
		if q.Operation != emulator.OpReadItem {
			t.Errorf("GetBy sends %v", q)
		}
	}
	count("replace of the same value", 2, func() error {
		return r.Replace(ctx, &fixtures.Member{ID: "u", Region: "eu", Email: oldEmail, Name: "x"})
	})
	count("create of a value that is taken", 5, func() error {
		if err := r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: oldEmail}); !errors.Is(err, repository.ErrNotUnique) {
			return err
		}
		return nil
	})
	count("move", 0, func() error {
		if r.Move(ctx, fixtures.MemberKey{ID: "u", Region: "eu"}, &fixtures.Member{ID: "u", Region: "us", Email: oldEmail}) == nil {
			t.Error("a document with a unique value moves")
		}
		return nil
	})
}

// holdCreation holds a creation before its last request. It returns the repository by which the
// creation goes on, and a function that lets it end.
func holdCreation(t *testing.T, server *harness.Account) (r *members, ends func()) {
	t.Helper()
	r = repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MemberModel)
	ctx := context.Background()
	if _, err := r.Get(ctx, fixtures.MemberKey{ID: "n", Region: "eu"}); !errors.Is(err, repository.ErrNotFound) { // the client has read the account
		t.Fatal(err)
	}
	h := harness.NewHold(pinned["create"].requests - 1)
	done := make(chan error)
	go func() { done <- pinned["create"].run(h.Context(ctx), r) }()
	<-h.Reached
	return r, func() {
		t.Helper()
		close(h.Release)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

// TestUniqueUnfinished holds a creation before its last request: for others, whether there
// will be the document, or its value, is open.
func TestUniqueUnfinished(t *testing.T) {
	t.Parallel()
	server, _, r := newMembers(t)
	ctx := context.Background()
	_, ends := holdCreation(t, server)
	id := r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: "third"})
	if !errors.Is(id, repository.ErrUnfinished) || errors.Is(id, repository.ErrAlreadyExists) {
		t.Errorf("a rival for the id: %v", id)
	}
	value := r.Create(ctx, &fixtures.Member{ID: "rival", Region: "us", Email: newEmail})
	if !errors.Is(value, repository.ErrUnfinished) || !errors.Is(value, repository.ErrNotUnique) {
		t.Errorf("a rival for the value: %v", value)
	}
	ends()
	if err := r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: "third"}); !errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrUnfinished) {
		t.Errorf("a rival for the id, later: %v", err)
	}
	if err := r.Create(ctx, &fixtures.Member{ID: "rival", Region: "us", Email: newEmail}); !errors.Is(err, repository.ErrNotUnique) || errors.Is(err, repository.ErrUnfinished) {
		t.Errorf("a rival for the value, later: %v", err)
	}
}

// TestUniqueUnfinishedForLong has an upsert meet the same interrupted creation at each of its
// attempts. The creation is old enough to be removed at the last one only.
func TestUniqueUnfinishedForLong(t *testing.T) {
	t.Parallel()
	server, _, _ := newMembers(t)
	intercepted, ends := holdCreation(t, server)
	creations := 0
	late := harness.Before(func() {
		if creations++; creations == backoff.MaxAttempts {
			server.Advance(time.Hour)
		}
	}, http.MethodPost)
	err := intercepted.Upsert(harness.Intercept(context.Background(), late), &fixtures.Member{ID: "n", Region: "eu", Email: "third"})
	if !errors.Is(err, repository.ErrUnfinished) || errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("no document is there, and the upsert gives %v", err)
	}
	ends()
}

// TestUniqueExpires has a document that expires: its value is free at once, although the
// reservation stays. Patches begin the time of a document anew, and not that of a
// reservation.
func TestUniqueExpires(t *testing.T) {
	t.Parallel()
	server, container, _ := newMembers(t)
	ctx := context.Background()
	properties := membersContainer()
	always := int32(-1)
	properties.DefaultTimeToLive = &always
	if _, err := container.Replace(ctx, properties, nil); err != nil {
		t.Fatal(err)
	}
	model := *fixtures.MemberModel
	r := repository.New(container, &model)
	create := func(id string) error {
		return r.Create(ctx, &fixtures.Member{ID: id, Region: "eu", Email: oldEmail, TTL: 30})
	}
	if err := create("a"); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the reservation is older than the time to live, the document is not
		server.Advance(20 * time.Second)
		if err := r.Patch(ctx, fixtures.MemberKey{ID: "a", Region: "eu"}, repository.PatchValue[fixtures.Member, string]("/name").Set("x")); err != nil {
			t.Fatal(err)
		}
		if err := create("b"); !errors.Is(err, repository.ErrNotUnique) {
			t.Fatalf("the holder lives, and a creation gives %v", err)
		}
	}
	server.Advance(31 * time.Second)
	if _, err := repository.GetByUnique(ctx, r, "email", oldEmail); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the holder has expired: %v", err)
	}
	if err := create("b"); err != nil {
		t.Errorf("the holder has expired: %v", err)
	}
}
