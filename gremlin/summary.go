package gremlin

import (
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
)

// Summary is the result of a bulk operation. Its items are the documents to store, or the
// keys whose documents to delete.
type Summary struct {
	// Items is the number of items that were read, and Failed how many of them failed.
	Items, Failed int

	// The number of failed items that match the error of this name. An item may match
	// two: ErrUnclear, which says that it may have taken effect nevertheless, and another.
	AlreadyExists, NotFound, PreconditionFailed, KeyChanged, Throttled, TooLarge, Unclear int

	// RequestUnits is the sum of the charges of all items.
	RequestUnits float64
}

// Outcome is the result of one item of a bulk operation: a document to store, or a key
// whose document to delete.
type Outcome[I any] struct {
	Index int // of the item in the sequence, counted from 0
	Item  I   // as the sequence gave it

	// RequestUnits is the charge of the item's requests, those of failed ones included.
	RequestUnits float64

	Err error // what the operation for a single item would return; nil if it succeeded
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
		TooLarge: s.TooLarge, Unclear: s.Unclear, RequestUnits: s.RequestUnits,
	}
}

func outcomes[I any](all iter.Seq[documents.Outcome[I]]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for o := range all {
			if !yield(Outcome[I]{o.Index, o.Item, o.RequestUnits, fault(o.Err)}) {
				return
			}
		}
	}
}
