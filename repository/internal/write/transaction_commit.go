package write

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Commit sends the transaction until its outcome is clear, and returns the
// results of its operations, or none where these did not arrive.
func (tx *Transaction) Commit(ctx context.Context) ([]azcosmos.TransactionalBatchResult, *CommitError) {
	full, unclear, misses := tx.WantsETags, false, 0
	began, open := time.Now(), false
	present := false // the document of a patch that was refused is of the present form
	for attempt := 1; ; attempt++ {
		results, failed := tx.attempt(ctx, full)
		if failed == nil {
			return results, nil
		}
		unclear = unclear || failed.lost || failed.repeated
		if unclear {
			if results, took := tx.tookEffect(ctx); took {
				return results, nil
			}
		}
		if tx.counts(failed) {
			results, v := tx.own(ctx, failed, refusal{failed.OperationError, unclear, began})
			if v == stored {
				return results, nil
			}
			open = open || v == untold
		}
		wait, again := attempt, !unclear || tx.repeatable()
		switch {
		case failed.lacking && tx.stores() && tx.Writer.Supply(ctx, &misses, failed.OperationError):
		case again && failed.lost && attempt <= wire.MaxResends:
			wait += wire.UnclearPause
		case again && failed.unnamed && !full:
			full = true
		case !unclear && attempt < backoff.MaxAttempts && tx.renew(ctx, failed, &present):
		case again && failed.overtaken && attempt < backoff.MaxAttempts:
		default:
			if failed.overtaken && attempt == backoff.MaxAttempts {
				failed.Note = Contended
			}
			return tx.end(ctx, failed, refusal{failed.OperationError, unclear, began}, open)
		}
		if !failed.pause(ctx, wait) {
			return nil, tx.failure(failed, unclear || open)
		}
	}
}

// pause waits before another attempt. It returns false, and adds the reason to the failure,
// if the context ends meanwhile.
func (f *CommitError) pause(ctx context.Context, attempt int) bool {
	err := backoff.Pause(ctx, attempt)
	if err != nil && !errors.Is(f.Err, err) {
		f.Err = errors.Join(f.Err, err)
	}
	return err == nil
}

// end returns the outcome of a transaction that is not sent again. Open says that an earlier
// look could not tell whether it took effect.
func (tx *Transaction) end(ctx context.Context, failed *CommitError, r refusal, open bool) ([]azcosmos.TransactionalBatchResult, *CommitError) {
	if results, took := tx.settle(ctx, failed, r.unclear); took {
		return results, nil
	}
	if !tx.counts(failed) {
		results, v := tx.own(ctx, failed, r)
		if v == stored {
			return results, nil
		}
		open = open || v == untold
	}
	if other := tx.ofOtherType(ctx, failed); other != nil {
		failed.OperationError = other
	}
	return nil, tx.failure(failed, r.unclear || open)
}

// counts reports whether the transaction must not be sent again, after a look, before the
// document of the operation that failed has told whether the transaction took effect.
func (tx *Transaction) counts(f *CommitError) bool {
	if f.Operation == wire.NoOperation {
		return false
	}
	i := &tx.Operations[f.Operation]
	return i.looks && (i.stamped != nil || i.Request != nil || i.Marks)
}

// own returns what the document of the operation that failed tells of the transaction: one
// read, and if that shows that the transaction took effect, one more for each other document
// that it stores. Results are the ETags of what is stored.
func (tx *Transaction) own(ctx context.Context, f *CommitError, r refusal) ([]azcosmos.TransactionalBatchResult, verdict) {
	if f.Operation == wire.NoOperation || f.Status == 0 || !overtaken(f.OperationError) {
		return nil, notStored
	}
	at := tx.witness(f)
	if at < 0 {
		return nil, notStored
	}
	i := &tx.Operations[at]
	answer, err := i.writer.ReadStored(ctx, OpCommit, i.place)
	if err != nil {
		return nil, unread(err)
	}
	var v verdict
	switch {
	case i.Marks:
		if i.writer.Deleted.hasMark(answer.Value, i.Mark) {
			v = stored
		}
	case i.Request != nil:
		v = r.judgeRefused(i.writer, *i.Request, answer)
	default:
		w := Document{Place: i.place, Body: i.Body}
		if i.stamped != nil {
			w.Stamp = i.stamped.Stamp
		}
		r.unclear = false // somebody else may have stored this one: settle looks at all
		v = r.judge(i.writer, w, answer, i.Op == wire.OpCreate)
	}
	if v == untold && !tx.sameElsewhere(ctx, i.ID) {
		v = notStored
	}
	if v != stored {
		return nil, v
	}
	results := make([]azcosmos.TransactionalBatchResult, len(tx.Operations))
	for n, other := range tx.Operations {
		switch {
		case n == at:
			results[n].ETag = answer.ETag
		case other.Body != nil && tx.WantsETags:
			results[n].ETag, _ = tx.stored(ctx, other)
		}
	}
	return results, stored
}

// witness returns the index of the operation whose document tells whether a transaction took
// effect that a failed operation has stopped: that operation, or the first one that stores a
// document if the operation removes one and has found none. It is -1 if there is none.
func (tx *Transaction) witness(f *CommitError) int {
	switch i := tx.Operations[f.Operation]; {
	case i.Op == wire.OpGet:
		return -1
	case i.Op != wire.OpDelete || i.Marks:
		return f.Operation
	case !errors.Is(f.OperationError, wire.ErrNotFound):
		return -1
	}
	all := tx.writes()
	for n := range tx.Operations {
		if i := &tx.Operations[n]; i.Body != nil && i.Op != wire.OpDelete && all[i.ID].last == i {
			return n
		}
	}
	return -1
}

// stores reports whether the transaction stores a document that need not be there.
func (tx *Transaction) stores() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpCreate || i.Op == wire.OpUpsert })
}

// sameElsewhere reports whether the documents of other ids are stored as the transaction
// wants them.
func (tx *Transaction) sameElsewhere(ctx context.Context, id string) bool {
	for other, w := range tx.writes() {
		if other == id || w.last.Body == nil {
			continue
		}
		if _, same := tx.stored(ctx, *w.last); !same {
			return false
		}
	}
	return true
}

// NotifyCommitted tells those who want to know that the transaction took effect.
func (tx *Transaction) NotifyCommitted(results []azcosmos.TransactionalBatchResult) {
	for i := range tx.Operations {
		if took := tx.Operations[i].OnCommitted; took != nil {
			var result azcosmos.TransactionalBatchResult
			if i < len(results) {
				result = results[i]
			}
			took(result)
		}
	}
}

// failure completes the failure of a transaction.
func (tx *Transaction) failure(f *CommitError, unclear bool) *CommitError {
	f.Unclear = unclear
	if f.Operation == wire.NoOperation && !unclear && f.Note == "" {
		f.Note = "nothing of the transaction was stored"
	}
	return f
}

// attempt sends the transaction once.
func (tx *Transaction) attempt(ctx context.Context, full bool) ([]azcosmos.TransactionalBatchResult, *CommitError) {
	if err := ctx.Err(); err != nil {
		return nil, &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation}
	}
	operations, failed := tx.looked(ctx)
	if failed != nil {
		return nil, failed
	}
	if !tx.repeatable() {
		ctx = wire.RetryRefused(ctx)
	}
	watchCtx, watch := wire.Watch(ctx)
	results, committed, err := tx.Writer.SendBatch(watchCtx, OpCommit, tx.Place, operations, full)
	if err == nil && committed {
		return results, nil
	}
	failed = tx.rolledBack(results)
	if err != nil {
		failed = &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation, lost: wire.IsUnclear(err)}
		failed.unnamed = overtaken(failed.OperationError)
		failed.lacking = tx.Writer.Lacks(err)
	}
	failed.repeated = watch.Unclear()
	return nil, failed
}

// rolledBack returns what the results of a transaction say that failed.
func (tx *Transaction) rolledBack(results []azcosmos.TransactionalBatchResult) *CommitError {
	i := wire.Culprit(results)
	if i == wire.NoOperation {
		err := errors.New("the service has rolled it back, and does not say because of which operation")
		return &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation, unnamed: true}
	}
	item, status := &tx.Operations[i], int(results[i].StatusCode)
	failed := &CommitError{OperationError: wire.Rejected(item.Op, item.writer.Type, item.ID, tx.Place.Name, status), Operation: i}
	failed.overtaken = item.looks && overtaken(failed.OperationError) || slices.Contains(busyStatuses, status)
	return failed
}

// busyStatuses are those of an operation that failed because the service was
// busy, and not because of what is stored. The client repeats requests that fail
// so, and does not look into batches.
var busyStatuses = []int{http.StatusTooManyRequests, wire.StatusRetryWith}

// settle reports whether a transaction has failed for the reason that an earlier
// attempt took effect, and returns the ETags of what is stored as results. It has
// if all documents are stored as the transaction wanted them. To look at one of
// them is not enough: somebody else may have stored that one.
func (tx *Transaction) settle(ctx context.Context, f *CommitError, unclear bool) ([]azcosmos.TransactionalBatchResult, bool) {
	if f.Operation == wire.NoOperation || !overtaken(f.OperationError) || !tx.proven() {
		return nil, false
	}
	if !unclear && (!tx.Operations[f.Operation].Repeated || tx.patches()) {
		return nil, false
	}
	results := make([]azcosmos.TransactionalBatchResult, len(tx.Operations))
	seen := map[string]bool{}
	for i, item := range slices.Backward(tx.Operations) {
		if item.Op == wire.OpGet || seen[item.ID] {
			continue
		}
		seen[item.ID] = true // what was written before the last time does not stay
		if item.Op == wire.OpPatch {
			continue // nobody knows what it made of the document
		}
		tag, as := tx.stored(ctx, item)
		if !as {
			return nil, false
		}
		results[i].ETag = tag
	}
	return results, true
}

// stored reports whether the document of an operation is stored as it wanted,
// and returns its ETag.
func (tx *Transaction) stored(ctx context.Context, i Operation) (azcore.ETag, bool) {
	w := Document{Place: tx.Place, Body: i.Body}
	w.ID = i.ID
	answer, same, err := storedAt(ctx, i.writer, OpCommit, w)
	if i.Marks && err == nil {
		_, _, err = i.writer.Read(ctx, OpCommit, w.Place)
		return "", i.writer.gone(err)
	}
	if i.Op == wire.OpDelete {
		return "", errors.Is(err, wire.ErrNotFound)
	}
	return answer.ETag, same && err == nil
}
