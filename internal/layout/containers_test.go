package layout

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

func TestContainers(t *testing.T) {
	kinds := []lock.PropertyKind{
		{Property: "at", Kind: lock.Time}, {Property: "tenant", Kind: lock.Text}, {Property: "meta.shop", Kind: lock.Integer},
		{Property: "on", Kind: lock.Bool}, {Property: "addr", Kind: "net/netip.Addr"},
	}
	for _, tt := range []struct {
		container, document, id string
		others                  []string // ids that are not of the type
	}{
		{"orders", `{}`, "orders", []string{"orders-1", "Orders"}},
		{"telemetry-{at|2006-01}", `{"at":"2018-08-31T23:30:00-02:00"}`, "telemetry-2018-09", []string{"telemetry-2018-13", "telemetry-2018-9", "telemetry-2018-09-01", "telemetry-", "x-telemetry-2018-09"}},
		{"h-{at|2006-01-02-15}", `{"at":"2018-08-31T23:30:00Z"}`, "h-2018-08-31-23", []string{"h-2018-02-30-23", "h-2018-08-31-24"}},
		{"orders-{tenant}", `{"tenant":"Contoso-EU"}`, "orders-_43ontoso-_45_55", []string{"orders-Contoso", "orders-_61", "orders-_4", "orders-", "orders"}},
		{"{tenant}-{meta.shop}-v2", `{"tenant":"a-b","meta":{"shop":-7}}`, "a_2db-_2d7-v2", []string{"a-b-7-v2", "a-7-v3"}},
		{"{on}-{addr}", `{"on":true,"addr":"::1"}`, "true-_3a_3a1", []string{"yes-1"}},
	} {
		c, err := ContainersOf(lock.Entry{Type: "T", Container: tt.container, Kinds: kinds})
		if err != nil {
			t.Fatal(err)
		}
		if id, err := c.ID([]byte(tt.document)); err != nil || id != tt.id {
			t.Errorf("%s of %s: %q, %v, want %q", tt.container, tt.document, id, err, tt.id)
		}
		if !c.Hold(tt.id) {
			t.Errorf("%s does not hold %q", tt.container, tt.id)
		}
		for _, other := range tt.others {
			if c.Hold(other) {
				t.Errorf("%s holds %q", tt.container, other)
			}
		}
	}
	c, err := ContainersOf(lock.Entry{Type: "T", Container: "orders-{tenant}", Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{`{}`, `{"tenant":""}`, `{"tenant":7}`, `[]`} {
		var problem *Error
		if id, err := c.ID([]byte(document)); !errors.As(err, &problem) || problem.Type != "T" {
			t.Errorf("%s: %q, %v", document, id, err)
		}
	}
	tiers := lock.Entry{Type: "T", Container: "orders", Own: "orders-{tenant}", Kinds: kinds}
	for id, want := range map[string]int{"orders": 1, "orders-_43ontoso": 1, "orders-Contoso": 0} {
		if in, err := InContainer(lock.Lock{tiers}, id); err != nil || len(in) != want {
			t.Errorf("types of %s: %v, %v", id, in, err)
		}
	}
	if _, err := ContainersOf(lock.Entry{Container: "{a},{b}"}); err == nil {
		t.Error("a template with a comma is accepted")
	}
}
