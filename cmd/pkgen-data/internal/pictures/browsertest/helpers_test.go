package browsertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
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
	b := browser.Open(t, width, scheme, func(event any) string { return judge(url, event) })
	b.Navigate(url)
	b.Until(`location.href === ` + browser.Quote(url) + ` && document.readyState === 'complete' && document.querySelector('footer')`)
	return b
}

// judge finds console messages, dialogs, and requests for anything but the file.
func judge(file string, event any) string {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		return fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value)
	case *log.EventEntryAdded:
		return "log: " + e.Entry.Text + " " + e.Entry.URL
	case *page.EventJavascriptDialogOpening:
		return "dialog: " + e.Message
	case *network.EventRequestWillBeSent:
		url, _, _ := strings.Cut(e.Request.URL, "#")
		if url != file && !strings.HasPrefix(url, "about:") && url != "data:," {
			return "a request: " + url
		}
	}
	return ""
}

// The keys that a chart knows.
const (
	left, right, down, home = kb.ArrowLeft, kb.ArrowRight, kb.ArrowDown, kb.Home
	enter, escape, forward  = kb.Enter, kb.Escape, kb.Tab
)
