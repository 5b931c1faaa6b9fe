package repository

import (
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// given is an item as the caller has it, a document or a key, and what is sent
// of it.
type given[I any] struct {
	item I
	sent write.BulkItem
}

// newBulkItem returns a caller's item as bulk operations send it.
func newBulkItem[I any](item I) *write.BulkItem {
	g := &given[I]{item: item}
	g.sent.Given = g
	return &g.sent
}

// givenAs returns the item that newBulkItem was called with, the zero value for one
// that is none of the caller's.
func givenAs[I any](i *write.BulkItem) (item I) {
	if g, ok := i.Given.(*given[I]); ok {
		item = g.item
	}
	return item
}

// document returns the item as documents are passed where their type is not known.
func (g *given[I]) document() any { return g.item }

// documentOf returns the document that newBulkItem was called with.
func documentOf(i *write.BulkItem) any {
	return i.Given.(interface{ document() any }).document()
}

// of returns what makes items of documents, with their type.
func of[P any](prepare func(doc any, item *write.BulkItem)) func(P, *write.BulkItem) {
	return func(doc P, item *write.BulkItem) { prepare(doc, item) }
}

// each returns the items that prepare makes of all, one by one. An error of all is
// the last: an item of nobody's.
func each[I any](b *write.Bulk, all iter.Seq2[I, error], prepare func(I, *write.BulkItem)) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		if all == nil {
			yield(b.FailedItem(errNoSequence))
			return
		}
		for one, err := range all {
			if err != nil {
				yield(unreadOf(b, err))
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

// errNoSequence is why a bulk operation has nothing to do.
var errNoSequence = errors.New("the sequence is nil: pass one, such as slices.Values of a slice")

// unreadOf is the item for an error of the caller's source. One that is an Error
// already, such as that of a query, stays as it is.
func unreadOf(b *write.Bulk, err error) *write.BulkItem {
	item := b.FailedItem(err)
	var own *Error
	if errors.As(err, &own) {
		item.Err = err
	}
	return item
}

// unfailing returns a sequence as one that can fail. A nil one stays nil.
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

// outcomes returns what the caller gets to know of items.
func outcomes[I any](items iter.Seq[*write.BulkItem]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for i := range items {
			if !yield(Outcome[I]{Index: i.Index, Item: givenAs[I](i), RequestUnits: i.RequestUnits, Err: exported(i.Err)}) {
				return
			}
		}
	}
}
