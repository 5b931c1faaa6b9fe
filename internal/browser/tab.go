package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is a tab of a browser that one test has for itself. A step that fails ends the test.
type Tab struct {
	t     *testing.T
	ctx   context.Context
	judge func(event any) string

	mu       sync.Mutex
	problems []string
}

// Open starts a browser whose window has a width, in a scheme of colours: light or dark.
// Judge says what is wrong with an event of package cdproto, or "". What it says, and
// each exception of a script, fails the test when it ends. The browser ends with the test.
func Open(t *testing.T, width int64, scheme string, judge func(event any) string) *Tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // it reports events that it does not know
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &Tab{t: t, ctx: ctx, judge: judge}
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
	b.Run(network.Enable(), log.Enable(), runtime.Enable())
	b.Look(width, scheme)
	return b
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

// listen notes what is wrong with an event.
func (b *Tab) listen(event any) {
	problem := b.judge(event)
	if e, is := event.(*runtime.EventExceptionThrown); is {
		problem = "exception: " + e.ExceptionDetails.Error()
	}
	if problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, problem)
	}
}

// Run runs steps, for 30 seconds at most. If one fails, it takes a picture and ends the
// test.
func (b *Tab) Run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var text string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText`, &text))
		b.Picture("failure")
		b.mu.Lock()
		defer b.mu.Unlock()
		b.t.Fatalf("%v; the page shows:\n%s\nproblems: %q", err, text, b.problems)
	}
}

// Look gives the window a width in pixels, and the system a scheme: light or dark.
func (b *Tab) Look(width int64, scheme string) {
	b.t.Helper()
	b.Run(
		chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	)
}

// Picture writes a picture of the whole page into the folder that the environment variable
// PICTURES names, if there is one.
func (b *Tab) Picture(name string) {
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
		err = write(dir, name+".png", png)
	}
	if err != nil {
		b.t.Log(err)
	}
}

// write writes a file of a folder.
func write(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(root.WriteFile(name, data, 0o600), root.Close())
}
