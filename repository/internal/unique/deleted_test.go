package unique_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUniqueDeleted follows a value whose holder is deleted, restored, deleted and purged.
func TestUniqueDeleted(t *testing.T) {
	t.Parallel()
	server, container, _ := newMembers(t)
	ctx, r := t.Context(), repository.New(container, fixtures.MarkedMemberModel)
	one := ada()
	if err := r.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	deletions := map[string]func() error{
		"Delete":        func() error { return r.Delete(ctx, one.Key()) },
		"DeleteIfMatch": func() error { return r.DeleteIfMatch(ctx, reread(t, r, one.Key())) },
		"DeleteAll": func() error {
			_, err := r.DeleteAll(documents.Items(one.Key())).Collect(ctx)
			return err
		},
		"DeleteFound": func() error { _, err := r.DeleteFound(r.Scan()).Collect(ctx); return err },
	}
	for name, remove := range deletions {
		if err := remove(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		server.Advance(11 * time.Second) // a mark is no unfinished write
		if err := r.Create(ctx, &fixtures.Member{ID: "other", Region: "us", Email: one.Email}); !errors.Is(err, repository.ErrNotUnique) {
			t.Errorf("%s: the value of a marked document: %v", name, err)
		}
		if err := r.Create(ctx, ada()); !errors.Is(err, repository.ErrAlreadyExists) || !errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s: the id of a marked document: %v", name, err)
		}
		if _, err := repository.GetByUnique(ctx, r, "email", one.Email); !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) || strings.Contains(err.Error(), one.Email) {
			t.Errorf("%s: by the value: %v", name, err)
		}
		if _, err := repository.GetByUnique(ctx, r, "email", "nobody@example.com"); !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s: by a value that no document has: %v", name, err)
		}
		shown, err := repository.GetByUnique(ctx, repository.WithDeleted(r), "email", one.Email)
		if err != nil || shown.ID != one.ID {
			t.Errorf("%s: by the value, with deleted ones: %v, %v", name, shown, err)
		}
		for write, err := range map[string]error{
			"Replace": repository.WithDeleted(r).Replace(ctx, ada()),
			"Upsert":  repository.WithDeleted(r).Upsert(ctx, ada()),
			"Delete":  repository.WithDeleted(r).Delete(ctx, one.Key()),
		} {
			if !errors.Is(err, repository.ErrDeleted) {
				t.Errorf("%s, and %s of a marked document: %v", name, write, err)
			}
		}
		if err := kit.ErrorOf(repository.Restore(ctx, r, one.Key())); err != nil {
			t.Fatal(err)
		}
		if found, err := repository.GetByUnique(ctx, r, "email", one.Email); err != nil || found.ID != one.ID {
			t.Errorf("%s: after it was restored: %v, %v", name, found, err)
		}
	}
	if err := repository.Purge(ctx, r, one.Key()); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("a purge of a document that is not marked: %v", err)
	}
	if err := r.Delete(ctx, one.Key()); err != nil {
		t.Fatal(err)
	}
	if err := repository.Purge(ctx, r, one.Key()); err != nil {
		t.Fatal(err)
	}
	s, err := takeStock(container)
	if err != nil || len(s.visible)+len(s.hidden)+len(s.reservations) != 0 {
		t.Errorf("after the purge there are %+v, %v", s, err)
	}
	if err := r.Create(ctx, &fixtures.Member{ID: "other", Region: "us", Email: one.Email}); err != nil {
		t.Errorf("the value is free: %v", err)
	}
}

func reread(t *testing.T, r *members, key fixtures.MemberKey) *fixtures.Member {
	t.Helper()
	m, err := r.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUniquePurgeAfterACrash kills a program before each request of a purge, and after it,
// and loses each answer. Nothing is blocked after the bound.
func TestUniquePurgeAfterACrash(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		server, container, _ := newMembers(t)
		r := repository.New(container, fixtures.MarkedMemberModel)
		for n := 0; ; n++ {
			clearMembers(t, container)
			ctx, one := t.Context(), ada()
			if err := r.Create(ctx, one); err != nil {
				t.Fatal(err)
			}
			if err := r.Delete(ctx, one.Key()); err != nil {
				t.Fatal(err)
			}
			c := &harness.Crash{At: n, After: after}
			process, crashed := c.Context(ctx)
			err := repository.Purge(process, repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MarkedMemberModel), one.Key())
			if !crashed() {
				if err != nil || n < 4 {
					t.Fatalf("%d requests: %v", n, err)
				}
				break
			}
			s, err := takeStock(container)
			if err == nil {
				err = s.check()
			}
			if err != nil {
				t.Fatalf("killed at request %d (after: %t): %v", n, after, err)
			}
			server.Advance(11 * time.Second)
			created := r.Create(ctx, &fixtures.Member{ID: "other", Region: "us", Email: one.Email})
			_, there := repository.WithDeleted(r).Get(ctx, one.Key())
			if there == nil && !errors.Is(created, repository.ErrNotUnique) || there != nil && created != nil {
				t.Fatalf("killed at request %d (after: %t): the marked document: %v, a creation of its value: %v", n, after, there, created)
			}
		}
	}
}

// TestUniquePurgeUnclear loses the answer to the deletion of a purge.
func TestUniquePurgeUnclear(t *testing.T) {
	t.Parallel()
	server, container, _ := newMembers(t)
	ctx, r, one := t.Context(), repository.New(container, fixtures.MarkedMemberModel), ada()
	if err := r.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(ctx, one.Key()); err != nil {
		t.Fatal(err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Status: http.StatusServiceUnavailable, After: true, Count: 1})
	if err := repository.Purge(ctx, r, one.Key()); err != nil {
		t.Fatal(err)
	}
	if s, err := takeStock(container); err != nil || len(s.visible)+len(s.reservations) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestUniqueReplaceTwiceAndDeleted has a proxy that repeats the request of a replacement, and
// another program that deletes the document before the replacement looks why it was refused.
func TestUniqueReplaceTwiceAndDeleted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(m *fixtures.Member){
		"a new value":    func(m *fixtures.Member) { m.Email = "new@example.com" },
		"without ETag":   func(m *fixtures.Member) { m.ETag = "" },
		"the value kept": func(m *fixtures.Member) { m.Name = "Countess" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, container, _ := newMembers(t)
			ctx, direct, one := t.Context(), repository.New(container, fixtures.MarkedMemberModel), ada()
			if err := direct.Create(ctx, one); err != nil {
				t.Fatal(err)
			}
			replaced := false
			proxy := &proxytest.Proxy{Fate: func(r *http.Request) proxytest.Fate {
				own := strings.HasSuffix(r.URL.Path, "/docs/"+one.ID)
				if own && r.Method == http.MethodPut {
					replaced = true
					return proxytest.Twice
				}
				if own && replaced && r.Method == http.MethodGet {
					replaced = false
					if err := direct.Delete(ctx, one.Key()); err != nil {
						t.Error(err)
					}
				}
				return proxytest.Passes
			}}
			m := reread(t, direct, one.Key())
			change(m)
			if err := repository.New(throughProxy(t, server, proxy), fixtures.MarkedMemberModel).Replace(ctx, m); !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("a definite error of a document that was stored: %v", err)
			}
		})
	}
}

// TestUniqueForms has Upgrade keep a unique value, and refuses one that changes it.
func TestUniqueForms(t *testing.T) {
	t.Parallel()
	_, container, old := newMembers(t)
	ctx, one := t.Context(), ada()
	if err := old.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	formed := func(upgrade func(m *fixtures.Member)) *members {
		m := *fixtures.MemberModel
		m.Schema = &generated.Schema[fixtures.Member]{Property: "form", Number: 2, Set: func(*fixtures.Member) {}, Upgrade: func(m *fixtures.Member, _ int, _ json.RawMessage) error {
			upgrade(m)
			return nil
		}}
		return repository.New(container, &m)
	}
	changes := formed(func(m *fixtures.Member) { m.Email = "lower@example.com" })
	for name, read := range map[string]func() error{
		"Get":         func() error { _, err := changes.Get(ctx, one.Key()); return err },
		"GetByUnique": func() error { _, err := repository.GetByUnique(ctx, changes, "email", one.Email); return err },
		"Update":      func() error { return changes.Update(ctx, one.Key(), func(*fixtures.Member) error { return nil }) },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "it has changed the unique property email") || strings.Contains(err.Error(), "@") {
			t.Errorf("%s: %v", name, err)
		}
	}
	keeps := formed(func(m *fixtures.Member) { m.Name = "of form 2" })
	if found, err := repository.GetByUnique(ctx, keeps, "email", one.Email); err != nil || found.Name != "of form 2" {
		t.Errorf("%v, %v", found, err)
	}
	if summary, err := admin.Upgrade(ctx, keeps, admin.Run{}); err != nil || summary.Changed != 1 {
		t.Errorf("%+v, %v", summary, err)
	}
	s, err := takeStock(container)
	if err == nil {
		err = s.check()
	}
	if err != nil || len(s.visible) != 1 || len(s.reservations) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	later := *fixtures.MemberModel
	later.Schema = &generated.Schema[fixtures.Member]{Property: "form", Number: 1, Set: func(*fixtures.Member) {}}
	earlier := repository.New(container, &later)
	for name, err := range map[string]error{
		"Replace": earlier.Replace(ctx, &fixtures.Member{ID: one.ID, Region: one.Region, Email: "new@example.com"}),
		"Upsert":  earlier.Upsert(ctx, &fixtures.Member{ID: one.ID, Region: one.Region, Email: "new@example.com"}),
	} {
		if !errors.Is(err, repository.ErrNewerDocument) {
			t.Errorf("%s over a newer document: %v", name, err)
		}
	}
	if err := keeps.Create(ctx, &fixtures.Member{ID: "n", Region: "us", Email: "new@example.com"}); err != nil {
		t.Errorf("a value that was refused to an older release: %v", err)
	}
}
