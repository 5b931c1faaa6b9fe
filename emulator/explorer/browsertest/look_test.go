package browsertest

import (
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// TestLook opens each view at two widths and in both schemes. No view is wider than the
// window.
func TestLook(t *testing.T) {
	b := open(t, 1440, false)
	b.load(4)
	for _, test := range []struct {
		width  int64
		scheme string
		ground string
	}{
		{1440, "light", "rgb(246, 247, 249)"},
		{390, "light", "rgb(246, 247, 249)"},
		{390, "dark", "rgb(20, 23, 27)"},
		{1440, "dark", "rgb(20, 23, 27)"},
	} {
		b.Look(test.width, test.scheme)
		for _, view := range []struct{ name, shows string }{
			{"", "telemetry"}, {"c/fleet/telemetry/partitions", "truck-07"}, {"c/fleet/telemetry/documents", "bus-01"},
			{"c/fleet/telemetry/query", "Scope"}, {"journal", "UpsertItem"}, {"faults", "Throttled"},
		} {
			b.visit(view.name)
			if view.shows != "Scope" {
				b.Shows(view.shows)
			} else {
				b.Button("Run")
				b.Shows("Charge by physical partition")
			}
			if wide := browser.Value[int64](b.Tab, `document.documentElement.scrollWidth`); wide > test.width {
				t.Errorf("the view %q is %d pixels wide in a window of %d", view.name, wide, test.width)
			}
			b.Picture(fmt.Sprintf("%d-%s-%s", test.width, test.scheme, lastOf(view.name)))
		}
		if got := browser.Value[string](b.Tab, `getComputedStyle(document.body).backgroundColor`); got != test.ground {
			t.Errorf("the ground is %s in the %s scheme, want %s", got, test.scheme, test.ground)
		}
	}
}

func lastOf(view string) string {
	for i := len(view) - 1; i >= 0; i-- {
		if view[i] == '/' {
			return view[i+1:]
		}
	}
	return view + "view"
}
