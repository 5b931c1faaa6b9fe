package table

import (
	"context"
	"iter"
)

// CreateAll stores each of docs as a new document, as [Documents.Create] stores one: one
// request each, 32 at once, fewer while the service throttles them. With [InBatches], up
// to a hundred documents of one logical partition share a request. It reads docs while
// requests are under way. Documents of one row key in one logical partition are stored in
// their order, and others in any order.
//
// The error is nil if docs was read to its end before ctx ended, and every document was
// stored. Otherwise it is a *[BulkError]. A document that fails does not stop the others.
// When ctx ends, CreateAll reads at most one more of docs, and cancels its requests.
func (d *Documents[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).CreateAll(ctx, docs))
}

// CreateAllFrom is CreateAll of documents from a source that can fail, such as Query.All
// of another table. An error of docs ends it: the documents before it are stored, and the
// *[BulkError] wraps the error.
func (d *Documents[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).CreateAllFrom(ctx, docs))
}

// CreateEach is CreateAll in a loop: it yields the outcome of each document, in the order
// in which they become known. It does nothing until the caller ranges over the result. No
// request is under way after the loop.
func (d *Documents[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	return outcomes(d.bulk(opts).CreateEach(ctx, docs))
}

// UpsertAll is to Upsert what CreateAll is to Create.
func (d *Documents[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).UpsertAll(ctx, docs))
}

// UpsertAllFrom is to UpsertAll what CreateAllFrom is to CreateAll.
func (d *Documents[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).UpsertAllFrom(ctx, docs))
}

// UpsertEach is to UpsertAll what CreateEach is to CreateAll.
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	return outcomes(d.bulk(opts).UpsertEach(ctx, docs))
}

// DeleteAll is to Delete what CreateAll is to Create. A missing document is a failure that
// matches ErrNotFound.
func (d *Documents[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).DeleteAll(ctx, keys))
}

// DeleteAllFrom is to DeleteAll what CreateAllFrom is to CreateAll.
func (d *Documents[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error], opts ...BulkOption) (Summary, error) {
	return summary(d.bulk(opts).DeleteAllFrom(ctx, keys))
}

// DeleteEach is to DeleteAll what CreateEach is to CreateAll.
func (d *Documents[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) iter.Seq[Outcome[K]] {
	return outcomes(d.bulk(opts).DeleteEach(ctx, keys))
}
