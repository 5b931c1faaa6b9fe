package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// bulkItem is one item on its way to the service. It is not generic, nor is what
// sends it, so that a program has their code once, and not for each document type.
type bulkItem struct {
	given any // a *given, or nil if the item is none of the caller's
	index int
	ends  error // of an item that is none of the caller's: why the source ends
	write       // of a deletion, the place alone

	// unchanged is the ETag that the document must have; empty is none. A bulk
	// operation that looks first finds it.
	unchanged azcore.ETag

	// means says which document of the type is meant; see verify.
	means func(doc any) bool

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

// each returns the items that prepare makes of all, one by one. An error of all is
// the last: an item of nobody's.
func each[I any](b *bulk, all iter.Seq2[I, error], prepare func(I, *bulkItem)) iter.Seq[*bulkItem] {
	return func(yield func(*bulkItem) bool) {
		if all == nil {
			yield(b.unread(errNoSequence))
			return
		}
		for one, err := range all {
			if err != nil {
				yield(b.unread(err))
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

// unread is the item for what the source of a bulk operation could not give.
func (b *bulk) unread(err error) *bulkItem {
	item := &bulkItem{err: err, ends: err}
	var own *wire.OperationError
	var shown *Error
	if !errors.As(err, &own) && !errors.As(err, &shown) {
		item.err = &wire.OperationError{Op: b.op, Type: b.Type, Err: err}
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
func outcomes[I any](items iter.Seq[*bulkItem]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		for i := range items {
			if !yield(Outcome[I]{Index: i.index, Item: givenAs[I](i), RequestUnits: i.units, Err: exported(i.err)}) {
				return
			}
		}
	}
}
