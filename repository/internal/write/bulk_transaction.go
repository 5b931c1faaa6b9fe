package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Join makes i an item of b, a bulk operation in transactions, with the one operation of
// tx.
func (i *BulkItem) Join(b *Bulk, tx *Transaction) {
	part := tx.Operations[0]
	i.part, i.Place = &part, part.place
	if part.writer != b.Writer {
		i.In = part.writer
	}
}

// TellCommitted calls OnCommitted of the item's operation in a transaction. It returns
// false if the item has no such operation.
func (i *BulkItem) TellCommitted() bool {
	if i.part == nil {
		return false
	}
	if told := i.part.OnCommitted; told != nil {
		told(wire.Result{ETag: i.ETag})
	}
	return true
}

// run is consecutive items of one logical partition, and their transaction. The goroutine
// of the loop fills it, and a worker commits it. It waits in the window as one item.
type run struct {
	Transaction
	lane  wire.Identity // zero until an item of it has a known logical partition
	items []*BulkItem

	// unplaced is the last item if its logical partition is unknown, so that it may also
	// belong to the next run. Shared says that the first item is the unplaced item of the
	// previous run, which yields its outcome.
	unplaced *BulkItem
	shared   bool

	// culprit is the index of the first item that is refused before anything is sent, or
	// wire.NoOperation. Refusal is its error.
	culprit int
	refusal error

	// over is the error if the transaction would be too large. The run then keeps no items
	// and sends nothing.
	over error
}

// takes reports whether an item of a lane continues the run. A zero lane is unknown.
func (o *run) takes(lane wire.Identity) bool {
	unknown := wire.Identity{}
	switch {
	case o == nil:
		return false
	case lane == unknown: // the first unplaced item begins a run, and the next item tells its lane
		return o.lane != unknown
	}
	return o.lane == unknown || o.lane == lane
}

// own returns the items whose outcomes this run yields.
func (o *run) own() []*BulkItem {
	if o.shared && len(o.items) > 0 {
		return o.items[1:]
	}
	return o.items
}

// unfolded returns the items of all runs, or the items themselves if they are not runs.
func unfolded(all []*BulkItem) []*BulkItem {
	if len(all) == 0 || all[0].run == nil {
		return all
	}
	var items []*BulkItem
	for _, i := range all {
		items = append(items, i.run.items...)
	}
	return items
}

// placeOf returns the lane of an item, or zero if its logical partition is unknown, as for
// an item that is refused.
func (r *bulkRun) placeOf(i *BulkItem) (lane wire.Identity) {
	if i.Name != "" && r.WriterOf(i).Client != nil {
		lane = r.laneOf(i)
	}
	return lane
}

// gather adds an item to the open run, or begins another one.
func (r *bulkRun) gather(item *BulkItem) {
	if item.SourceErr != nil {
		r.interrupt()
		r.ended = append(r.ended, item)
		return
	}
	lane := r.placeOf(item)
	if !r.open.takes(lane) {
		next := &run{culprit: wire.NoOperation}
		if r.open != nil && r.open.unplaced != nil && lane != (wire.Identity{}) {
			next.items, next.shared = []*BulkItem{r.open.unplaced}, true
			next.culprit, next.refusal = 0, r.open.unplaced.Err
		}
		r.closeRun()
		r.open = next
	}
	o := r.open
	o.unplaced = nil
	if lane == (wire.Identity{}) {
		o.unplaced = item
	} else {
		o.lane = lane
	}
	r.include(o, item)
}

func (r *bulkRun) include(o *run, item *BulkItem) {
	if o.over != nil {
		if item.Err == nil {
			item.Err = r.failure(item, o.over)
		}
		r.ended = append(r.ended, item)
		return
	}
	before := len(o.own())
	o.items = append(o.items, item)
	s := r.WriterOf(item)
	switch {
	case before >= wire.MaxBatchOperations || item.Err == nil && o.full(s, *item.part):
		o.over = fmt.Errorf("more than %d items of its logical partition follow each other, which is too many for a transaction, so none was sent: "+
			"use several bulk operations, or InBatches, where each item has its own outcome", before)
	case item.Err == nil && o.heavy(*item.part):
		o.over = fmt.Errorf("%w: items of its logical partition that follow each other have more than %d bytes, which is too many for a transaction, so none was sent: "+
			"use several bulk operations, or InBatches, where each item has its own outcome", wire.ErrTooLarge, wire.MaxBatchBytes)
	case item.Err == nil:
		item.Err = o.Add(s, item.Place, *item.part)
	}
	switch {
	case o.over != nil:
		for _, i := range o.own() {
			if i.Err == nil {
				i.Err = r.failure(i, o.over)
			}
		}
		r.ended = append(r.ended, o.own()...)
		o.items, o.Transaction = nil, Transaction{}
	case item.Err != nil && o.culprit == wire.NoOperation:
		o.culprit, o.refusal = len(o.items)-1, item.Err
	}
}

// closeRun closes the open run: it waits to be sent, or ends if one of its items was
// refused.
func (r *bulkRun) closeRun() {
	o := r.open
	r.open = nil
	switch {
	case o == nil || o.over != nil:
	case o.culprit != wire.NoOperation:
		r.blame(o, o.culprit, o.refusal)
		r.ended = append(r.ended, o.own()...)
	default:
		first := o.items[0]
		for _, item := range o.items {
			item.run = o
		}
		r.window.add(o.lane, &BulkItem{Index: first.Index, Document: first.Document, In: first.In, run: o})
	}
}

// errInterrupted is the error of the items of the last transaction of a source that fails.
var errInterrupted = errors.New("it was not sent, because the items ended with an error, perhaps in the middle of its transaction")

// interrupt ends the open run because the source has failed.
func (r *bulkRun) interrupt() {
	if o := r.open; o != nil && o.over == nil && o.culprit == wire.NoOperation {
		for _, item := range o.items {
			item.Err = r.failure(item, errInterrupted)
		}
		r.ended = append(r.ended, o.items...)
		r.open = nil
	}
	r.closeRun()
}

// blame sets the errors of the items of a run after the item at index n was refused with
// err. Nothing of the transaction is stored.
func (r *bulkRun) blame(o *run, n int, err error) {
	refused := func(n int, err error) *documents.TransactionError {
		i := o.items[n]
		return &documents.TransactionError{
			Operation: n + 1, Of: len(o.items), Op: r.Op, Type: r.Type, ID: i.ID, PartitionKey: cmp.Or(i.Name, o.Place.Name), Err: err,
		}
	}
	because := refused(n, err)
	for k, item := range o.items {
		switch {
		case k == 0 && o.shared:
		case k == n:
			item.Err = because
		case item.Err != nil:
			item.Err = refused(k, item.Err)
		default:
			item.Err = documents.NewRolledBackError(r.Op, r.Type, item.ID, item.Name, because)
		}
	}
}

// transact commits the transaction of a run, again after throttling.
func (r *bulkRun) transact(o *run) {
	o.WantsETags = r.WantsETags
	var err error
	for attempt := 1; ; attempt++ {
		var results []wire.Result
		began := time.Now()
		units, ended := r.request(len(o.items), func(ctx context.Context) { results, err = r.commit(ctx, o) })
		for _, item := range o.items {
			item.RequestUnits += units / float64(len(o.items))
		}
		if ended == nil && err == nil {
			for i, result := range results {
				o.items[i].ETag = result.ETag
			}
			return
		}
		if errors.Is(err, wire.ErrUnclear) && o.Open.IsZero() {
			o.Open = began
		}
		throttled := errors.Is(err, wire.ErrThrottled) && attempt <= maxThrottled && (o.Open.IsZero() || o.repeatable())
		if ended == nil && throttled {
			if ended = r.cool(attempt, err); ended == nil {
				continue
			}
		}
		r.fail(o, err, ended)
		return
	}
}

// commit commits the transaction of a run once. A failure is a *CommitError, or an error
// about where the tenant is.
func (r *bulkRun) commit(ctx context.Context, o *run) (results []wire.Result, err error) {
	send := func(ctx context.Context) error {
		var failed *CommitError
		if results, failed = o.Commit(ctx); failed != nil {
			return failed
		}
		return nil
	}
	if r.Around != nil {
		err = r.Around(ctx, send)
	} else {
		err = send(ctx)
	}
	return results, err
}

// fail sets the errors of the items of a run. Err is the error of the commit, or nil if
// none was sent. Ended is the error of the context, if it has ended.
func (r *bulkRun) fail(o *run, err, ended error) {
	of := func(item *BulkItem) error { return r.notSent(item, ended) }
	failed, ok := err.(*CommitError) //nolint:errorlint // an error that wraps it has a text of its own
	switch {
	case err == nil:
	case !ok:
		of = func(item *BulkItem) error {
			return wire.StillUnclear(r.failure(item, errors.Join(err, ended)), errors.Is(err, wire.ErrUnclear))
		}
	default:
		if ended != nil {
			failed.Err = errors.Join(failed.Err, ended)
		}
		if failed.Operation != wire.NoOperation {
			r.blame(o, failed.Operation, failed.OperationError)
			return
		}
		of = func(item *BulkItem) error {
			own := *failed.OperationError
			own.Op, own.Type, own.ID = r.Op, r.Type, item.ID
			return &own
		}
	}
	for _, item := range o.items {
		item.Err = of(item)
	}
}
