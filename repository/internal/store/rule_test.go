package store_test

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestRules compares the state of stored items, whether reads show them, and the
// conditions of queries and patches.
func TestRules(t *testing.T) {
	t.Parallel()
	pending := errors.New("pending")
	s := store.Store{Rules: []store.Rule{
		store.WithoutFences(),
		store.OfType(&generated.Discriminator{Property: "type", Value: "event"}),
		store.WithoutMarks(),
		store.Without("_pending", store.Hidden, pending),
		store.Without("removed", store.Deleted, wire.ErrDeleted),
		store.OfForm(&store.Schema{Property: "v", Number: 2}),
	}}
	for raw, want := range map[string]store.Verdict{
		`{"id":"1","type":"event"}`:                                           {},
		`{"id":"1","type":"event","v":3}`:                                     {},
		`{"id":"1","type":"event","removed":null}`:                            {},
		`{"id":"1","type":"event","within":{"removed":"2018"}}`:               {},
		`{"id":"1","type":"event","_move":{"state":"final"}}`:                 {},
		`{"id":"1","type":"event","_move":{"state":"gone"},"removed":"2018"}`: {State: store.Moving},
		`{"id":"1","type":"event","_pending":{"of":1},"removed":"2018"}`:      {State: store.Hidden, Err: pending},
		`{"id":"1","type":"event", "removed" : "2018-08-09"}`:                 {State: store.Deleted, Err: wire.ErrDeleted},
		`{"id":"1","type":"event","_pending":null,"removed":false}`:           {State: store.Deleted, Err: wire.ErrDeleted},
		`{"id":"1","type":"audit","_pending":{"of":1}}`:                       {State: store.Other, Err: wire.ErrOtherType},
		`{"id":"1"}`: {State: store.Other, Err: wire.ErrOtherType},
		`{"id":"1","type":"event","_pkgenMove":{"kind":"fence"}}`: {State: store.Other, Err: wire.ErrOtherType},
	} {
		got := s.Judge([]byte(raw))
		if got.State != want.State || !errors.Is(got.Err, want.Err) {
			t.Errorf("%s: got %v, want %v", raw, got, want)
		}
		shown := want.State == store.Shown
		if s.Shows([]byte(raw)) != shown || s.Owns([]byte(raw)) != (want.State != store.Other) {
			t.Errorf("%s: shown %v, owned %v", raw, s.Shows([]byte(raw)), s.Owns([]byte(raw)))
		}
		err := s.Refuse("get", wire.Place{ID: "1"}, []byte(raw), wire.ErrNotFound)
		switch {
		case shown || want.State == store.Moving:
			if err != nil {
				t.Errorf("%s: %v", raw, err)
			}
		case !errors.Is(err, want.Err) || !errors.Is(err, wire.ErrNotFound) || store.IsConcealed(err) == (want.State == store.Other):
			t.Errorf("%s: got %v", raw, err)
		}
	}
	const (
		pendings = `(c["type"] = "event") AND (NOT IS_DEFINED(c["_pending"]) OR IS_NULL(c["_pending"]))`
		removed  = `(NOT IS_DEFINED(c["removed"]) OR IS_NULL(c["removed"]))`
		fence    = `NOT IS_DEFINED(c["_pkgenMove"])`
	)
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	check("queries", s.Condition(), fence+" AND (("+pendings+") AND "+removed+")")
	check("writes", s.OwnCondition(), "("+pendings+") AND "+removed)
	check("patches", s.PatchCondition(), "(("+pendings+") AND "+removed+`) AND (c["v"] = 2)`)
	s.ShowsDeleted = true
	check("queries that show deleted documents", s.Condition(), fence+" AND ("+pendings+")")
	if marked := []byte(`{"id":"1","type":"event","removed":"2018"}`); !s.Shows(marked) || s.Judge(marked).State != store.Deleted {
		t.Errorf("a marked document is not shown: %v", s.Judge(marked))
	}
	s.Rules = s.Rules[:1]
	check("queries of tenants that move", s.Condition(), fence)
	s.Rules = nil
	check("queries of a container of one type", s.Condition(), "")
	if !s.Shows([]byte(`{}`)) || s.PatchCondition() != "" {
		t.Error("a store without rules does not show all")
	}
}

// TestTypes compares the two forms of a rule for several types: the one whose name documents
// have, and the one whose documents have none.
func TestTypes(t *testing.T) {
	t.Parallel()
	unnamed := store.OfType(&generated.Discriminator{Property: "type", Others: []string{"audit", "line"}})
	if want := `NOT IS_DEFINED(c["type"]) OR c["type"] NOT IN ("audit", "line")`; unnamed.Reads != want {
		t.Errorf("got %s, want %s", unnamed.Reads, want)
	}
	for raw, want := range map[string]store.State{
		`{}`: store.Shown, `{"type":null}`: store.Shown, `{"type":7}`: store.Shown, `{"type":"event"}`: store.Shown,
		`{"type":"audit"}`: store.Other, `{"type":"line"}`: store.Other,
	} {
		if got := unnamed.Judge([]byte(raw)).State; got != want {
			t.Errorf("%s: got %v, want %v", raw, got, want)
		}
	}
	named := store.OfType(&generated.Discriminator{Property: "type", Value: "event"})
	for raw, want := range map[string]string{
		`{}`:               "",
		`{"type":"audit"}`: ": its property type says so",
		`{"type":7}`:       ": its property type says so",
		`{"type":null}`:    ": its property type says so",
	} {
		if got := named.Judge([]byte(raw)); got.State != store.Other || got.Err.Error() != wire.ErrOtherType.Error()+want {
			t.Errorf("%s: got %v", raw, got)
		}
	}
}
