package browsertest

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// TestTextsAreNotMarkup shows names, keys, documents and queries that are HTML. The page
// shows them as they are, and makes no elements of them.
func TestTextsAreNotMarkup(t *testing.T) {
	const markup = `<img src=x onerror=alert(1)>${7*7}`
	b := open(t, 1440, false)
	file := filepath.Join(t.TempDir(), "in.ndjson")
	text := strings.ReplaceAll(`{"database":"§","container":{"id":"§","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}
{"id":"§","pk":"§","§":"§","constructor":null,"__proto__":{"type":"b"},"dangerouslySetInnerHTML":{"__html":"§"}}
`, "§", markup)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.account.Load(file); err != nil {
		t.Fatal(err)
	}
	id := url.PathEscape(markup)
	check := func(view string) {
		t.Helper()
		b.Shows(markup)
		if n := browser.Value[int](b.Tab, `document.querySelectorAll('img[onerror], [src=x], b:not(.numbers b):not(.hottest b):not(.badge)').length`); n != 0 {
			t.Errorf("%s: %d elements come from data", view, n)
		}
	}
	b.visit("")
	check("containers")
	for _, view := range []string{"partitions", "documents", "query"} {
		b.visit(fmt.Sprintf("c/%s/%s/%s", id, id, view))
		check(view)
	}
	b.Button("Run")
	b.Shows("dangerouslySetInnerHTML")
	check("rows")
	b.visit(fmt.Sprintf("c/%s/%s/documents", id, id))
	b.Click(fmt.Sprintf(`//section[h2//*[@id="docs"]]//li//button[contains(., %q)]`, "onerror"))
	b.Sees(`textarea[aria-label="The document as JSON"]`)
	check("editor")
	b.visit("journal")
	b.Shows("Journal")
	check("journal")
}
