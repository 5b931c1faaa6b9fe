package write

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// answer is the outcome of a batch.
type answer struct {
	results   []wire.Result
	committed bool
	err       error
	sent      bool
	unclear   bool // the batch, or an earlier one, may have taken effect
	began     time.Time
}

// together sends items of one logical partition in their order, several as a batch. Full
// asks for complete results. Failures counts the failed batches of these items.
func (r *bulkRun) together(items []*BulkItem, full bool, failures int) {
	if len(items) < 2 {
		r.oneByOne(items, false)
		return
	}
	a := r.batch(items, full)
	switch bad := wire.Culprit(a.results); {
	case a.committed:
		for i, result := range a.results {
			items[i].ETag = result.ETag
		}
	case hasStatus(a.err, http.StatusRequestEntityTooLarge):
		half := len(items) / 2
		r.together(items[:half], full, failures)
		r.together(items[half:], full, failures)
	case a.unclear && r.Op != wire.OpUpsert:
		r.oneByOne(items, true)
	case a.err != nil && r.WriterOf(items[0]).Lacks(a.err): // the first item may create the container
		r.oneByOne(items, false)
	case a.err != nil:
		r.failed(items, a)
	case bad != wire.NoOperation:
		r.without(items, bad, a, full, failures)
	case !full: // the answer has no results of items; another attempt may
		r.together(items, true, failures)
	default:
		r.oneByOne(items, false)
	}
}

func (r *bulkRun) oneByOne(items []*BulkItem, unclear bool) {
	for _, item := range items {
		r.alone(item, unclear)
	}
}

// failed sets the outcome of a batch that failed as a whole.
func (r *bulkRun) failed(items []*BulkItem, a answer) {
	for _, item := range items {
		if !a.sent {
			item.Err = r.notSent(item, a.err)
			continue
		}
		item.Err = wire.StillUnclear(r.failure(item, a.err), a.unclear)
	}
}

// batch sends items as a batch. It resends a throttled batch, and unconditional upserts
// also after an unclear outcome.
func (r *bulkRun) batch(items []*BulkItem, full bool) (a answer) {
	operations := make([]wire.Operation, len(items))
	for i, item := range items {
		operations[i] = wire.Operation{Op: r.Op, ID: item.ID, Body: item.Body, Unchanged: item.Unchanged}
		if r.Op == wire.OpDelete && r.WriterOf(item).Deleted != nil {
			if item.marking == nil {
				o, err := Deletion(r.WriterOf(item), item.ID, item.Unchanged)
				if err != nil {
					a.err = err
					return a
				}
				item.marking = &o
			}
			operations[i] = *item.marking
		}
		if r.Looks {
			operations[i] = operations[i].Given(item.Unchanged)
		}
	}
	throttled, resent := 0, 0
	a.began = time.Now()
	for {
		units, err := r.request(len(items), func(ctx context.Context) {
			watchCtx, watch := wire.Watch(ctx)
			if r.Around != nil {
				r.batchAround(watchCtx, &a, items[0], operations, full)
			} else {
				a.results, a.committed, a.err = r.WriterOf(items[0]).SendBatch(watchCtx, r.Op, items[0].Place, operations, full)
			}
			a.sent = true
			a.unclear = a.unclear || watch.Unclear()
		})
		for _, item := range items {
			item.RequestUnits += units / float64(len(items))
		}
		lost := err == nil && a.err != nil && wire.IsUnclear(a.err)
		a.unclear = a.unclear || lost
		switch {
		case err != nil:
		case lost && r.Op == wire.OpUpsert && !r.Looks && resent < wire.MaxResends:
			resent++
			err = backoff.Pause(r.ctx, wire.UnclearPause+resent)
		case isThrottled(a.err) && throttled < maxThrottled:
			throttled++
			err = r.cool(throttled, a.err)
		default:
			return a
		}
		if err != nil { // the context has ended
			a.err = errors.Join(a.err, err)
			return a
		}
	}
}

// without sends items again, except the one that was refused and failed their batch. After
// a second failure, the items before it are sent as their own batch, so that many refused
// items need no more requests than single writes.
func (r *bulkRun) without(items []*BulkItem, bad int, a answer, full bool, failures int) {
	status := int(a.results[bad].StatusCode)
	before, item, after := items[:bad], items[bad], items[bad+1:]
	if bad == 0 { // an item at index 0 may be refused because its batch arrived twice
		for _, i := range items {
			i.refused = true
		}
	}
	marks := r.marks(item, status)
	switch {
	case marks && r.isMarked(item):
		item.Err = nil
	case marks || !refused(status): // the item alone takes effect, or its error has the reason
		r.together(before, full, failures+1)
		r.alone(item, false)
		r.together(after, full, failures+1)
		return
	default:
		failure := wire.Rejected(r.Op, r.Type, item.ID, item.Name, status)
		item.Err = failure
		if status == http.StatusConflict && r.Op == wire.OpCreate && (bad == 0 || r.WriterOf(item).Random) {
			r.settleItem(item, refusal{failure, r.WriterOf(item).Random, a.began})
		}
	}
	if failures == 0 {
		r.together(slices.Concat(before, after), full, 1)
		return
	}
	r.together(before, full, failures+1)
	r.together(after, full, failures+1)
}

// refused reports whether a status fully explains the refusal of an operation.
func refused(status int) bool {
	return status == http.StatusConflict || status == http.StatusNotFound || status == http.StatusPreconditionFailed
}

// marks reports whether a status leaves open which condition of a mark failed.
func (r *bulkRun) marks(item *BulkItem, status int) bool {
	return r.Op == wire.OpDelete && status == http.StatusPreconditionFailed && r.WriterOf(item).Deleted != nil
}

// isMarked reports whether the document of an item has the mark of this deletion, because
// its batch arrived twice.
func (r *bulkRun) isMarked(item *BulkItem) (is bool) {
	r.look(item, func(ctx context.Context) error {
		s := r.WriterOf(item)
		answer, err := s.ReadStored(ctx, r.Op, item.Place)
		is = err == nil && s.Owns(answer.Value) && item.hasMark(s, answer.Value)
		return err
	})
	return is
}

// look calls read, within the budget. It returns false without calling it if the context
// has ended.
func (r *bulkRun) look(item *BulkItem, read func(context.Context) error) bool {
	units, err := r.request(1, func(ctx context.Context) {
		if r.Around != nil {
			_ = r.Around(ctx, read)
			return
		}
		_ = read(ctx)
	})
	item.RequestUnits += units
	return err == nil
}

// hasMark reports whether a stored document has the mark of this item.
func (i *BulkItem) hasMark(s *Writer, raw []byte) bool {
	return i.marking != nil && s.Deleted.hasMark(raw, i.marking.Mark)
}

// settleItem settles the refusal of a creation.
func (r *bulkRun) settleItem(item *BulkItem, refused refusal) {
	looked := r.look(item, func(ctx context.Context) error {
		tag, v := ifStored(r.WriterOf(item), r.Op, item.Document)(ctx, refused)
		switch v {
		case stored:
			item.ETag, item.Err = tag, nil
		case untold:
			refused.Unclear = true
		}
		return nil
	})
	refused.Unclear = refused.Unclear || !looked
}

// looked sends items of one logical partition in their order, in batches that may meet
// foreign documents. One query reads the stored documents, and the batch is conditional on
// them.
func (r *bulkRun) looked(items []*BulkItem) {
	for len(items) > 0 {
		n := distinct(items)
		l := lookedBatch{bulkRun: r, items: items[:n], full: r.WantsETags}
		l.send()
		items = items[n:]
	}
}

// distinct returns how many of the first items have different ids. A look does not see the
// effect of an earlier item, so a second item with the same id must wait.
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

// lookedBatch has items with different ids.
type lookedBatch struct {
	*bulkRun
	items   []*BulkItem // items without an outcome
	full    bool        // the answer must have the result of each item
	unclear bool        // an earlier attempt may have taken effect
	resent  int         // after unclear failures
}

// send looks and sends the items that may be written, until each has an outcome. If another
// program has written since the look, send looks again. From the second time on, it sends
// the overtaken item alone.
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
		default: // the answer has no results of items; another one may
			l.full = true
		}
	}
	l.oneByOne(l.items, l.unclear)
}

// ended sets the outcomes of a batch that took effect or failed as a whole. It returns
// false if the items must be sent again.
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
	case a.err != nil && l.WriterOf(l.items[0]).Lacks(a.err): // the first item may create the container
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

// judge looks. It keeps the items that may be written, each with the ETag that its document
// must have, and sets the outcomes of the others.
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

var errNotLooked = errors.New("the look before it was not sent")

// sights returns the stored documents of the items, by id.
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

// unseen is the error of an item whose look failed.
func (l *lookedBatch) unseen(item *BulkItem, err error) error {
	var own *documents.Error
	switch {
	case !l.unclear && errors.Is(err, errNotLooked):
		return l.notSent(item, l.ctx.Err())
	case errors.As(err, &own):
		err = own.Err
	}
	return wire.StillUnclear(l.failure(item, err), l.unclear)
}
