package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Summary is the result of a bulk operation. Its items are the documents to
// store, or the keys whose documents to delete.
type Summary struct {
	// Items is the number of items that were read, and Failed how many of them
	// failed.
	Items, Failed int

	// The number of failed items that match the error of this name. An item may
	// match two: ErrUnclear, which says that it may have taken effect
	// nevertheless, and another.
	AlreadyExists, NotFound, PreconditionFailed, KeyChanged, Throttled, TooLarge, Unclear int

	// RequestUnits is the sum of the charges of all items.
	RequestUnits float64
}

// kinds are the errors that s counts.
func (s *Summary) kinds() []kind {
	return []kind{
		{ErrAlreadyExists, &s.AlreadyExists},
		{ErrNotFound, &s.NotFound},
		{ErrPreconditionFailed, &s.PreconditionFailed},
		{ErrKeyChanged, &s.KeyChanged},
		{ErrThrottled, &s.Throttled},
		{ErrTooLarge, &s.TooLarge},
		{ErrUnclear, &s.Unclear},
	}
}

// kind is an error and how many failures match it.
type kind struct {
	err   error
	count *int
}

// add counts an item.
func (s *Summary) add(item *write.BulkItem) {
	s.Items++
	s.RequestUnits += item.RequestUnits
	if item.Err == nil {
		return
	}
	s.Failed++
	for _, k := range s.kinds() {
		if errors.Is(item.Err, k.err) {
			*k.count++
		}
	}
}

// BulkError is the error of an incomplete bulk operation: items have failed, or
// there may be more items than it has read.
//
// errors.Is finds an error that a [Summary] counts if any item failed with it.
// errors.As finds what the errors in Failures and Err wrap.
type BulkError struct {
	// Op is the operation for one item, such as "create", and Type the name of the
	// document type.
	Op, Type string

	// Summary is the summary that the operation returned with this error.
	Summary Summary

	// Failures are the first ten failures that became known. The methods
	// CreateEach, UpsertEach, DeleteEach and DeleteEachOf of [Documents] yield
	// all.
	Failures []BulkFailure

	// Err says why the items were not read to their end: it is the error of the
	// source, of the query, or of the context. It is nil if all items were read.
	Err error
}

// BulkFailure is the failure of one item of a bulk operation.
type BulkFailure struct {
	// Index is the item's position among those that were read, counted from 0.
	Index int

	// Err is the error that the operation for a single item would return.
	Err error
}

// maxFailures is the most failures that a BulkError keeps, so that millions of
// failures need no memory.
const maxFailures = 10

// Error says how many items have failed, and then why each of the first failed,
// on a line of its own.
func (e *BulkError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.Op, e.Type)
	which := fmt.Sprintf("%d of %d items", e.Summary.Failed, e.Summary.Items)
	if e.Err != nil {
		fmt.Fprintf(&b, "the items ended early, after %d: %v", e.Summary.Items, e.Err)
		which = fmt.Sprintf("\n%d of them", e.Summary.Failed)
	}
	if e.Summary.Failed == 0 {
		return b.String()
	}
	b.WriteString(which + " failed")
	if n := len(e.Failures); n < e.Summary.Failed {
		fmt.Fprintf(&b, ", of which the first %d", n)
	}
	b.WriteString(":")
	for _, failure := range e.Failures {
		fmt.Fprintf(&b, "\nitem %d: %v", failure.Index, failure.Err)
	}
	return b.String()
}

// Is reports whether an item has failed with the error target, if a Summary
// counts it, even if Failures has no such item.
func (e *BulkError) Is(target error) bool {
	for _, k := range e.Summary.kinds() {
		if k.err == target {
			return *k.count > 0
		}
	}
	return false
}

// Unwrap returns Err, if it is not nil, and the errors of Failures.
func (e *BulkError) Unwrap() []error {
	var causes []error
	if e.Err != nil {
		causes = append(causes, e.Err)
	}
	for _, failure := range e.Failures {
		causes = append(causes, failure.Err)
	}
	return causes
}

// summarize sends the items of source and adds up their outcomes. The error is a
// *BulkError unless all items have succeeded.
func summarize(ctx context.Context, b *write.Bulk, source iter.Seq[*write.BulkItem]) (Summary, error) {
	e := BulkError{Op: b.Op, Type: b.Type}
	b.Run(ctx, func(yield func(*write.BulkItem) bool) {
		source(yield)
		if e.Err == nil {
			e.Err = ctx.Err() // perhaps the reason why the source has ended
		}
	}, func(item *write.BulkItem) bool {
		e.note(item)
		return true
	})
	if e.Err == nil && e.Summary.Failed == 0 {
		return e.Summary, nil
	}
	return e.Summary, &e
}

// note counts an item, and keeps its error if it is one of the first.
func (e *BulkError) note(item *write.BulkItem) {
	if item.SourceErr != nil {
		e.Err = exported(item.SourceErr)
		return
	}
	e.Summary.add(item)
	if item.Err != nil && len(e.Failures) < maxFailures {
		e.Failures = append(e.Failures, BulkFailure{item.Index, exported(item.Err)})
	}
}

// given is an item as the caller has it, a document or a key, and what is sent
// of it.
type given[I any] struct {
	item I
	sent write.BulkItem
}

// newBulkItem returns the item that bulk operations send for a caller's item.
func newBulkItem[I any](item I) *write.BulkItem {
	g := &given[I]{item: item}
	g.sent.Given = g
	return &g.sent
}

// givenAs returns the caller's item of newBulkItem, or the zero value if the
// caller has no such item.
func givenAs[I any](i *write.BulkItem) (item I) {
	if g, ok := i.Given.(*given[I]); ok {
		item = g.item
	}
	return item
}

// Document returns the item without its type.
func (g *given[I]) Document() any { return g.item }

// of returns prepare for documents of the type P.
func of[P any](prepare func(doc any, item *write.BulkItem)) func(P, *write.BulkItem) {
	return func(doc P, item *write.BulkItem) { prepare(doc, item) }
}

// each returns an item for each of all, as prepare completes it. An error of all
// ends them with an item that has the error and belongs to no item of the caller.
func each[I any](b *write.Bulk, all iter.Seq2[I, error], prepare func(I, *write.BulkItem)) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		if all == nil {
			yield(b.FailedItem(errNoSequence))
			return
		}
		for one, err := range all {
			if err != nil {
				yield(sourceError(b, err))
				return
			}
			item := newBulkItem(one)
			prepare(one, item)
			if !yield(item) {
				return
			}
		}
	}
}

// errNoSequence is the error of a bulk operation on a nil sequence.
var errNoSequence = errors.New("the sequence is nil: pass a sequence, such as slices.Values of a slice")

// sourceError is the item for an error of the caller's source. An Error, such as
// that of a query, is not wrapped again.
func sourceError(b *write.Bulk, err error) *write.BulkItem {
	item := b.FailedItem(err)
	var own *Error
	if errors.As(err, &own) {
		item.Err = err
	}
	return item
}

// unfailing returns a sequence with errors, which are all nil. A nil sequence
// stays nil.
func unfailing[I any](all iter.Seq[I]) iter.Seq2[I, error] {
	if all == nil {
		return nil
	}
	return func(yield func(I, error) bool) {
		for one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// outcomes returns the outcomes of items as callers get them.
func outcomes[I any](items iter.Seq[*write.BulkItem]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for i := range items {
			if !yield(Outcome[I]{Index: i.Index, Item: givenAs[I](i), RequestUnits: i.RequestUnits, Err: exported(i.Err)}) {
				return
			}
		}
	}
}
