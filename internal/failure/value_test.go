package failure_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// TestOfValue has one form for every API.
func TestOfValue(t *testing.T) {
	for _, test := range []struct{ typ, field, property, want string }{
		{"shop.Order", "At", "at", `Order.At (property "at"): is late: truncate it`},
		{"Order", "Lines[2].At", "", "Order.Lines[2].At: is late: truncate it"},
		{"Order", "", "at", `Order (property "at"): is late: truncate it`},
		{"shop.Page[example.com/a.B]", "", "", "Page[example.com/a.B]: is late: truncate it"},
	} {
		if got := failure.OfValue(test.typ, test.field, test.property, "is late: truncate it"); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
