package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// DeleteAll removes the documents that keys identify. It is to [Documents.Delete]
// what [Documents.CreateAll] is to Create. A document that is not there is a
// failure that matches ErrNotFound; where that is as good, [Summary.NotFound] is
// how many these are.
//
// Where Delete looks first, see [Documents], so does DeleteAll: with one read for
// each document, or with [InBatches] one query for each batch.
func (d *Documents[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) (Summary, error) {
	return d.DeleteAllFrom(ctx, unfailing(keys), opts...)
}

// DeleteAllFrom is [Documents.DeleteAll] of keys that come from a source which can
// fail: see [Documents.CreateAllFrom].
func (d *Documents[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error], opts ...BulkOption) (Summary, error) {
	b, prepare := deleting(d, opts)
	return b.summarize(ctx, each(b, keys, prepare))
}

// DeleteEach is [Documents.DeleteAll] in a loop, which yields what became of each
// key's document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b, prepare := deleting(d, opts)
	return outcomes[K](b.all(ctx, each(b, unfailing(keys), prepare)))
}

// deleting returns the bulk operation that removes documents, and what makes an
// item of a key.
func deleting[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*bulk, func(K, *bulkItem)) {
	b := newBulk(d.store, wire.OpDelete, opts)
	b.looking = d.store.looks
	return b, func(key K, item *bulkItem) {
		if item.err = key.Validate(); item.err != nil {
			return
		}
		item.Place = place(d, key)
		item.means = meant(d, key)
		item.send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			err := remove(ctx, d.store, item.Place, item.means)
			if repeated && errors.Is(err, ErrNotFound) {
				return "", nil
			}
			return "", err
		}
	}
}
