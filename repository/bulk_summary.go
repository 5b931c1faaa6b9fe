package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Summary is what became of the items of a bulk operation together: of the
// documents to be stored, or of the keys whose documents are to be deleted.
type Summary struct {
	// Items is how many were read, and Failed how many of them failed.
	Items, Failed int

	// How many of those that failed match the error of this name. One may match
	// two: ErrUnclear, which says that it may have taken effect all the same, and
	// another.
	AlreadyExists, NotFound, PreconditionFailed, KeyChanged, Throttled, TooLarge, Unclear int

	// RequestUnits is the sum of what they were charged.
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
	s.RequestUnits += item.Units
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

// BulkError says that a bulk operation has not done all that it was asked for:
// items have failed, or there may be more items than it has read.
//
// errors.Is finds the errors that a [Summary] counts if any item failed so, and
// errors.As what the errors in Failures and Err wrap.
type BulkError struct {
	// Op is the operation for one item, such as "create", and Type the name of the
	// document type.
	Op, Type string

	// Summary is what the operation returned beside this error.
	Summary Summary

	// Failures are the first ten that became known. The methods CreateEach,
	// UpsertEach, DeleteEach and DeleteEachOf of [Documents] tell of all.
	Failures []BulkFailure

	// Err is why the items were not read to their end, nil if they were: the error
	// of the source or the query that gives them, or that of the context.
	Err error
}

// BulkFailure is why one item of a bulk operation failed.
type BulkFailure struct {
	// Index is the item's position among those that were read, counted from 0.
	Index int

	// Err is what the operation for one item returns.
	Err error
}

// maxFailures is how many failures a BulkError has, so that millions of them need
// no memory.
const maxFailures = 10

// Error says how many items have failed, and why the first of them did, each on a
// line of its own.
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

// Is reports whether an item has failed with one of the errors that a Summary
// counts, also where Failures does not have it.
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

// summarize sends the items of source and adds up what became of them. The error
// is a *BulkError unless all have succeeded.
func summarize(ctx context.Context, b *write.Bulk, source iter.Seq[*write.BulkItem]) (Summary, error) {
	e := BulkError{Op: b.Op, Type: b.Type}
	b.Run(ctx, func(yield func(*write.BulkItem) bool) {
		source(yield)
		if e.Err == nil {
			e.Err = ctx.Err() // for which the source may have ended
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
	if item.Ends != nil {
		e.Err = exported(item.Ends)
		return
	}
	e.Summary.add(item)
	if item.Err != nil && len(e.Failures) < maxFailures {
		e.Failures = append(e.Failures, BulkFailure{item.Index, exported(item.Err)})
	}
}
