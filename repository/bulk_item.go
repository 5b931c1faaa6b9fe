package repository

import (
	"context"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// bulkItem is one item on its way to the service. It is not generic, nor is what
// sends it, so that a program has their code once, and not for each document type.
type bulkItem struct {
	given any // a *given, or nil if the item is none of the caller's
	index int
	write // of a deletion, the place alone

	// unchanged is the ETag that a document to be deleted must have; empty is none.
	unchanged azcore.ETag

	// send sends the item alone, which may have been sent before if repeated.
	send func(ctx context.Context, repeated bool) (azcore.ETag, error)

	// What became of it:
	tag   azcore.ETag
	units float64
	err   error
}

// given is an item as the caller has it, a document or a key, beside what is sent
// of it.
type given[I any] struct {
	item I
	sent bulkItem
}

// newBulkItem returns a caller's item as bulk operations send it.
func newBulkItem[I any](item I) *bulkItem {
	g := &given[I]{item: item}
	g.sent.given = g
	return &g.sent
}

// givenAs returns the item that newBulkItem was called with, the zero value for one
// that is none of the caller's.
func givenAs[I any](i *bulkItem) (item I) {
	if g, ok := i.given.(*given[I]); ok {
		item = g.item
	}
	return item
}

// each returns the items that prepare makes of all, one by one.
func each[I any](all iter.Seq[I], prepare func(I, *bulkItem)) iter.Seq[*bulkItem] {
	return func(yield func(*bulkItem) bool) {
		for one := range all {
			item := newBulkItem(one)
			prepare(one, item)
			if !yield(item) {
				return
			}
		}
	}
}

// outcomes returns what the caller gets to know of items.
func outcomes[I any](items iter.Seq[*bulkItem]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for i := range items {
			if !yield(Outcome[I]{Index: i.index, Item: givenAs[I](i), RequestUnits: i.units, Err: i.err}) {
				return
			}
		}
	}
}
