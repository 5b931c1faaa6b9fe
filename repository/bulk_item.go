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
