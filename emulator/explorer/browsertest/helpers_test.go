package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/cosmos-pkgen/pkgen/emulator"
)

// tab is a tab of a browser with the page of an emulator.
type tab struct {
	t       *testing.T
	ctx     context.Context
	account *emulator.Server

	mu       sync.Mutex
	problems []string
}

// chromium finds the browser. A machine that runs these tests has one.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium: install the package chromium, or name the program in CHROMIUM")
	return ""
}

// open starts an emulator with data and a browser of a width, in the dark scheme or not.
func open(t *testing.T, width int64, dark bool) *tab {
	t.Helper()
	account := emulator.New(t, emulator.Options{Explorer: true, Partitions: 5, Throughput: 2000})
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // it reports events that it does not know
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, account: account}
	chromedp.ListenTarget(ctx, b.listen)
	if err := chromedp.Run(ctx); err != nil { // with this context, at the end of which the browser ends
		t.Fatal(err)
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.run(network.Enable(), log.Enable(), runtime.Enable())
	b.look(width, scheme)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.problems {
			t.Error(p)
		}
	})
	return b
}

// listen notes console errors, exceptions, and requests to another place.
func (b *tab) listen(event any) {
	problem := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			problem = fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.URL, "api/") { // refused requests are shown
			problem = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, b.account.Endpoint()) && !strings.HasPrefix(url, "blob:"+b.account.Endpoint()) && !strings.HasPrefix(url, "about:") {
			problem = "a request leaves: " + url
		}
	}
	if problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, problem)
	}
}

// run runs steps, and fails the test with a picture when one fails.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var text string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText`, &text))
		b.picture("failure")
		b.t.Fatalf("%v; the page shows:\n%s\nproblems: %q", err, text, b.problems)
	}
}

// look gives the window a width, and the system a scheme: light or dark.
func (b *tab) look(width int64, scheme string) {
	b.t.Helper()
	b.run(
		chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	)
}

// visit goes to a view of the page.
func (b *tab) visit(view string) {
	b.t.Helper()
	url := b.account.Endpoint() + "_explorer/#/" + view
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, refused, _, err := page.Navigate(url).Do(ctx)
		if err == nil && refused != "" {
			err = errors.New(refused)
		}
		return err
	}))
	quoted, _ := json.Marshal(url)
	b.until(`location.href === new URL(` + string(quoted) + `).href`)
	b.sees(`h1`)
}

// until waits until an expression of the page is true. It asks again and again, where
// chromedp's own waits listen to events of the browser: on a busy machine one of them
// was lost now and then, and the wait did not end.
func (b *tab) until(expression string) {
	b.t.Helper()
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			var holds bool
			err := chromedp.Evaluate(`!!(`+expression+`)`, &holds).Do(ctx)
			if holds && err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: not before the deadline: %w", expression, errors.Join(ctx.Err(), err))
			case <-time.After(20 * time.Millisecond):
			}
		}
	}))
}

// sees waits until the page shows an element.
func (b *tab) sees(selector string) {
	b.t.Helper()
	quoted, _ := json.Marshal(selector)
	b.until(`document.querySelector(` + string(quoted) + `)?.checkVisibility({visibilityProperty: true})`)
}

// loses waits until the page has an element no more, or does not show it.
func (b *tab) loses(selector string) {
	b.t.Helper()
	quoted, _ := json.Marshal(selector)
	b.until(`!document.querySelector(` + string(quoted) + `)?.checkVisibility({visibilityProperty: true})`)
}

// button presses the button with a text or label.
func (b *tab) button(name string) {
	b.t.Helper()
	b.click(fmt.Sprintf(`//button[normalize-space()=%[1]q or @aria-label=%[1]q or starts-with(normalize-space(), %[1]q)]`, name))
}

// click presses the mouse on the first element that an XPath finds and that is shown.
func (b *tab) click(xpath string) {
	b.t.Helper()
	quoted, _ := json.Marshal(xpath)
	b.until(`globalThis.found = (() => {
		const all = document.evaluate(` + string(quoted) + `, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
		const nodes = Array.from({length: all.snapshotLength}, (_, i) => all.snapshotItem(i));
		return nodes.find(n => n.checkVisibility({visibilityProperty: true}));
	})()`)
	at := value[[]float64](b, `(() => {
		found.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
		const r = found.getClientRects()[0];
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	b.run(chromedp.MouseClickXY(at[0], at[1]))
}

// shows waits until the page shows a text.
func (b *tab) shows(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.until(`document.body?.innerText.includes(` + string(quoted) + `)`)
}

// hides waits until the page shows a text no more.
func (b *tab) hides(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.until(`document.body && !document.body.innerText.includes(` + string(quoted) + `)`)
}

// set types a text in place of what an element of the form has.
func (b *tab) set(selector, text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	name, _ := json.Marshal(selector)
	b.sees(selector)
	b.run(chromedp.Evaluate(`{
		const e = document.querySelector(`+string(name)+`);
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, `+string(quoted)+`);
		e.dispatchEvent(new Event('input', {bubbles: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
	}`, nil))
}

// focus gives the keyboard to an element.
func (b *tab) focus(selector string) {
	b.t.Helper()
	b.sees(selector)
	quoted, _ := json.Marshal(selector)
	b.run(chromedp.Evaluate(`document.querySelector(`+string(quoted)+`).focus()`, nil))
}

// upload gives a file to an element of the form.
func (b *tab) upload(selector, file string) {
	b.t.Helper()
	quoted, _ := json.Marshal(selector)
	find := `document.querySelector(` + string(quoted) + `)`
	b.until(find)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		input, _, err := runtime.Evaluate(find).Do(ctx)
		if err != nil {
			return err
		}
		return dom.SetFileInputFiles([]string{file}).WithObjectID(input.ObjectID).Do(ctx)
	}))
}

// value returns what an expression of the page gives.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	var v T
	b.run(chromedp.Evaluate(expression, &v))
	return v
}

// picture writes a picture of the page into the folder PICTURES, if that is set.
func (b *tab) picture(name string) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	time.Sleep(200 * time.Millisecond) // for what is drawn after the layout
	var png []byte
	err := chromedp.Run(b.ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		var err error
		png, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatPng).WithCaptureBeyondViewport(true).Do(ctx)
		return err
	}))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600)
	}
	if err != nil {
		b.t.Log(err)
	}
}
