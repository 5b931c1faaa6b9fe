package documents

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Summary is the result of a bulk operation. Its items are the documents to store, or the keys
// of the documents to delete.
type Summary struct {
	// Items is the number of items that were read, and Failed the number that failed.
	Items, Failed int

	// The number of failed items that match the error with this name. An item may match two:
	// ErrUnclear, if it may have taken effect nevertheless, and another. RolledBack are items
	// of transactions that failed because of another item: see InTransactions.
	AlreadyExists, NotFound, PreconditionFailed, KeyChanged, Throttled, TooLarge, RolledBack, Unclear int

	// RequestUnits is the sum of the charges of all items.
	RequestUnits float64
}

// kinds are the errors that s counts.
func (s *Summary) kinds() []kind {
	return []kind{
		{failure.ErrAlreadyExists, &s.AlreadyExists},
		{failure.ErrNotFound, &s.NotFound},
		{failure.ErrPreconditionFailed, &s.PreconditionFailed},
		{failure.ErrKeyChanged, &s.KeyChanged},
		{failure.ErrThrottled, &s.Throttled},
		{failure.ErrTooLarge, &s.TooLarge},
		{failure.ErrRolledBack, &s.RolledBack},
		{failure.ErrUnclear, &s.Unclear},
	}
}

// kind is an error and the number of failures that match it.
type kind struct {
	err   error
	count *int
}

// add counts an item.
func (s *Summary) add(units float64, err error) {
	s.Items++
	s.RequestUnits += units
	if err == nil {
		return
	}
	s.Failed++
	for _, k := range s.kinds() {
		if errors.Is(err, k.err) {
			*k.count++
		}
	}
}

// BulkError is the error of an incomplete bulk operation: items have failed, or some may not
// have been read.
//
// errors.Is matches it with an error that a [Summary] counts if any item failed with that
// error. errors.As finds the errors wrapped by Failures and Err.
type BulkError struct {
	// Op is the operation for one item, such as "create", and Type the name of the
	// document type.
	Op, Type string

	// Summary is the summary that the operation returned with this error.
	Summary Summary

	// Failures are the first ten failures, in the order in which they became known. [Bulk.All]
	// yields all.
	Failures []BulkFailure

	// Err is the reason why the sequence was not read to its end: the error of the source, of
	// the query, or of the context. It is nil if all items were read.
	Err error
}

// BulkFailure is the failure of one item of a bulk operation.
type BulkFailure struct {
	// Index is the item's position among those that were read, counted from 0.
	Index int

	// Err is the error of its [Outcome].
	Err error
}

// maxFailures is the most failures that a BulkError keeps, so that millions of
// failures need no memory.
const maxFailures = 10

// Error returns the number of failed items, and the errors of the first, each on its own line.
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

// note counts an item, and keeps its error if it is one of the first.
func (e *BulkError) note(err error, ofSource bool, index int, units float64) {
	if ofSource {
		if own, ok := err.(*Error); ok && own.Op == e.Op && own.ID == "" && own.Err != nil { //nolint:errorlint // an error that wraps it has a text of its own
			err = own.Err // e says the rest
		}
		e.Err = err
		return
	}
	e.Summary.add(units, err)
	if err != nil && len(e.Failures) < maxFailures {
		e.Failures = append(e.Failures, BulkFailure{index, err})
	}
}
