package layout

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// TestIndexText makes the texts of indexes, as the lock has them.
func TestIndexText(t *testing.T) {
	const document = `{"id":"ü","a":"X-y","n":7,"at":"2024-01-31T23:30:00-01:00","meta":{"addr":"::1"}}`
	for _, tt := range []struct{ layout, kinds, want string }{
		{"{a}-{at|2006-01}", "text,time", "X-y-2024-02"},
		{"{a|lower}.{n}", "text,int", "x-y.7"},
		{"{n},{a|lower}", "int,text", "x-y"},
		{"{a},{a}-{id},{n}", "text,text,text,int", "X-y-ü"},
		{"x{meta.addr}", "net/netip.Addr", "x::1"},
		{"x{meta.addr}-{a}", "example.com/m.Pair[int,map[string]string],text", "x::1-X-y"},
	} {
		x, err := IndexTextOf("Order", lock.Index{Name: "I", Layout: tt.layout, Kinds: tt.kinds, Property: "i"})
		if err != nil {
			t.Errorf("%s: %v", tt.layout, err)
			continue
		}
		if got, err := x.Of([]byte(document)); got != tt.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", tt.layout, got, err, tt.want)
		}
		var problem *Error
		if _, err := x.Of([]byte(`{"id":"1","a":"","n":7}`)); !errors.As(err, &problem) || problem.Type != "Order" || problem.Property == "" {
			t.Errorf("%s of a document that lacks properties: %v", tt.layout, err)
		}
	}
}

// TestIndexTextOfErrors has indexes without a text, and lines that no run has written.
func TestIndexTextOfErrors(t *testing.T) {
	if x, err := IndexTextOf("Order", lock.Index{Name: "I", Layout: "{a}", Kinds: "text"}); x != nil || err != nil {
		t.Errorf("a property as it is: %v, %v", x, err)
	}
	for layout, want := range map[string]string{
		"{a}-{n}":  `type Order: index I: layout "{a}-{n}": the index has 2 components and 1 kinds: restore pkgen.lock from version control`,
		"{a}":      `type Order: index I: layout "{a}" does not have exactly one text level, which property i holds: restore pkgen.lock from version control`,
		"{a|2006}": `type Order: index I: layout "{a|2006}": property a has a format, but is not a time: remove "|2006"`,
		"{a|2006":  `type Order: index I: layout "{a|2006": `,
	} {
		_, err := IndexTextOf("Order", lock.Index{Name: "I", Layout: layout, Kinds: "text", Property: "i"})
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: %v, want %s", layout, err, want)
		}
	}
}
