package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// start builds the shop, runs it on an emulator until the test ends, and returns its
// address.
func start(t *testing.T) (url string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "shop")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	account := emulator.New(t, emulator.Options{Partitions: 5})
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close() // for the shop
	ctx, cancel := context.WithCancel(context.Background())
	shop := exec.CommandContext(ctx, program)
	shop.Env = append(os.Environ(), "COSMOS_CONNECTION_STRING="+account.ConnectionString(), "SHOP_ADDRESS="+address)
	shop.Cancel = func() error { return shop.Process.Signal(os.Interrupt) }
	shop.WaitDelay = 20 * time.Second
	var printed bytes.Buffer
	shop.Stdout, shop.Stderr = &printed, &printed
	if err := shop.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := shop.Wait(); err != nil && shop.ProcessState.ExitCode() != 0 {
			t.Errorf("the shop: %v\n%s", err, printed.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
			return "http://" + address
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// order sends a request of another program.
func order(t *testing.T, method, url, etag, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Tenant", "contoso")
	r.Header.Set("X-User", "bob")
	r.Header.Set("If-Match", etag)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %s", method, url, response.Status)
	}
}

func TestPage(t *testing.T) {
	url := start(t)
	var orders strings.Builder
	names := []string{"adatum", "blue-yonder", "city-power", "fourth-coffee", "graphic-design", "litware", "wingtip"}
	for i := range 45 {
		fmt.Fprintf(&orders, `{"id": "o-%d", "customerId": %q, "placed": "2026-11-%02dT07:%02d:00Z", "status": "shipped", "lines": [{"sku": "t-1", "name": "Tea", "quantity": %d, "price": 450}]}`+"\n", i, names[i%7], 1+i/3, i, 1+i%5)
	}
	order(t, "POST", url+"/orders/import", "", orders.String())

	b := browser.Open(t, 1280, "light", func(event any) string {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.Text, "412") { // the conflict is shown
				return "log: " + e.Entry.Text + " " + e.Entry.URL
			}
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, url) && !strings.HasPrefix(e.Request.URL, "about:") && !strings.HasPrefix(e.Request.URL, "data:") {
				return "a request leaves: " + e.Request.URL
			}
		}
		return ""
	})
	b.Navigate(url + "/")
	b.Shows("15 Nov 2026")
	b.Button("Older")
	b.Shows("page 2")
	b.Button("Older")
	b.Shows("page 3")
	b.Shows("1 Nov 2026")
	b.Picture("last page")
	b.Button("Newer")
	b.Button("Newer")
	b.Shows("page 1")

	b.Set(`input[name=customer]`, "wingtip")
	b.Set(`input[name=article]`, "Coffee")
	b.Set(`input[name=quantity]`, "3")
	b.Set(`input[name=price]`, "4.20")
	b.Button("Place")
	b.Shows("12.60")
	b.Shows("ada placed")
	b.Set(`#status`, "paid")
	b.Button("Save")
	b.Shows("ada paid")
	b.Picture("detail")

	// Somebody else changes it meanwhile.
	var at struct{ Path, ETag string }
	at.Path = browser.Value[string](b, `path(open)`)
	at.ETag = browser.Value[string](b, `etag`)
	order(t, "PATCH", url+at.Path, at.ETag, `{"status": "shipped"}`)
	b.Set(`#status`, "cancelled")
	b.Button("Save")
	b.Shows("Somebody else has changed this order meanwhile. This is theirs; you wanted cancelled.")
	b.Shows("bob shipped")
	b.Picture("conflict")
	b.Set(`#status`, "cancelled")
	b.Button("Save")
	b.Shows("ada cancelled")
	b.Hides("Somebody else has changed")
	b.Button("Delete")
	b.Hides("ada cancelled")
	b.Shows("The order is deleted.")
	b.Picture("deleted")
	b.Button("Restore")
	b.Shows("ada restored")
	b.Button("Delete")
	b.Hides("ada restored")

	b.Look(480, "dark")
	b.Button("15 Nov 2026")
	b.Shows("city-power, 15")
	b.Shows("Nobody yet: it was imported.")
	b.Picture("narrow")
	b.Set(`#tenant`, "fabrikam")
	b.Shows("There are no orders.")
}
