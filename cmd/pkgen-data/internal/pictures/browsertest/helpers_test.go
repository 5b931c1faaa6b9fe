package browsertest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/cosmos-pkgen/pkgen/internal/browser"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// open writes a page to a file and opens it in a window of a width.
func open(t *testing.T, p *report.Page, width int64, scheme string) *browser.Tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Write(file), file.Close()); err != nil {
		t.Fatal(err)
	}
	url := "file://" + path
	b := browser.Open(t, width, scheme, browser.Strict(func(to string) bool {
		to, _, _ = strings.Cut(to, "#")
		return to == url || strings.HasPrefix(to, "about:") || to == "data:,"
	}))
	b.Navigate(url)
	b.Until(`location.href === ` + browser.Quote(url) + ` && document.readyState === 'complete' && document.querySelector('footer')`)
	return b
}

// The keys that a chart handles.
const (
	left, right, down, home = kb.ArrowLeft, kb.ArrowRight, kb.ArrowDown, kb.Home
	enter, escape, forward  = kb.Enter, kb.Escape, kb.Tab
)
