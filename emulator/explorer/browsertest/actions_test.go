package browsertest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	cdp "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

func TestContainersAreMadeAndDeleted(t *testing.T) {
	b := open(t, 1440, false)
	b.visit("")
	b.Shows("no databases yet")
	b.Button("New container")
	b.Set(`input[name=db]`, "shop")
	b.Set(`input[name=id]`, "orders")
	b.Set(`input[name=paths]`, "/tenant, /customer")
	b.Set(`input[name=ru]`, "20000")
	b.Picture("dialog")
	b.Button("Create")
	b.Shows("MultiHash v2")
	b.Shows("20,000 RU/s")
	file := filepath.Join(t.TempDir(), "in.ndjson")
	text := `{"database":"shop","container":{"id":"users","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}` + "\n" + `{"id":"1","pk":"a"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const input = `input[aria-label="File with a new container"]`
	b.Upload(input, file)
	b.Shows("The container users of shop is created, with 1 document.")
	b.Upload(input, file)
	b.Shows("open it, and import the file there")
	b.Button("Delete container users")
	b.Button("Confirm: Delete container users")
	b.Hides("users")
	b.Button("Delete container orders")
	b.Button("Confirm: Delete container orders")
	b.Shows("No containers.")
	b.Button("Delete database shop")
	b.Button("Confirm: Delete database shop")
	b.Shows("no databases yet")
}

func TestDocumentsAreReadEditedAndMoved(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("c/fleet/telemetry/documents")
	b.Shows("bus-59")
	b.Set(`input[type=search]`, "bus-11")
	b.Hides("bus-59")
	b.Click(`//button[starts-with(., "bus-11")]`)
	b.Shows("e12")
	b.Click(`//section[h2//*[@id="docs"]]//button[starts-with(., "e12")]`)
	b.Shows("_etag")
	b.Picture("editor")
	b.Set(`textarea[aria-label="The document as JSON"]`, `{"id":"e12","vehicle":"bus-11","speed":99}`)
	b.Button("Save")
	b.Shows("The document is saved.")
	b.Shows(`"speed":99`)

	b.Click(`//section[h2//*[@id="docs"]]//button[starts-with(., "e12")]`)
	b.Set(`textarea[aria-label="The document as JSON"]`, `{"id":"e12","vehicle":"another"}`)
	b.Button("Save")
	b.Shows("doesn't match the one specified")
	b.Click(`//section[@aria-label="Document"]//button[normalize-space()="Delete"]`)
	b.Button("Confirm: Delete")
	b.Shows("The document is deleted.")

	b.Button("New document")
	b.Set(`textarea[aria-label="The document as JSON"]`, `{"id":"new","vehicle":"Zoë/1"}`)
	b.Button("Save")
	b.Hides("doesn't match")
	b.Set(`input[type=search]`, "Zo")
	b.Click(`//button[starts-with(., "Zoë/1")]`)
	b.Click(`//section[h2//*[@id="docs"]]//button[starts-with(., "new")]`)
	b.Shows(`["Zoë/1"]`)

	dir := t.TempDir()
	b.Run(cdp.SetDownloadBehavior(cdp.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir))
	b.Button("Export NDJSON")
	b.Shows("saved as telemetry.ndjson")
	file := filepath.Join(dir, "telemetry.ndjson")
	var text []byte
	for range 50 {
		if text, _ = os.ReadFile(file); len(text) > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(text) < 1000 {
		t.Fatalf("the export is %q", text)
	}
	b.visit("c/fleet/orders/documents")
	lines := filepath.Join(dir, "in.ndjson")
	if err := os.WriteFile(lines, []byte(`{"id":"1","tenant":"t1","customer":"c1"}`+"\n"+`{"customer":"no id"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Upload(`input[type=file]`, lines)
	b.Shows("1 document stored.")
	b.Shows("Line 2")
	b.Shows("t1 / c1")

	if err := os.WriteFile(lines, []byte(`{"database":"fleet","container":{"id":"letters","partitionKey":{"paths":["/to/\"zip code\""],"kind":"Hash","version":2}}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.visit("")
	b.Upload(`input[type=file]`, lines)
	b.Shows("with 0 documents")
	b.visit("c/fleet/letters/documents")
	b.Button("New document")
	b.Button("Save")
	b.Shows(`"to":{"zip code":""}`)
}

func TestPartitionsAreWatchedAndSplit(t *testing.T) {
	b := open(t, 1440, false)
	b.load(2)
	b.visit("c/fleet/telemetry/partitions")
	b.Shows("truck-07")
	b.Click(`//label[normalize-space()="429s"]`)
	b.Button("Split partition 0")
	b.Sees(`button[aria-label="Split partition 6"]`)
	b.Loses(`button[aria-label="Split partition 0"]`)
	painted := browser.Value[bool](b.Tab, `(() => {
		const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		return new Set(Array.from({length: d.length / 4}, (_, i) => d[4 * i] << 16 | d[4 * i + 1] << 8 | d[4 * i + 2])).size > 2;
	})()`)
	if !painted {
		t.Error("the heat map is empty")
	}
	mark := func(id string) { b.Click(`//input[@aria-label="Mark partition ` + id + `"]`) }
	mark("1")
	mark("6")
	b.Button("Merge marked")
	b.Sees(`button[aria-label="Split partition 7"]`)
	b.Loses(`button[aria-label="Split partition 6"]`)
	mark("5")
	mark("3")
	b.Picture("marked")
	b.Button("Merge marked")
	b.Shows("are not neighbours")
	b.Click(`//ol//a[starts-with(., "truck-07")]`)
	b.Shows("e61")
}

func TestQueriesRun(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("c/fleet/telemetry/query")
	const box = `label.sql textarea`
	b.Set(box, "SELECT c.id, c.speed FROM c WHERE c.speed < @n")
	b.Set(`label:not(.sql) textarea`, `{"@n": 11}`)
	b.Focus(box)
	b.Run(chromedp.KeyEvent("\r", chromedp.KeyModifiers(2)))
	b.Shows("Charge by physical partition")
	if n := browser.Value[int](b.Tab, `document.querySelectorAll('.rows tbody tr').length`); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
	b.Click(`//label[normalize-space()="JSON"]`)
	b.Shows(`"speed": 10`)
	b.Set(`label:not(.sql) textarea`, "")
	b.Set(box, "SELECT VALUE COUNT(1) FROM c")
	b.Button("Run")
	b.Shows("The gateway does not combine this query")
	b.Shows("60")
	b.Click(`//label[normalize-space()="One key"]`)
	b.Set(`input[aria-label="Partition key"]`, "bus-11")
	b.Button("Run")
	b.Hides("The gateway does not combine")
	b.Click(`//label[normalize-space()="One physical partition"]`)
	b.Set(`select[aria-label="Physical partition"]`, "3")
	b.Button("Run")
	b.Until(`document.querySelector('table.fit tbody th')?.innerText === '3'`)
	b.Set(box, "SELECT * FORM c")
	b.Button("Run")
	b.Shows("FORM")
}

func TestJournalIsFollowed(t *testing.T) {
	b := open(t, 1440, true)
	b.load(0)
	b.visit("journal")
	b.Shows("UpsertItem")
	b.Set(`input[type=search]`, "createdatabase")
	b.Hides("UpsertItem")
	b.Shows("CreateDatabase")
	b.Button("Pause")
	b.Shows("paused")
	if _, err := b.account.Client(nil).CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "while-paused"}, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(600 * time.Millisecond)
	if rows := browser.Value[int](b.Tab, `document.querySelectorAll('.journal tbody tr').length`); rows != 1 {
		t.Errorf("%d rows while the journal is paused, want 1", rows)
	}
	b.Button("Resume")
	b.Until(`document.querySelectorAll('.journal tbody tr').length === 2`)
	b.Button("Clear")
	b.Shows("No requests yet")
}

func TestFaultsAreSwitched(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("faults")
	b.Set(`input[type=range]`, "100")
	b.Click(`//label[.//b[normalize-space()="Unavailable"]]//input`)
	b.Shows("100 % of all requests")
	before := len(b.account.Requests())
	if db, _ := b.account.Client(nil).NewDatabase("fleet"); db != nil {
		options := &azcosmos.QueryContainersOptions{}
		pager := db.NewQueryContainersPager("SELECT * FROM c", options)
		go func() { _, _ = pager.NextPage(t.Context()) }()
	}
	deadline := time.Now().Add(5 * time.Second)
	for len(b.account.Requests()) == before && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	if r := b.account.Requests(); len(r) == before || r[len(r)-1].Status != 503 {
		t.Errorf("the last request is %+v", r[len(r)-1])
	}
	b.Click(`//label[.//b[normalize-space()="Unavailable"]]//input`)
	b.Hides("100 % of all requests")
	b.Set(`input[name=latency]`, "20")
	b.Click(`//form[.//input[@name="latency"]]//button`)
	b.Click(`//label[contains(., "Refuse requests")]//input`)
	b.Until(`!document.querySelector('p input[role=switch]').checked`)
	b.Click(`//button[normalize-space()="Let a day pass"]`)
	b.Shows("1 d ahead of this machine")
	b.Set(`input[aria-label="Throughput of fleet / telemetry"]`, "4000")
	b.Click(`//tr[contains(., "fleet / telemetry")]//button`)
	b.Shows("800 RU/s")
	b.visit("c/fleet/telemetry/partitions")
	b.Shows("no budgets")
}

// TestKeyboardAndPhone uses the page without a pointer, and its menu on a phone.
func TestKeyboardAndPhone(t *testing.T) {
	b := open(t, 390, false)
	b.load(0)
	b.visit("")
	b.Run(chromedp.KeyEvent(kb.Tab))
	if got := browser.Value[string](b.Tab, `document.activeElement.innerText`); got != "Skip to the content" {
		t.Errorf("the first Tab goes to %q", got)
	}
	b.Run(chromedp.KeyEvent(kb.Enter))
	if got := browser.Value[string](b.Tab, `document.activeElement.id`); got != "main" {
		t.Errorf("the skip link leads to %q", got)
	}
	b.Focus(`button.menu`)
	b.Run(chromedp.KeyEvent(kb.Enter))
	b.Picture("menu")
	b.Click(`//nav//a[contains(., "telemetry")]`)
	b.Shows("Load by physical partition")
	b.Loses(`#side`)
	b.Button("Dark look")
	b.Until(`getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'`)
	// Every control that Tab reaches shows where the focus is.
	for range 25 {
		b.Run(chromedp.KeyEvent(kb.Tab))
		if !browser.Value[bool](b.Tab, `(() => {
			const e = document.activeElement, at = e.type === 'radio' ? e.nextElementSibling : e;
			return e === document.body || getComputedStyle(at).outlineStyle !== 'none';
		})()`) {
			t.Errorf("the focus of %s cannot be seen", browser.Value[string](b.Tab, `document.activeElement.outerHTML.slice(0, 120)`))
		}
	}
}
