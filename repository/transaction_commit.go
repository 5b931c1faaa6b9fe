package repository

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// failure is why an attempt at a transaction failed.
type failure struct {
	*wire.OperationError
	operation int // to blame, counted from 0, or noOperation

	lost      bool // it may have taken effect
	repeated  bool // the client's pipeline sent it more than once, and an attempt before the last may have
	unnamed   bool // the service has not said which operation is to blame, and would if asked
	overtaken bool // it may succeed if it is sent again
}

// commit sends the transaction until its outcome is clear, and returns the
// results of its operations, or none where these did not arrive.
func (tx *Transaction) commit(ctx context.Context) ([]azcosmos.TransactionalBatchResult, error) {
	full, unclear := tx.tagged, false
	for attempt := 1; ; attempt++ {
		results, failed := tx.attempt(ctx, full)
		if failed == nil {
			return results, nil
		}
		unclear = unclear || failed.lost || failed.repeated
		wait, again := attempt, !unclear || tx.repeatable()
		switch {
		case again && failed.lost && attempt <= wire.MaxResends:
			wait += wire.UnclearPause
		case again && failed.unnamed && !full:
			full = true
		case again && failed.overtaken && attempt < maxAttempts:
		default:
			if failed.overtaken && attempt == maxAttempts {
				failed.Note = contended
			}
			if results, took := tx.settle(ctx, failed, unclear); took {
				return results, nil
			}
			if other := tx.ofOtherType(ctx, failed); other != nil {
				failed.OperationError = other
			}
			return nil, tx.failure(failed, unclear)
		}
		if err := backoff.Pause(ctx, wait); err != nil {
			if !errors.Is(failed.Err, err) {
				failed.Err = errors.Join(failed.Err, err)
			}
			return nil, tx.failure(failed, unclear)
		}
	}
}

// failure returns the error of a transaction that failed.
func (tx *Transaction) failure(f *failure, unclear bool) error {
	f.Unclear = unclear
	if f.operation != wire.NoOperation {
		return &TransactionError{Operation: f.operation + 1, Of: len(tx.items), Err: exported(f.OperationError)}
	}
	if !unclear && f.Note == "" {
		f.Note = "nothing of the transaction was stored"
	}
	return f.OperationError
}

// attempt sends the transaction once.
func (tx *Transaction) attempt(ctx context.Context, full bool) ([]azcosmos.TransactionalBatchResult, *failure) {
	if err := ctx.Err(); err != nil {
		return nil, &failure{OperationError: tx.whole(err), operation: wire.NoOperation}
	}
	operations, failed := tx.looked(ctx)
	if failed != nil {
		return nil, failed
	}
	if !tx.repeatable() {
		ctx = wire.RetryRefused(ctx)
	}
	watchCtx, watch := wire.Watch(ctx)
	results, committed, err := tx.store.SendBatch(watchCtx, opCommit, tx.place, operations, full)
	if err == nil && committed {
		return results, nil
	}
	failed = tx.rolledBack(results)
	if err != nil {
		failed = &failure{OperationError: tx.whole(err), operation: wire.NoOperation, lost: wire.IsUnclear(err)}
		failed.unnamed = overtaken(failed.OperationError)
	}
	failed.repeated = watch.Unclear()
	return nil, failed
}

// rolledBack returns what the results of a transaction say that failed.
func (tx *Transaction) rolledBack(results []azcosmos.TransactionalBatchResult) *failure {
	i := wire.Culprit(results)
	if i == wire.NoOperation {
		err := errors.New("the service has rolled it back, and does not say because of which operation")
		return &failure{OperationError: tx.whole(err), operation: wire.NoOperation, unnamed: true}
	}
	item, status := &tx.items[i], int(results[i].StatusCode)
	failed := &failure{OperationError: wire.Rejected(item.Op, item.store.Type, item.ID, tx.place.Name, status), operation: i}
	failed.overtaken = item.looks && overtaken(failed.OperationError) || slices.Contains(busyStatuses, status)
	return failed
}

// busyStatuses are those of an operation that failed because the service was
// busy, and not because of what is stored. The client repeats requests that fail
// so, and does not look into batches.
var busyStatuses = []int{http.StatusTooManyRequests, wire.StatusRetryWith}

// whole returns the error of a transaction that failed as a whole.
func (tx *Transaction) whole(err error) *wire.OperationError {
	return wire.NewOperationError(opCommit, tx.store.Type, "", tx.place.Name, err)
}

// settle reports whether a transaction has failed for the reason that an earlier
// attempt took effect, and returns the ETags of what is stored as results. It has
// if all documents are stored as the transaction wanted them. To look at one of
// them is not enough: somebody else may have stored that one.
func (tx *Transaction) settle(ctx context.Context, f *failure, unclear bool) ([]azcosmos.TransactionalBatchResult, bool) {
	if f.operation == wire.NoOperation || !overtaken(f.OperationError) || !tx.proven() {
		return nil, false
	}
	if !unclear && (!tx.items[f.operation].repeated || tx.patches()) {
		return nil, false
	}
	results := make([]azcosmos.TransactionalBatchResult, len(tx.items))
	seen := map[string]bool{}
	for i, item := range slices.Backward(tx.items) {
		if item.Op == wire.OpGet || seen[item.ID] {
			continue
		}
		seen[item.ID] = true // what was written before the last time does not stay
		if item.Op == wire.OpPatch {
			continue // nobody knows what it made of the document
		}
		tag, as := tx.stands(ctx, item)
		if !as {
			return nil, false
		}
		results[i].ETag = tag
	}
	return results, true
}

// stands reports whether the document of an operation is stored as it wanted,
// and returns its ETag.
func (tx *Transaction) stands(ctx context.Context, i item) (azcore.ETag, bool) {
	w := write{Place: tx.place, body: i.Body}
	w.ID = i.ID
	tag, same, err := standing(ctx, tx.store, opCommit, w)
	if i.Op == wire.OpDelete {
		return "", errors.Is(err, ErrNotFound)
	}
	return tag, same && err == nil
}
