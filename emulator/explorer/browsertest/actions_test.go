package browsertest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestContainersAreMadeAndDeleted(t *testing.T) {
	b := open(t, 1440, false)
	b.visit("")
	b.shows("no databases yet")
	b.button("New container")
	b.set(`input[name=db]`, "shop")
	b.set(`input[name=id]`, "orders")
	b.set(`input[name=paths]`, "/tenant, /customer")
	b.set(`input[name=ru]`, "20000")
	b.picture("dialog")
	b.button("Create")
	b.shows("MultiHash v2")
	b.shows("20,000 RU/s")
	file := filepath.Join(t.TempDir(), "in.ndjson")
	text := `{"database":"shop","container":{"id":"users","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}` + "\n" + `{"id":"1","pk":"a"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const input = `input[aria-label="File with a new container"]`
	b.upload(input, file)
	b.shows("The container users of shop is created, with 1 document.")
	b.upload(input, file)
	b.shows("open it, and import the file there")
	b.button("Delete container users")
	b.button("Confirm: Delete container users")
	b.hides("users")
	b.button("Delete container orders")
	b.button("Confirm: Delete container orders")
	b.shows("No containers.")
	b.button("Delete database shop")
	b.button("Confirm: Delete database shop")
	b.shows("no databases yet")
}

func TestDocumentsAreReadEditedAndMoved(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("c/fleet/telemetry/documents")
	b.shows("bus-59")
	b.set(`input[type=search]`, "bus-11")
	b.hides("bus-59")
	b.click(`//button[starts-with(., "bus-11")]`)
	b.shows("e12")
	b.click(`//section[h2//*[@id="docs"]]//button[starts-with(., "e12")]`)
	b.shows("_etag")
	b.picture("editor")
	b.set(`textarea[aria-label="The document as JSON"]`, `{"id":"e12","vehicle":"bus-11","speed":99}`)
	b.button("Save")
	b.shows("The document is saved.")
	b.shows(`"speed":99`)

	b.click(`//section[h2//*[@id="docs"]]//button[starts-with(., "e12")]`)
	b.set(`textarea[aria-label="The document as JSON"]`, `{"id":"e12","vehicle":"another"}`)
	b.button("Save")
	b.shows("doesn't match the one specified")
	b.click(`//section[@aria-label="Document"]//button[normalize-space()="Delete"]`)
	b.button("Confirm: Delete")
	b.shows("The document is deleted.")

	b.button("New document")
	b.set(`textarea[aria-label="The document as JSON"]`, `{"id":"new","vehicle":"Zoë/1"}`)
	b.button("Save")
	b.hides("doesn't match")
	b.set(`input[type=search]`, "Zo")
	b.click(`//button[starts-with(., "Zoë/1")]`)
	b.click(`//section[h2//*[@id="docs"]]//button[starts-with(., "new")]`)
	b.shows(`["Zoë/1"]`)

	dir := t.TempDir()
	b.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir))
	b.button("Export NDJSON")
	b.shows("saved as telemetry.ndjson")
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
	b.upload(`input[type=file]`, lines)
	b.shows("1 document stored.")
	b.shows("Line 2")
	b.shows("t1 / c1")

	if err := os.WriteFile(lines, []byte(`{"database":"fleet","container":{"id":"letters","partitionKey":{"paths":["/to/\"zip code\""],"kind":"Hash","version":2}}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.visit("")
	b.upload(`input[type=file]`, lines)
	b.shows("with 0 documents")
	b.visit("c/fleet/letters/documents")
	b.button("New document")
	b.button("Save")
	b.shows(`"to":{"zip code":""}`)
}

func TestPartitionsAreWatchedAndSplit(t *testing.T) {
	b := open(t, 1440, false)
	b.load(2)
	b.visit("c/fleet/telemetry/partitions")
	b.shows("truck-07")
	b.click(`//label[normalize-space()="429s"]`)
	b.button("Split partition 0")
	b.sees(`button[aria-label="Split partition 6"]`)
	b.loses(`button[aria-label="Split partition 0"]`)
	painted := value[bool](b, `(() => {
		const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		return new Set(Array.from({length: d.length / 4}, (_, i) => d[4 * i] << 16 | d[4 * i + 1] << 8 | d[4 * i + 2])).size > 2;
	})()`)
	if !painted {
		t.Error("the heat map is empty")
	}
	mark := func(id string) { b.click(`//input[@aria-label="Mark partition ` + id + `"]`) }
	mark("1")
	mark("6")
	b.button("Merge marked")
	b.sees(`button[aria-label="Split partition 7"]`)
	b.loses(`button[aria-label="Split partition 6"]`)
	mark("5")
	mark("3")
	b.picture("marked")
	b.button("Merge marked")
	b.shows("are not neighbours")
	b.click(`//ol//a[starts-with(., "truck-07")]`)
	b.shows("e61")
}

func TestQueriesRun(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("c/fleet/telemetry/query")
	const box = `label.sql textarea`
	b.set(box, "SELECT c.id, c.speed FROM c WHERE c.speed < @n")
	b.set(`label:not(.sql) textarea`, `{"@n": 11}`)
	b.focus(box)
	b.run(chromedp.KeyEvent("\r", chromedp.KeyModifiers(2)))
	b.shows("Charge by physical partition")
	if n := value[int](b, `document.querySelectorAll('.rows tbody tr').length`); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
	b.click(`//label[normalize-space()="JSON"]`)
	b.shows(`"speed": 10`)
	b.set(`label:not(.sql) textarea`, "")
	b.set(box, "SELECT VALUE COUNT(1) FROM c")
	b.button("Run")
	b.shows("The gateway does not combine this query")
	b.shows("60")
	b.click(`//label[normalize-space()="One key"]`)
	b.set(`input[aria-label="Partition key"]`, "bus-11")
	b.button("Run")
	b.hides("The gateway does not combine")
	b.click(`//label[normalize-space()="One physical partition"]`)
	b.set(`select[aria-label="Physical partition"]`, "3")
	b.button("Run")
	b.until(`document.querySelector('table.fit tbody th')?.innerText === '3'`)
	b.set(box, "SELECT * FORM c")
	b.button("Run")
	b.shows("FORM")
}

func TestJournalIsFollowed(t *testing.T) {
	b := open(t, 1440, true)
	b.load(0)
	b.visit("journal")
	b.shows("UpsertItem")
	b.set(`input[type=search]`, "createdatabase")
	b.hides("UpsertItem")
	b.shows("CreateDatabase")
	b.button("Pause")
	b.shows("paused")
	if _, err := b.account.Client(nil).CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "while-paused"}, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(600 * time.Millisecond)
	if rows := value[int](b, `document.querySelectorAll('.journal tbody tr').length`); rows != 1 {
		t.Errorf("%d rows while the journal is paused, want 1", rows)
	}
	b.button("Go on")
	b.until(`document.querySelectorAll('.journal tbody tr').length === 2`)
	b.button("Clear")
	b.shows("No requests yet")
}

func TestFaultsAreSwitched(t *testing.T) {
	b := open(t, 1440, false)
	b.load(0)
	b.visit("faults")
	b.set(`input[type=range]`, "100")
	b.click(`//label[.//b[normalize-space()="Unavailable"]]//input`)
	b.shows("100 % of all requests")
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
	b.click(`//label[.//b[normalize-space()="Unavailable"]]//input`)
	b.hides("100 % of all requests")
	b.set(`input[name=latency]`, "20")
	b.click(`//form[.//input[@name="latency"]]//button`)
	b.click(`//label[contains(., "Refuse requests")]//input`)
	b.until(`!document.querySelector('p input[role=switch]').checked`)
	b.set(`input[aria-label="Throughput of fleet / telemetry"]`, "4000")
	b.click(`//tr[contains(., "fleet / telemetry")]//button`)
	b.shows("800 RU/s")
	b.visit("c/fleet/telemetry/partitions")
	b.shows("no budgets")
}

// TestKeyboardAndPhone uses the page without a pointer, and its menu on a phone.
func TestKeyboardAndPhone(t *testing.T) {
	b := open(t, 390, false)
	b.load(0)
	b.visit("")
	b.run(chromedp.KeyEvent(kb.Tab))
	if got := value[string](b, `document.activeElement.innerText`); got != "Skip to the content" {
		t.Errorf("the first Tab goes to %q", got)
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	if got := value[string](b, `document.activeElement.id`); got != "main" {
		t.Errorf("the skip link leads to %q", got)
	}
	b.focus(`button.menu`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.picture("menu")
	b.click(`//nav//a[contains(., "telemetry")]`)
	b.shows("Load by physical partition")
	b.loses(`#side`)
	b.button("Dark look")
	b.until(`getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'`)
	// Every control that Tab reaches shows where the focus is.
	for range 25 {
		b.run(chromedp.KeyEvent(kb.Tab))
		if !value[bool](b, `(() => {
			const e = document.activeElement, at = e.type === 'radio' ? e.nextElementSibling : e;
			return e === document.body || getComputedStyle(at).outlineStyle !== 'none';
		})()`) {
			t.Errorf("the focus of %s cannot be seen", value[string](b, `document.activeElement.outerHTML.slice(0, 120)`))
		}
	}
}
