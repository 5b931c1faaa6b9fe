package untyped

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Creating completes the bulk operation that creates documents, and returns it with the
// function that prepares the item of a document.
func (d *Documents) Creating(b *write.Bulk) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	d.storing(b)
	return b, d.inContainer(wire.OpCreate, (*Documents).prepareCreation)
}

// prepareCreation prepares the item that creates doc.
func (d *Documents) prepareCreation(doc any, item *write.BulkItem) {
	if item.Err = d.renewSuffix(wire.OpCreate, doc, d.isReused); item.Err != nil {
		return
	}
	item.Document, item.Err = d.prepare(wire.OpCreate, doc)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		return write.Create(ctx, d.Writer, item.Document, repeated)
	}
	if d.Unique != nil {
		by := unique.NewWriter()
		item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			return d.Unique.Create(ctx, by, item.Document, repeated || d.Writer.Random)
		}
	}
	if d.Types.Places != nil {
		d.createAnywhere(doc, item)
	}
}

// Upserting completes the bulk operation that upserts documents, and returns it with the
// function that prepares the item of a document.
func (d *Documents) Upserting(b *write.Bulk) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	d.storing(b)
	b.Looks = d.Writer.Knows() && d.Unique == nil
	return b, d.inContainer(wire.OpUpsert, (*Documents).prepareUpsert)
}

// prepareUpsert prepares the item that stores doc, whether it is already stored or not.
func (d *Documents) prepareUpsert(doc any, item *write.BulkItem) {
	if item.Document, item.Err = d.prepareExisting(wire.OpUpsert, doc); item.Err != nil {
		return
	}
	item.Means = d.matcherOf(doc)
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		return write.Upsert(ctx, d.Writer, item.Document, item.Means)
	}
	if d.Unique != nil {
		by := unique.NewWriter()
		item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
			return d.Unique.Upsert(ctx, by, item.Document, item.Means)
		}
	}
	if d.Types.Places != nil {
		d.upsertAnywhere(doc, item)
	}
}

// storing completes a bulk operation that stores documents.
func (d *Documents) storing(b *write.Bulk) {
	b.WantsETags = d.Types.Tagged
	b.Batches = b.Batches && d.Types.Places == nil && d.Unique == nil
	b.OnStored = func(item *write.BulkItem) {
		// The source may have reused the struct for another document.
		doc := documentOf(item)
		if p, err := d.Types.Place(doc); err == nil && write.SamePlace(p, item.Place) {
			d.SetStoredFields(doc, item.Document, item.ETag)
		}
	}
}

// Removing completes the bulk operation that removes documents, and returns it with the
// function that completes an item with its place.
func (d *Documents) Removing(b *write.Bulk) (*write.Bulk, func(item *write.BulkItem, matches func(doc any) bool)) {
	b.Looks = (d.Writer.Ambiguous || d.Writer.Looks && d.Writer.Deleted == nil) && !d.releases()
	b.Batches = b.Batches && d.Types.Places == nil && !d.releases()
	return b, func(item *write.BulkItem, matches func(doc any) bool) {
		item.Means = matches
		item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			if d.releases() {
				return "", d.Unique.Delete(ctx, item.Place, item.Means, "", repeated)
			}
			err := write.Delete(ctx, b.WriterOf(item), item.Place, item.Means)
			if repeated && errors.Is(err, wire.ErrNotFound) {
				return "", nil
			}
			return "", err
		}
	}
}

// createAnywhere has the document of an item created as createAt does. It takes from
// doc what it needs: the caller may use the struct again.
func (d *Documents) createAnywhere(doc any, item *write.BulkItem) {
	if item.Err != nil {
		return
	}
	var places write.Places
	places, item.Err = d.Types.Places(d.Writer, doc)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		stored, tag, err := places.Create(ctx, item.Document, repeated)
		item.Text = stored.Text // for the field that remembers it
		return tag, err
	}
}

// upsertAnywhere has the document of an item stored as upsertAt does.
func (d *Documents) upsertAnywhere(doc any, item *write.BulkItem) {
	var places write.Places
	places, item.Err = d.Types.Places(d.Writer, doc)
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		stored, tag, err := places.Upsert(ctx, item.Document)
		item.Text = stored.Text // for the field that remembers it
		return tag, err
	}
}

// RemoveAnywhere has the document of an item removed from the place where it is.
func RemoveAnywhere(places write.Places, item *write.BulkItem) {
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		err := places.Delete(ctx)
		if repeated && errors.Is(err, wire.ErrNotFound) {
			return "", nil
		}
		return "", err
	}
}

// Given is the caller's item of a bulk operation, whatever its type.
type Given interface{ Document() any }

// documentOf returns the document of an item.
func documentOf(i *write.BulkItem) any { return i.Given.(Given).Document() }
