package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
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
	ctx, cancel := context.WithTimeout(b.ctx, 15*time.Second)
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
	b.run(chromedp.Navigate(b.account.Endpoint()+"_explorer/#/"+view), chromedp.WaitVisible(`h1`))
}

// button presses the button with a text or label.
func (b *tab) button(name string) {
	b.t.Helper()
	b.click(fmt.Sprintf(`//button[normalize-space()=%[1]q or @aria-label=%[1]q or starts-with(normalize-space(), %[1]q)]`, name))
}

func (b *tab) click(xpath string) {
	b.t.Helper()
	b.run(chromedp.Click(xpath, chromedp.BySearch, chromedp.NodeVisible))
}

// shows waits until the page shows a text.
func (b *tab) shows(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.run(chromedp.Poll(`document.body.innerText.includes(`+string(quoted)+`)`, nil, chromedp.WithPollingTimeout(10*time.Second)))
}

// hides waits until the page shows a text no more.
func (b *tab) hides(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.run(chromedp.Poll(`!document.body.innerText.includes(`+string(quoted)+`)`, nil, chromedp.WithPollingTimeout(10*time.Second)))
}

// set types a text in place of what an element of the form has.
func (b *tab) set(selector, text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	name, _ := json.Marshal(selector)
	b.run(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Evaluate(`{
		const e = document.querySelector(`+string(name)+`);
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, `+string(quoted)+`);
		e.dispatchEvent(new Event('input', {bubbles: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
	}`, nil))
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

// load makes a container of telemetry and sends requests, most of them to one key.
func (b *tab) load(seconds int) {
	b.t.Helper()
	ctx := b.t.Context()
	client := b.account.Client(nil)
	_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	db, _ := client.NewDatabase("fleet")
	for _, p := range []azcosmos.ContainerProperties{
		{ID: "telemetry", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/vehicle"}, Version: 2}},
		{ID: "orders", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/tenant", "/customer"}, Kind: azcosmos.PartitionKeyKindMultiHash, Version: 2}},
	} {
		if _, err := db.CreateContainer(ctx, p, nil); err != nil {
			b.t.Fatal(err)
		}
	}
	c, _ := db.NewContainer("telemetry")
	n := 0
	write := func(vehicle string) {
		n++
		text := fmt.Sprintf(`{"id":"e%d","vehicle":%q,"speed":%d,"at":"2026-03-0%dT10:00:00Z","tags":["a",%d],"note":"Grüße"}`, n, vehicle, n%140, n%9+1, n)
		_, _ = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(vehicle), []byte(text), nil) // a 429 is what is looked at
	}
	for i := range 60 {
		write(fmt.Sprintf("bus-%02d", i))
	}
	for range seconds {
		until := time.Now().Add(time.Second)
		for i := range 90 {
			write("truck-07")
			if i%3 == 0 {
				write(fmt.Sprintf("bus-%02d", i%60))
			}
		}
		time.Sleep(max(0, time.Until(until)))
	}
}
