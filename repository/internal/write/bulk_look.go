package write

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// looked sends items of one logical partition in their order, in batches that may meet
// the documents of somebody else: one query looks whose documents are there, and the
// batch is sent on the condition that they are unchanged.
func (r *bulkRun) looked(items []*BulkItem) {
	for len(items) > 0 {
		n := distinct(items)
		l := lookedBatch{bulkRun: r, items: items[:n], full: r.WantsETags}
		l.send()
		items = items[n:]
	}
}

// distinct returns how many of the first items have ids that differ. A look does
// not see what the first item of an id makes, so the second one waits for it.
func distinct(items []*BulkItem) int {
	ids := make(map[string]bool, len(items))
	for n, item := range items {
		if ids[item.ID] {
			return n
		}
		ids[item.ID] = true
	}
	return len(items)
}

// lookedBatch is items whose ids differ, on their way.
type lookedBatch struct {
	*bulkRun
	items   []*BulkItem // of which it is not known yet what becomes of them
	full    bool        // the answer is to say what became of each item
	unclear bool        // they may have taken effect before
	resent  int         // after unclear failures
}

// send looks, and sends what may be written, until it is known what became of
// each item. Where others have written since the look, it looks again; from the
// second time on it sends the item that was overtaken by itself.
func (l *lookedBatch) send() {
	for failures := 1; len(l.items) > 1; failures++ {
		if l.judge(); len(l.items) < 2 {
			break
		}
		a := l.batch(l.items, l.full)
		l.unclear = l.unclear || a.unclear
		bad := wire.Culprit(a.results)
		switch {
		case a.committed || a.err != nil:
			if l.ended(a) {
				return
			}
		case bad != wire.NoOperation && failures == 1 && refused(int(a.results[bad].StatusCode)):
		case bad != wire.NoOperation:
			l.alone(l.items[bad], l.unclear)
			l.items = slices.Concat(l.items[:bad], l.items[bad+1:])
		case l.full:
			l.oneByOne(l.items, l.unclear)
			return
		default: // the answer says nothing of single items; another one may
			l.full = true
		}
	}
	l.oneByOne(l.items, l.unclear)
}

// ended notes what became of a batch that has taken effect or failed as a whole.
// It returns false if the items are to be sent again.
func (l *lookedBatch) ended(a answer) bool {
	switch {
	case a.committed:
		for i, result := range a.results {
			l.items[i].ETag = result.ETag
		}
		return true
	case hasStatus(a.err, http.StatusRequestEntityTooLarge):
		half := len(l.items) / 2
		first, second := *l, *l
		first.items, second.items = l.items[:half], l.items[half:]
		first.send()
		second.send()
		return true
	case a.err != nil && l.WriterOf(l.items[0]).Lacks(a.err): // the first of them may create the container
		l.oneByOne(l.items, l.unclear)
		return true
	case a.sent && wire.IsUnclear(a.err) && l.resent < wire.MaxResends:
		l.resent++
		if backoff.Pause(l.ctx, wire.UnclearPause+l.resent) == nil {
			return false
		}
	}
	a.unclear = l.unclear
	l.failed(l.items, a)
	return true
}

// judge looks, and keeps the items that may be written, each with the ETag that its
// document has to have then. The others have their errors.
func (l *lookedBatch) judge() {
	seen, err := l.sights()
	var left []*BulkItem
	for _, item := range l.items {
		if err != nil {
			item.Err = l.unseen(item, err)
			continue
		}
		s, now := l.WriterOf(item), seen[item.ID]
		item.Unchanged, item.Err = judge(s, l.Op, item.Place, now, item.Means, l.Op == wire.OpUpsert)
		if item.Err == nil && l.unclear && item.tookEffect(now.raw) {
			item.ETag = now.tag
			continue
		}
		if item.Err == nil && item.Stamp != nil {
			item.Document, item.Err = Restamp(s, l.Op, item.Document, now.raw)
		}
		switch {
		case item.Err == nil:
			left = append(left, item)
		case l.unclear && l.Op == wire.OpDelete && s.gone(item.Err), errors.Is(item.Err, wire.ErrDeleted) && item.hasMark(s, now.raw):
			item.Err = nil
		default:
			item.Err = wire.StillUnclear(item.Err, l.unclear)
		}
	}
	l.items = left
}

// errNotLooked is why a bulk operation does not know whose documents are there.
var errNotLooked = errors.New("the look before it was not sent")

// sights returns the documents at the places of the items, by their ids.
func (l *lookedBatch) sights() (seen map[string]sight, err error) {
	ids := make([]string, len(l.items))
	for i, item := range l.items {
		ids[i] = item.ID
	}
	in := l.WriterOf(l.items[0])
	for attempt := 1; ; attempt++ {
		units, notSent := l.request(1, func(ctx context.Context) {
			seen, err = lookAtAll(ctx, in, l.Op, l.items[0].Place, ids, l.Ambiguous || l.unclear && in.Stamps.Carries())
		})
		for _, item := range l.items {
			item.RequestUnits += units / float64(len(l.items))
		}
		switch {
		case notSent != nil:
			return nil, errors.Join(errNotLooked, notSent)
		case !isThrottled(err) || attempt > maxThrottled:
			return seen, err
		}
		if ended := l.cool(attempt, err); ended != nil {
			return nil, errors.Join(err, ended)
		}
	}
}

// unseen is the error of an item of which a look has failed.
func (l *lookedBatch) unseen(item *BulkItem, err error) error {
	var own *wire.OperationError
	switch {
	case !l.unclear && errors.Is(err, errNotLooked):
		return l.notSent(item, l.ctx.Err())
	case errors.As(err, &own):
		err = own.Err
	}
	return wire.StillUnclear(l.failure(item, err), l.unclear)
}
