package move

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// residence returns where a tenant lives, and its state.
func (r *rig) residence(tenant string) string {
	r.t.Helper()
	d, err := r.records.Read(context.Background(), "orders", tenant)
	if err != nil {
		r.t.Fatal(err)
	}
	moving := ""
	if len(d.Move) > 0 {
		moving = " with a move"
	}
	return d.Container + " " + string(d.State) + moving
}

// check fails unless a tenant lives in a container with these documents, and has none
// elsewhere.
func (r *rig) check(tenant, lives, residence string, want map[string]string) {
	r.t.Helper()
	if got := r.residence(tenant); got != residence {
		r.t.Errorf("the directory says %q, want %q", got, residence)
	}
	for _, id := range []string{"orders", "orders-own"} {
		var expected map[string]string
		if id == lives {
			expected = want
		}
		if got := r.stored(r.client(id), tenant); !maps.Equal(got, expected) {
			r.t.Errorf("container %s has %d documents %v, want %d", id, len(got), got, len(expected))
		}
		if got := r.hidden(r.client(id), tenant); got != "" && got != tenancy.FenceID {
			r.t.Errorf("container %s still has %s", id, got)
		}
	}
}

// TestMove moves a tenant into a container of its own and back, twice, with more documents
// than a batch and a page have. Documents of others stay.
func TestMove(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared, own := r.container("orders", tenantPath, nil), r.container("orders-own", tenantPath, nil)
	want := some(feedPage + 120)
	r.store(shared, "a", want)
	r.store(shared, "b", some(3))
	for range 2 {
		for _, to := range []string{"orders-own", "orders"} {
			done, err := Run(t.Context(), r.settings("a", to))
			if err != nil {
				t.Fatal(err)
			}
			if done.Step != Done || done.Documents != int64(len(want)) || done.Removed != int64(len(want)) || done.Mended != 0 || done.Pause <= 0 || done.RequestUnits <= 0 {
				t.Errorf("%+v", done)
			}
			residence := "orders-own settled"
			if to == "orders" {
				residence = " settled"
			}
			r.check("a", to, residence, want)
		}
	}
	if got := r.stored(shared, "b"); len(got) != 3 {
		t.Errorf("another tenant has %v", got)
	}
	if got := r.stored(own, "a"); len(got) != 0 {
		t.Errorf("%v is left", got)
	}
	done, err := Run(t.Context(), r.settings("a", "orders"))
	if err != nil || done.Step != Done || done.Documents != 0 {
		t.Errorf("to where it is: %+v, %v", done, err)
	}
}

// TestMoveRefused says what is wrong, and writes nothing.
func TestMoveRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.store(r.container("orders", tenantPath, nil), "a", some(2))
	ten, twenty := int32(10), int32(20)
	r.container("of-other-key", "/customerId", nil)
	r.container("expires", tenantPath, &ten)
	r.container("expires-later", tenantPath, &twenty)
	r.store(r.container("full", tenantPath, nil), "a", some(1))
	for to, want := range map[string]string{
		"of-other-key": `they have to be the same`,
		"expires":      `is none, and that of container "expires" is 10 seconds`,
		"full":         `has 1 documents of the tenant, which is not in this container`,
		"missing":      `there is no container "missing"`,
		"":             `have to be named`,
	} {
		before := len(r.Requests())
		done, err := Run(t.Context(), r.settings("a", to))
		if err == nil || !strings.Contains(err.Error(), want) || done.Step == Done {
			t.Errorf("%q: %v, want %s", to, err, want)
		}
		for _, request := range r.Requests()[before:] {
			if request.Method != "GET" && !strings.Contains(request.Operation, "Query") {
				t.Errorf("%q: %s %s was sent", to, request.Method, request.Operation)
			}
		}
	}
	if got := r.residence("a"); got != " settled" {
		t.Errorf("the directory says %q", got)
	}
	if _, err := Run(t.Context(), r.settings("a", "missing")); !errors.Is(err, wire.ErrNoContainer) {
		t.Errorf("%v does not match ErrNoContainer", err)
	}
}
