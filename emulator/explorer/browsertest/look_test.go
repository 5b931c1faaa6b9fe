package browsertest

import (
	"fmt"
	"testing"
)

// TestLook opens each view at two widths and in both schemes. No view is wider than the
// window.
func TestLook(t *testing.T) {
	for _, test := range []struct {
		width int64
		dark  bool
	}{{1440, false}, {390, true}, {390, false}, {1440, true}} {
		name := fmt.Sprintf("%d-%t", test.width, test.dark)
		t.Run(name, func(t *testing.T) {
			b := open(t, test.width, test.dark)
			b.load(4)
			for _, view := range []struct{ name, shows string }{
				{"", "telemetry"}, {"c/fleet/telemetry/partitions", "truck-07"}, {"c/fleet/telemetry/documents", "bus-01"},
				{"c/fleet/telemetry/query", "Scope"}, {"journal", "UpsertItem"}, {"faults", "Throttled"},
			} {
				b.visit(view.name)
				if view.shows != "Scope" {
					b.shows(view.shows)
				} else {
					b.button("Run")
					b.shows("Charge by physical partition")
				}
				if wide := value[int64](b, `document.documentElement.scrollWidth`); wide > test.width {
					t.Errorf("the view %q is %d pixels wide", view.name, wide)
				}
				b.picture(name + "-" + lastOf(view.name))
			}
			want := "rgb(246, 247, 249)"
			if test.dark {
				want = "rgb(20, 23, 27)"
			}
			if got := value[string](b, `getComputedStyle(document.body).backgroundColor`); got != want {
				t.Errorf("the ground is %s, want %s", got, want)
			}
		})
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
