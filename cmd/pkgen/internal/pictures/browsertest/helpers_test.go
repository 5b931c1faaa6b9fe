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

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// tab is a tab of a browser with a page that lies in a file.
type tab struct {
	t    *testing.T
	ctx  context.Context
	file string // its URL

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

// open writes a page to a file and opens it in a window of a width.
func open(t *testing.T, p *report.Page, width int64, scheme string) *tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Write(file), file.Close()); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // it reports events that it does not know
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, file: "file://" + path}
	chromedp.ListenTarget(ctx, b.listen)
	if err := chromedp.Run(ctx); err != nil { // with this context, at the end of which the browser ends
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.problems {
			t.Error(p)
		}
	})
	b.run(network.Enable(), log.Enable(), runtime.Enable())
	b.look(width, scheme)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, refused, _, err := page.Navigate(b.file).Do(ctx)
		if err == nil && refused != "" {
			err = errors.New(refused)
		}
		return err
	}))
	b.until(`location.href === ` + quote(b.file) + ` && document.readyState === 'complete' && document.querySelector('footer')`)
	return b
}

// listen notes console errors, exceptions, and requests for anything but the file.
func (b *tab) listen(event any) {
	problem := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		problem = fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value)
	case *log.EventEntryAdded:
		problem = "log: " + e.Entry.Text + " " + e.Entry.URL
	case *page.EventJavascriptDialogOpening:
		problem = "dialog: " + e.Message
	case *network.EventRequestWillBeSent:
		url, _, _ := strings.Cut(e.Request.URL, "#")
		if url != b.file && !strings.HasPrefix(url, "about:") && url != "data:," {
			problem = "a request: " + url
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
		b.picture("failure")
		b.t.Fatalf("%v; problems: %q", err, b.problems)
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

// until waits until an expression of the page is true. It asks again and again, since
// events of the browser can get lost on a busy machine.
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

// value returns the value of an expression of the page.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	var v T
	b.run(chromedp.Evaluate(expression, &v))
	return v
}

// press presses keys, one after another.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.run(chromedp.KeyEvent(key))
	}
}

// The keys that a chart knows.
const (
	left, right, down, home = kb.ArrowLeft, kb.ArrowRight, kb.ArrowDown, kb.Home
	enter, escape, forward  = kb.Enter, kb.Escape, kb.Tab
)

// picture writes a picture of the page into the folder PICTURES, if that is set.
func (b *tab) picture(name string) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
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

// quote returns a text as JavaScript has it.
func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
