package store_test

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestHidings asks which documents a store hides, of the document and of a query.
func TestHidings(t *testing.T) {
	t.Parallel()
	pending, removed := errors.New("pending"), errors.New("removed")
	s := store.Store{Hidings: []store.Hiding{{Property: "_pending", Err: pending}, {Property: "removed", Err: removed}}}
	for raw, want := range map[string]error{
		`{"id":"1"}`:                                  nil,
		`{"id":"1","_pending":{"of":1}}`:              pending,
		`{"id":"1","removed":null}`:                   nil,
		`{"id":"1", "removed" : "2018-08-09"}`:        removed,
		`{"id":"1","within":{"removed":"2018"}}`:      nil,
		`{"id":"1","removed":false,"_pending": null}`: removed,
	} {
		if got := s.Concealed([]byte(raw)); got != want {
			t.Errorf("%s: got %v, want %v", raw, got, want)
		}
	}
	const hidings = `(NOT IS_DEFINED(c["_pending"]) OR IS_NULL(c["_pending"])) AND (NOT IS_DEFINED(c["removed"]) OR IS_NULL(c["removed"]))`
	if got := s.Condition(); got != hidings {
		t.Errorf("got %s, want %s", got, hidings)
	}
	s.Discriminator = &generated.Discriminator{Property: "type", Value: "event"}
	s.Hidings = s.Hidings[1:]
	const typed = `(c["type"] = "event") AND (NOT IS_DEFINED(c["removed"]) OR IS_NULL(c["removed"]))`
	if got := s.PatchCondition(); got != typed {
		t.Errorf("got %s, want %s", got, typed)
	}
	err := s.ConcealedError("get", wire.Place{ID: "1"}, removed, wire.ErrNotFound)
	if !errors.Is(err, removed) || !errors.Is(err, wire.ErrNotFound) || !store.IsConcealed(err) || store.IsConcealed(removed) {
		t.Errorf("got %v", err)
	}
}
