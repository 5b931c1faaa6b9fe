package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Button clicks the button whose text or label is name, or whose text begins with it.
func (b *Tab) Button(name string) {
	b.t.Helper()
	b.Click(fmt.Sprintf(`//button[normalize-space()=%[1]q or @aria-label=%[1]q or starts-with(normalize-space(), %[1]q)]`, name))
}

// Click clicks the first element that an XPath finds and that is shown and enabled. It repeats the
// click until the page has received it on this element: an element that is disabled or moves
// between the look and the click receives none.
func (b *Tab) Click(xpath string) {
	b.t.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			taken, err := click(ctx, xpath)
			if taken {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: no click before the deadline: %w", xpath, errors.Join(ctx.Err(), err))
			case <-time.After(20 * time.Millisecond):
			}
		}
	}))
}

// click clicks once, and reports whether the page received the click.
func click(ctx context.Context, xpath string) (bool, error) {
	var at []float64
	err := chromedp.Evaluate(`(() => {
		const all = document.evaluate(`+Quote(xpath)+`, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
		const nodes = Array.from({length: all.snapshotLength}, (_, i) => all.snapshotItem(i));
		const found = nodes.find(n => n.checkVisibility({visibilityProperty: true}) && !n.closest(':disabled'));
		if (!found) return [];
		globalThis.clicked = false;
		document.addEventListener('click', e => {
			clicked = e.composedPath().includes(found) || !!e.target.closest('label')?.contains(found);
		}, {capture: true, once: true});
		found.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
		const r = found.getClientRects()[0];
		return r ? [r.x + r.width / 2, r.y + r.height / 2] : [];
	})()`, &at).Do(ctx)
	if err != nil || len(at) != 2 {
		return false, err
	}
	if err := chromedp.MouseClickXY(at[0], at[1]).Do(ctx); err != nil {
		return false, err
	}
	var taken bool
	err = chromedp.Evaluate(`globalThis.clicked !== false`, &taken).Do(ctx) // undefined if the click left the page
	return taken, err
}

// Press presses keys of package kb, one after another.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.Run(chromedp.KeyEvent(key))
	}
}

// Set replaces the value of a form element by text.
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

// Focus focuses an element.
func (b *Tab) Focus(selector string) {
	b.t.Helper()
	b.Sees(selector)
	b.Run(chromedp.Evaluate(`document.querySelector(`+Quote(selector)+`).focus()`, nil))
}

// Upload selects a file in a form element.
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
