package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// tab is a tab of a browser with the page of an emulator.
type tab struct {
	*browser.Tab

	t       *testing.T
	account *emulator.Server
}

// open starts an emulator with data and a browser of a width, in the dark scheme or not.
func open(t *testing.T, width int64, dark bool) *tab {
	t.Helper()
	return openWith(t, width, dark, emulator.Options{Explorer: true, Partitions: 5, Throughput: 2000})
}

// openWith opens the page of an emulator with options.
func openWith(t *testing.T, width int64, dark bool, o emulator.Options) *tab {
	t.Helper()
	b := &tab{t: t, account: emulator.New(t, o)}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.Tab = browser.Open(t, width, scheme, b.judge)
	return b
}

// judge finds console errors, and requests to another place.
func (b *tab) judge(event any) string {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			return fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.URL, "api/") { // refused requests are shown
			return "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, b.account.Endpoint()) && !strings.HasPrefix(url, "blob:"+b.account.Endpoint()) && !strings.HasPrefix(url, "about:") {
			return "a request leaves: " + url
		}
	}
	return ""
}

// visit goes to a view of the page.
func (b *tab) visit(view string) {
	b.t.Helper()
	url := b.account.Endpoint() + "_explorer/#/" + view
	b.Navigate(url)
	b.Until(`location.href === new URL(` + browser.Quote(url) + `).href`)
	b.Sees(`h1`)
}
