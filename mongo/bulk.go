package mongo

import (
	"context"
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
)

// CreateAll stores each of docs as a new document, as [Documents.Create] stores one: one
// insert each, 32 at once, fewer while the service throttles them. It reads docs while
// requests are under way. Documents of one id in one logical partition are stored in their
// order, and others in any order.
//
// The error is nil if docs was read to its end before ctx ended, and every document was
// stored. Otherwise it is a [*BulkError]. A document that fails does not stop the others.
// When ctx ends, CreateAll reads at most one more of docs, and cancels its requests.
//
// Only the caller's goroutine ranges over docs and writes into documents; others read a
// document from when docs has given it until its outcome is known.
func (d *Documents[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T]) (Summary, error) {
	return summary(d.inner.CreateAll(ctx, docs))
}

// CreateAllFrom is CreateAll of documents from a source that can fail, such as Query.All
// of another collection. An error of docs ends it: the documents before it are stored, and
// the [*BulkError] wraps the error.
func (d *Documents[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error]) (Summary, error) {
	return summary(d.inner.CreateAllFrom(ctx, docs))
}

// CreateEach is CreateAll in a loop: it yields the outcome of each document, in the order
// in which they become known. It does nothing until the caller ranges over the result. No
// request is under way after the loop.
func (d *Documents[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T]) iter.Seq[Outcome[*T]] {
	return outcomes(d.inner.CreateEach(ctx, docs))
}

// UpsertAll is to Upsert what CreateAll is to Create.
func (d *Documents[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T]) (Summary, error) {
	return summary(d.inner.UpsertAll(ctx, docs))
}

// UpsertAllFrom is to UpsertAll what CreateAllFrom is to CreateAll.
func (d *Documents[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error]) (Summary, error) {
	return summary(d.inner.UpsertAllFrom(ctx, docs))
}

// UpsertEach is to UpsertAll what CreateEach is to CreateAll.
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T]) iter.Seq[Outcome[*T]] {
	return outcomes(d.inner.UpsertEach(ctx, docs))
}

// DeleteAll is to Delete what CreateAll is to Create. A missing document is a failure that
// matches ErrNotFound.
func (d *Documents[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K]) (Summary, error) {
	return summary(d.inner.DeleteAll(ctx, keys))
}

// DeleteAllFrom is to DeleteAll what CreateAllFrom is to CreateAll.
func (d *Documents[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error]) (Summary, error) {
	return summary(d.inner.DeleteAllFrom(ctx, keys))
}

// DeleteEach is to DeleteAll what CreateEach is to CreateAll.
func (d *Documents[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K]) iter.Seq[Outcome[K]] {
	return outcomes(d.inner.DeleteEach(ctx, keys))
}

// GetMany returns the documents of keys, in the order of keys: nil for a key that has no
// document. It reads each document once, by a find of its own, up to 32 at once. An error
// comes without documents: before any request for the first invalid key.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	docs, err := d.inner.GetMany(ctx, keys)
	return docs, fault(err)
}

// Summary is the result of a bulk operation. Its items are the documents to store, or the
// keys whose documents to delete.
type Summary struct {
	// Items is the number of items that were read, and Failed how many of them failed.
	Items, Failed int

	// The number of failed items that match the error of this name. An item may match
	// two: ErrUnclear, which says that it may have taken effect nevertheless, and another.
	AlreadyExists, NotFound, PreconditionFailed, KeyChanged, Throttled, TooLarge, Unclear int
}

// Outcome is the result of one item of a bulk operation: a document to store, or a key
// whose document to delete.
type Outcome[I any] struct {
	Index int   // of the item in the sequence, counted from 0
	Item  I     // as the sequence gave it
	Err   error // what the operation for a single item would return; nil if it succeeded
}

// BulkError is the error of an incomplete bulk operation: items have failed, or there may
// be more items than it has read.
//
// errors.Is finds an error that a [Summary] counts if any item failed with it. errors.As
// finds what the errors in Failures and Err wrap.
type BulkError struct {
	Op, Type string        // the operation for one item, such as "create", and the document type
	Summary  Summary       // what the operation returned with this error
	Failures []BulkFailure // the first ten failures that became known; CreateEach and its like yield all
	Err      error         // why the items were not read to their end; nil if they were

	inner *documents.BulkError
}

// BulkFailure is the failure of one item of a bulk operation.
type BulkFailure struct {
	Index int   // of the item among those that were read, counted from 0
	Err   error // what the operation for a single item would return
}

// Error says how many items have failed, and then why each of the first failed, on a line
// of its own.
func (e *BulkError) Error() string { return e.inner.Error() }

// Is reports whether an item has failed with the error target, if a Summary counts it,
// even if Failures has no such item.
func (e *BulkError) Is(target error) bool { return e.inner.Is(target) }

// Unwrap returns Err, if it is not nil, and the errors of Failures.
func (e *BulkError) Unwrap() []error {
	var causes []error
	if e.Err != nil {
		causes = append(causes, e.Err)
	}
	for _, f := range e.Failures {
		causes = append(causes, f.Err)
	}
	return causes
}

// summary returns the result of a bulk operation as callers know it.
func summary(s documents.Summary, err error) (Summary, error) {
	var inner *documents.BulkError
	if !errors.As(err, &inner) {
		return counts(s), fault(err)
	}
	e := &BulkError{Op: inner.Op, Type: inner.Type, Summary: counts(inner.Summary), Err: fault(inner.Err), inner: inner}
	for _, f := range inner.Failures {
		e.Failures = append(e.Failures, BulkFailure{f.Index, fault(f.Err)})
	}
	return counts(s), e
}

func counts(s documents.Summary) Summary {
	return Summary{
		Items: s.Items, Failed: s.Failed, AlreadyExists: s.AlreadyExists, NotFound: s.NotFound,
		PreconditionFailed: s.PreconditionFailed, KeyChanged: s.KeyChanged, Throttled: s.Throttled,
		TooLarge: s.TooLarge, Unclear: s.Unclear,
	}
}

func outcomes[I any](all iter.Seq[documents.Outcome[I]]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for o := range all {
			if !yield(Outcome[I]{o.Index, o.Item, fault(o.Err)}) {
				return
			}
		}
	}
}
