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

// Tab is a browser tab for one test. A failed step ends the test.
type Tab struct {
	t     *testing.T
	ctx   context.Context
	judge func(event any) string

	mu       sync.Mutex
	problems []string
}

// Open starts a browser with a window of a width and a colour scheme, light or dark. Judge returns
// the fault of an event of package cdproto, or "". Faults, and exceptions of scripts, fail the test
// at its end. The browser ends with the test.
func Open(t *testing.T, width int64, scheme string, judge func(event any) string) *Tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // chromedp reports events that it does not know
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &Tab{t: t, ctx: ctx, judge: judge}
	chromedp.ListenTarget(ctx, b.listen)
	if err := chromedp.Run(ctx); err != nil { // the browser ends with this context
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

// chromium returns the path of the browser, or fails the test.
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

// listen records the faults of an event.
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

// Run runs steps, for at most 30 seconds. If one fails, it takes a screenshot and ends the test.
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

// Look sets the width of the window in pixels and the system's colour scheme, light or dark.
func (b *Tab) Look(width int64, scheme string) {
	b.t.Helper()
	b.Run(
		chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	)
}

// Picture writes a screenshot of the whole page to the folder in the environment variable PICTURES,
// if it is set.
func (b *Tab) Picture(name string) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	time.Sleep(200 * time.Millisecond) // for drawing after the layout
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

func write(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(root.WriteFile(name, data, 0o600), root.Close())
}
