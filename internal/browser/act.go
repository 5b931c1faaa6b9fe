package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Button presses the button with a text or label, or whose text begins with it.
func (b *Tab) Button(name string) {
	b.t.Helper()
	b.Click(fmt.Sprintf(`//button[normalize-space()=%[1]q or @aria-label=%[1]q or starts-with(normalize-space(), %[1]q)]`, name))
}

// Click presses the mouse on the first element that an XPath finds and that is shown.
func (b *Tab) Click(xpath string) {
	b.t.Helper()
	b.Until(`globalThis.found = (() => {
		const all = document.evaluate(` + Quote(xpath) + `, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
		const nodes = Array.from({length: all.snapshotLength}, (_, i) => all.snapshotItem(i));
		return nodes.find(n => n.checkVisibility({visibilityProperty: true}));
	})()`)
	at := Value[[]float64](b, `(() => {
		found.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
		const r = found.getClientRects()[0];
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	b.Run(chromedp.MouseClickXY(at[0], at[1]))
}

// Press presses keys of package kb, one after another.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.Run(chromedp.KeyEvent(key))
	}
}

// Set types a text in place of what an element of a form has.
func (b *Tab) Set(selector, text string) {
	b.t.Helper()
	b.Sees(selector)
	b.Run(chromedp.Evaluate(`{
		const e = document.querySelector(`+Quote(selector)+`);
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, `+Quote(text)+`);
		e.dispatchEvent(new Event('input', {bubbles: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
	}`, nil))
}

// Focus gives the keyboard to an element.
func (b *Tab) Focus(selector string) {
	b.t.Helper()
	b.Sees(selector)
	b.Run(chromedp.Evaluate(`document.querySelector(`+Quote(selector)+`).focus()`, nil))
}

// Upload gives a file to an element of a form.
func (b *Tab) Upload(selector, file string) {
	b.t.Helper()
	find := `document.querySelector(` + Quote(selector) + `)`
	b.Until(find)
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		input, _, err := runtime.Evaluate(find).Do(ctx)
		if err != nil {
			return err
		}
		return dom.SetFileInputFiles([]string{file}).WithObjectID(input.ObjectID).Do(ctx)
	}))
}
