package browsertest

import (
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// TestRegionsFailOver takes regions offline on the page, and changes the write region.
func TestRegionsFailOver(t *testing.T) {
	b := openWith(t, 1440, false, emulator.Options{Explorer: true, Regions: []string{"West Europe", "North Europe"}})
	b.load(0)
	for _, width := range []int64{390, 1440} {
		b.Look(width, "light")
		b.visit("faults")
		b.Shows("North Europe")
		if wide := browser.Value[int64](b.Tab, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("the page is %d pixels wide in a window of %d", wide, width)
		}
		b.Picture(fmt.Sprintf("regions-%d", width))
	}
	is := func(name string, writable, online, removed bool) {
		t.Helper()
		for _, r := range b.account.Regions() {
			if r.Name == name && (r.Writable != writable || r.Online != online || r.Removed != removed) {
				t.Errorf("after the click the account has %+v", r)
			}
		}
	}
	b.Click(`//button[@aria-label="Take offline North Europe"]`)
	b.Sees(`button[aria-label="Bring back North Europe"]`)
	is("North Europe", false, false, false)
	b.Click(`//button[@aria-label="Bring back North Europe"]`)
	b.Sees(`button[aria-label="Take offline North Europe"]`)
	b.Click(`//button[@aria-label="Fail over to North Europe"]`)
	b.Sees(`button[aria-label="Fail over to West Europe"]`)
	is("North Europe", true, true, false)
	b.Set(`input[aria-label="Lag of West Europe"]`, "2000")
	b.Click(`//tr[contains(., "West Europe")]//form//button`)
	b.Until(`document.querySelector('input[aria-label="Lag of West Europe"]').defaultValue === '2000'`)
	b.Click(`//button[@aria-label="Force failover to West Europe"]`)
	b.Click(`//button[@aria-label="Confirm: Force failover to West Europe"]`)
	b.Sees(`button[aria-label="Bring back North Europe"]`)
	is("North Europe", false, false, true)
	is("West Europe", true, true, false)
	b.visit("journal")
	b.Shows("West Europe")
}
