package browser

import (
	"fmt"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Strict returns a judge for [Open] of a page that does its work in silence: it reports each
// message of the console or the log, each dialog, and each request to an address that is not
// allowed.
func Strict(allowed func(url string) bool) func(event any) string {
	return func(event any) string {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			return fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value)
		case *log.EventEntryAdded:
			return "log: " + e.Entry.Text + " " + e.Entry.URL
		case *page.EventJavascriptDialogOpening:
			return "dialog: " + e.Message
		case *network.EventRequestWillBeSent:
			if !allowed(e.Request.URL) {
				return "a request: " + e.Request.URL
			}
		}
		return ""
	}
}
