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

// Join makes i an item of b, a bulk operation in transactions, which does the one operation of tx.
func (i *BulkItem) Join(b *Bulk, tx *Transaction) {
	part := tx.Operations[0]
	i.part, i.Place = &part, part.place
	if part.writer != b.Writer {
		i.In = part.writer
	}
}

// TellCommitted calls OnCommitted of the item's operation in a transaction. It reports whether
// the item has one.
func (i *BulkItem) TellCommitted() bool {
	if i.part == nil {
		return false
	}
	if told := i.part.OnCommitted; told != nil {
		told(wire.Result{ETag: i.ETag})
	}
	return true
}

// run is consecutive items of one logical partition, and the transaction that they are. The
// goroutine of the loop fills it, and a worker commits it. In the window, it waits as one item.
type run struct {
	Transaction
	lane  wire.Identity // zero until an item has told it
	items []*BulkItem

	// unplaced is the item that was read last, if its logical partition is not known, so that it
	// may belong to the next run as well. Shared says that the first item is such a one of the
	// run before, where its outcome is yielded.
	unplaced *BulkItem
	shared   bool

	// culprit is the first item that is refused before anything is sent, by its index, or
	// wire.NoOperation; refusal is its error.
	culprit int
	refusal error

	// over is why nothing is sent, if the transaction would be too large; nil otherwise. The
	// run keeps no items then.
	over error
}

// takes reports whether an item of a lane continues the run. The lane is zero if it is not known.
func (o *run) takes(lane wire.Identity) bool {
	unknown := wire.Identity{}
	switch {
	case o == nil:
		return false
	case lane == unknown: // the first one of several begins a run, which the next item tells more of
		return o.lane != unknown
	}
	return o.lane == unknown || o.lane == lane
}

// own returns the items whose outcomes the run yields.
func (o *run) own() []*BulkItem {
	if o.shared && len(o.items) > 0 {
		return o.items[1:]
	}
	return o.items
}

// unfolded returns the items that wait as all: those of runs, or all themselves.
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

// placeOf returns the lane of an item, or zero if its logical partition is not known, as that of
// an item that is refused may be.
func (r *bulkRun) placeOf(i *BulkItem) (lane wire.Identity) {
	if i.Name != "" && r.WriterOf(i).Client != nil {
		lane = r.laneOf(i)
	}
	return lane
}

// gather adds an item to the run that is being read, or begins another.
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

// include adds an item to a run.
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

// closeRun lets the transaction that was read wait until it is sent, or ends it if an item of it
// was refused.
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

// errInterrupted is why the last transaction of a source that fails is not sent.
var errInterrupted = errors.New("it was not sent, because the items ended with an error, perhaps in the middle of its transaction")

// interrupt ends the transaction that was read when the source has failed.
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

// blame gives the items of a run their errors, since the one of index n was refused with err, and
// nothing of the transaction is stored.
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

// transact commits the transaction of a run, again if it was throttled.
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

// commit commits the transaction of a run once. A failure is a *CommitError, unless it is one of
// where the tenant lives.
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

// fail gives the items of a run their errors after a commit that has failed with err, which is nil
// if none was sent. Ended is the error of the context if that has ended since.
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
