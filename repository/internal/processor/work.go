package processor

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// work has the changes of one lease handled.
type work struct {
	*Processor
	*shared
	held *lease.Held
}

// Pauses before what failed is tried again: twice as long each time.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 30 * time.Second
)

// run reads and handles page by page until the lease is lost or divided.
func (w *work) run(ctx context.Context) error {
	l := w.held.Lease()
	part := feed.Part{Min: l.Range.Min, Max: l.Range.Max, Tag: l.Tag}
	poll, failures := min(firstPause, w.MaxPause), firstPause
	for ctx.Err() == nil {
		after, idle, err := w.page(ctx, part)
		switch {
		case errors.Is(err, lease.ErrLost) || ctx.Err() != nil:
			return err
		case w.window != nil && w.mayBeGone(err):
			if gone, why := w.gone(ctx); gone {
				return why
			}
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue
		case feed.MadeAgain(err) || errors.Is(err, feed.ErrVersions):
			return err
		case err != nil:
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue
		case len(after) > 1:
			err := w.divide(ctx, after)
			if err == nil || errors.Is(err, lease.ErrLost) {
				return nil
			}
			w.failed(ctx, err)
			failures = pause(ctx, failures, lastPause)
			continue // from the same tag: the page comes again
		}
		part, failures = after[0], firstPause
		if physical, _, err := w.store.Physical(ctx); err == nil && w.leases.Merged(physical, w.held.Lease()) {
			err := w.divide(ctx, after)
			if err == nil || errors.Is(err, lease.ErrLost) {
				return nil
			}
			w.failed(ctx, err)
		}
		if w.window != nil && idle && w.rests() {
			return nil
		}
		if idle {
			poll = pause(ctx, poll, w.MaxPause)
		} else {
			poll = min(firstPause, w.MaxPause)
		}
	}
	return nil
}

// pause waits, and returns how long to wait the next time.
func pause(ctx context.Context, d, longest time.Duration) time.Duration {
	_ = backoff.Sleep(ctx, d) // the caller looks at ctx
	return min(2*d, longest)
}

// page reads a page, has it handled, and saves that it was. It returns how the part
// goes on.
func (w *work) page(ctx context.Context, part feed.Part) (after []feed.Part, idle bool, err error) {
	page, err := w.handled(ctx, part)
	if err != nil {
		return nil, false, err
	}
	begins := w.Versions && part.Tag == "" // where that is "now", another process would begin later
	if len(page.After) > 1 || page.Idle && !begins || page.After[0].Tag == part.Tag {
		return page.After, page.Idle, nil
	}
	return page.After, page.Idle, w.save(ctx, page.After[0].Tag)
}

// handled reads a page and has it handled, in runs of one type. A slot bounds how many pages are held: more
// ranges than slots wait for each other.
func (w *work) handled(ctx context.Context, part feed.Part) (page feed.Page, err error) {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return page, ctx.Err()
	}
	page, err = w.reader.Next(ctx, part)
	if w.window != nil && err == nil && !page.Idle {
		err = w.wakes(ctx)
	}
	for rest := page.Items; err == nil && len(rest) > 0; {
		n := len(rest)
		if i := slices.IndexFunc(rest, func(item feed.Item) bool { return item.Kind != rest[0].Kind }); i > 0 {
			n = i
		}
		lag := page.Lag
		if lag >= 0 {
			lag += int64(len(rest) - n)
		}
		err = w.handle(ctx, rest[:n], lag)
		rest = rest[n:]
	}
	page.Items = nil
	return page, err
}

// handle calls the handler of documents of one type until it succeeds, or ctx ends.
func (w *work) handle(ctx context.Context, items []feed.Item, lag int64) error {
	event := Event{Op: opHandle, Lease: w.held.Lease().Token, Documents: len(items), Lag: lag}
	if w.Types != nil {
		event.Type = w.Types[items[0].Kind].Type
	}
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		err := w.Handle(ctx, items)
		event.Duration, event.Err = time.Since(start), err
		w.observe(ctx, event)
		if err == nil || ctx.Err() == nil && w.HandlerFailed != nil && w.HandlerFailed(ctx, err) {
			return nil
		}
	}
}

// save saves progress, until that succeeds or the lease is lost. The next page waits,
// so that at most one is handled again. Where ctx has ended, the release of the lease
// saves it.
func (w *work) save(ctx context.Context, tag string) error {
	for wait := firstPause; ; wait = pause(ctx, wait, lastPause) {
		err := w.held.Save(ctx, tag)
		if err == nil || errors.Is(err, lease.ErrLost) || ctx.Err() != nil {
			return err
		}
		w.failed(ctx, err)
	}
}

// divide puts leases of the parts in place of the lease, after its physical partition
// was split, or merged with others.
func (w *work) divide(ctx context.Context, parts []feed.Part) error {
	physical, version, err := w.store.Physical(ctx)
	if err != nil {
		return err
	}
	if !divided(physical, parts) {
		if physical, _, err = w.store.Refresh(ctx, version); err != nil { // from before the split
			return err
		}
	}
	successors := make([]lease.Part, len(parts))
	for i, p := range parts {
		successors[i] = lease.Part{Range: lease.Range{Min: p.Min, Max: p.Max}, Tag: p.Tag}
	}
	others, err := w.leases.Successors(physical, successors)
	if err != nil {
		return err
	}
	return w.held.Divide(ctx, others)
}

// divided reports whether a map is of the time after parts were divided: each begins
// in another physical partition.
func divided(physical *route.Map, parts []feed.Part) bool {
	for i, p := range parts[1:] {
		if physical.Find(p.Min).ID == physical.Find(parts[i].Min).ID {
			return false
		}
	}
	return true
}
