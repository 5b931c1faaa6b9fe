package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Navigate opens an address, and does not wait for the page.
func (b *Tab) Navigate(url string) {
	b.t.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, refused, _, err := page.Navigate(url).Do(ctx)
		if err == nil && refused != "" {
			err = errors.New(refused)
		}
		return err
	}))
}

// Until waits until an expression of the page is true. It polls, because chromedp's own waits
// depend on browser events, and hung when a busy machine lost one.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
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

// Sees waits until the page shows an element.
func (b *Tab) Sees(selector string) {
	b.t.Helper()
	b.Until(`document.querySelector(` + Quote(selector) + `)?.checkVisibility({visibilityProperty: true})`)
}

// Loses waits until the page does not have or show an element.
func (b *Tab) Loses(selector string) {
	b.t.Helper()
	b.Until(`!document.querySelector(` + Quote(selector) + `)?.checkVisibility({visibilityProperty: true})`)
}

// Shows waits until the page shows a text.
func (b *Tab) Shows(text string) {
	b.t.Helper()
	b.Until(`document.body?.innerText.includes(` + Quote(text) + `)`)
}

// Hides waits until the page does not show a text.
func (b *Tab) Hides(text string) {
	b.t.Helper()
	b.Until(`document.body && !document.body.innerText.includes(` + Quote(text) + `)`)
}

// Value returns the value of an expression in the page.
func Value[T any](b *Tab, expression string) T {
	b.t.Helper()
	var v T
	b.Run(chromedp.Evaluate(expression, &v))
	return v
}

// Quote returns a text as a JavaScript literal.
func Quote(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}
