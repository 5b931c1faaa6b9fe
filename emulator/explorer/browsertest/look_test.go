package browsertest

import (
	"fmt"
	"strings"
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

// TestButtonsOfTablesAreInSight opens the partitions of a container in windows of common
// widths, and looks for buttons that a box hides until it is scrolled.
func TestButtonsOfTablesAreInSight(t *testing.T) {
	b := open(t, 1440, false)
	b.load(1)
	b.visit("c/fleet/telemetry/partitions")
	b.Sees(`button[aria-label="Split partition 4"]`)
	for _, width := range []int64{1920, 1440, 1366, 1280, 1101, 1024, 800, 721, 390} {
		b.Look(width, "light")
		for _, documents := range []string{"", "1,234,567"} { // a container of a size that no test makes
			hidden := browser.Value[[]string](b.Tab, `(() => {
				const text = `+browser.Quote(documents)+`, cells = [...document.querySelectorAll('.scroll td.n:not(:has(button))')];
				const were = cells.map(c => c.innerHTML);
				if (text) cells.forEach(c => c.textContent = text);
				const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1;
				const out = [...document.querySelectorAll('.scroll button')].filter(b => !inside(b.getBoundingClientRect(), b.closest('.scroll').getBoundingClientRect())).map(b => b.ariaLabel);
				cells.forEach((c, i) => c.innerHTML = were[i]);
				return out;
			})()`)
			if len(hidden) > 0 {
				t.Errorf("%d pixels, numbers %q: outside their box are %q", width, documents, hidden)
			}
		}
		b.Picture(fmt.Sprintf("%d-split", width))
	}
}

// TestIndexIsShown opens the views of a global secondary index: they name its source, and
// offer no writes.
func TestIndexIsShown(t *testing.T) {
	b := open(t, 1440, false)
	key := `"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}`
	for _, file := range []string{
		`{"database":"d","container":{"id":"orders",` + key + `}}` + "\n" + `{"id":"1","pk":"a"}`,
		`{"database":"d","container":{"id":"copy",` + key + `,"materializedViewDefinition":{"sourceCollectionId":"orders","definition":"SELECT * FROM c"}},"throughput":{"offerAutopilotSettings":{"maxThroughput":1000}}}`,
	} {
		if _, err := b.account.Server.Load(strings.NewReader(file)); err != nil {
			t.Fatal(err)
		}
	}
	for _, width := range []int64{1440, 390} {
		b.Look(width, "light")
		for _, view := range []struct{ name, shows string }{
			{"", "index of orders"}, {"c/d/copy/partitions", "SELECT * FROM c"}, {"c/d/copy/documents", "read-only: write to orders"},
		} {
			b.visit(view.name)
			b.Shows(view.shows)
			if wide := browser.Value[int64](b.Tab, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("the view %q is %d pixels wide in a window of %d", view.name, wide, width)
			}
			b.Picture(fmt.Sprintf("index-%d-%s", width, lastOf(view.name)))
		}
	}
	if browser.Value[bool](b.Tab, `[...document.querySelectorAll('button')].some(b => /New document|Import/.test(b.textContent))`) {
		t.Error("the page offers to write to an index")
	}
}
