package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
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

// document returns the item without its type.
func (g *given[I]) document() any { return g.item }

// documentOf returns the document that newBulkItem was given.
func documentOf(i *write.BulkItem) any {
	return i.Given.(interface{ document() any }).document()
}

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

// createAnywhere has the document of an item created as createAt does. It takes from
// doc what it needs: the caller may use the struct again.
func (d *documents) createAnywhere(doc any, item *write.BulkItem) {
	if item.Err != nil {
		return
	}
	var places write.Places
	places, item.Err = d.types.places(d.writer, doc)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		stored, tag, err := places.Create(ctx, item.Document, repeated)
		item.Text = stored.Text // for the field that remembers it
		return tag, err
	}
}

// upsertAnywhere has the document of an item stored as upsertAt does.
func (d *documents) upsertAnywhere(doc any, item *write.BulkItem) {
	var places write.Places
	places, item.Err = d.types.places(d.writer, doc)
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		stored, tag, err := places.Upsert(ctx, item.Document)
		item.Text = stored.Text // for the field that remembers it
		return tag, err
	}
}

// removeAnywhere has the document of an item removed as removeAt does.
func removeAnywhere[T any, K generated.Key](d *Documents[T, K], key K, item *write.BulkItem) {
	var places write.Places
	places, item.Err = placesOf(d.untyped.writer, d.model, key)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		err := places.Delete(ctx)
		if repeated && errors.Is(err, ErrNotFound) {
			return "", nil
		}
		return "", err
	}
}

// removeUnchanged has the document of an item removed as deleteUnchangedAt does.
func (d *documents) removeUnchanged(doc any, item *write.BulkItem) {
	var places write.Places
	if places, item.Err = d.types.places(d.writer, doc); item.Err != nil {
		return
	}
	text := d.rememberedText(doc)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		err := places.DeleteUnchanged(ctx, item.Unchanged, text)
		if repeated && errors.Is(err, ErrNotFound) {
			return "", nil
		}
		return "", err
	}
}
