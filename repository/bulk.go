package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Outcome says what became of one item of a bulk operation: of a document to be
// stored, or of a key whose document is to be deleted.
type Outcome[I any] struct {
	// Index is the item's position in the sequence, counted from 0.
	Index int

	// Item is the item as the sequence gave it.
	Item I

	// RequestUnits is what the item's requests were charged, failed ones included.
	// What a batch was charged is divided equally among its items.
	RequestUnits float64

	// Err is why the item failed, nil if it did not. It is what the operation for
	// one item returns.
	Err error
}

// CreateAll stores each of docs as a new document, many at once: [Documents.Create]
// says what can become of one. It returns when all of them have been tried.
//
// It is for more documents than one would wait for one after the other, as many
// as there are: docs is read while requests are under way, and as fast as they
// end. Each document costs one write. With [InBatches], up to a hundred of one
// logical partition share a request. Documents of one id in one logical partition
// are stored in their order; others are not.
//
// The error is nil if every document was stored, and docs was read to its end
// before ctx has ended. Otherwise it is a [*BulkError] with the first failures, and
// errors.Is finds in it what any failure matches. One that fails does not keep the
// others from being stored: [Documents.CreateEach] has the outcome of each, and
// stops where its caller does.
//
// Requests start at [WithBulkConcurrency] at once. Where the service throttles
// them with status 429 they become fewer, half as many at a time, and later more
// again, one by one. A document that is throttled after the client's own retries
// is sent again, ten times at most with growing pauses; then its error is
// ErrThrottled. Clients made with [Configure] retry themselves, and those retries
// are seen as well. [WithRequestUnitBudget] keeps a bulk operation from taking
// all of a container's throughput in the first place.
//
// When ctx ends, docs is not read further, but for one document at most. Requests
// under way are cancelled, and the error of theirs matches ErrUnclear unless they
// have ended; documents that were read and not sent have the error of ctx.
//
// Everything of the caller's is called by the caller's goroutine: docs, and the
// JSON and the fields of documents.
func (d *Documents[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return d.CreateAllFrom(ctx, unfailing(docs), opts...)
}

// CreateAllFrom is [Documents.CreateAll] of documents that come from a source which
// can fail, such as [Query.All] of another container or the lines of a file. An
// error of docs ends it: what was read before is stored, and the [*BulkError] wraps
// the error.
func (d *Documents[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	b, prepare := d.untyped.creating(opts)
	return summarize(ctx, b, each(b, docs, of[*T](prepare)))
}

// CreateEach is [Documents.CreateAll] in a loop: it yields what became of each
// document, with its index. It does nothing until the caller ranges over the result,
// and each loop reads docs and sends again.
//
// Outcomes come in the order in which they become known, one for each document
// that was read from docs. After a failure the rest goes on. When the caller
// leaves the loop, requests under way are cancelled, and none is left when the loop
// is. When ctx ends, an outcome says so, unless all documents were sent. While docs
// waits for its next document, outcomes wait for it.
func (d *Documents[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := d.untyped.creating(opts)
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), of[*T](prepare))))
}

// creating returns the bulk operation that creates documents, and what makes an
// item of one.
func (d *documents) creating(opts []BulkOption) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	b := d.storing(wire.OpCreate, opts)
	if d.types.buckets > 0 {
		b.ReadBack = func(ctx context.Context, w write.Document) (azcore.ETag, bool) {
			return write.ReadBack(ctx, d.writer, wire.OpCreate, w)
		}
	}
	return b, func(doc any, item *write.BulkItem) {
		if item.Err = d.renewSuffix(wire.OpCreate, doc, d.isUsedAgain); item.Err != nil {
			return
		}
		item.Document, item.Err = d.prepare(wire.OpCreate, doc)
		item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			return write.Create(ctx, d.writer, item.Document, repeated)
		}
	}
}

// UpsertAll stores each of docs, whether it is stored already or not. It is to
// [Documents.Upsert] what [Documents.CreateAll] is to Create, and may be run again
// after an error.
//
// Where Upsert looks first, see [Documents], so does UpsertAll: with one read for
// each document, or with [InBatches] one query for each batch.
func (d *Documents[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return d.UpsertAllFrom(ctx, unfailing(docs), opts...)
}

// UpsertAllFrom is [Documents.UpsertAll] of documents that come from a source which
// can fail: see [Documents.CreateAllFrom].
func (d *Documents[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	b, prepare := d.untyped.upserting(opts)
	return summarize(ctx, b, each(b, docs, of[*T](prepare)))
}

// UpsertEach is [Documents.UpsertAll] in a loop, which yields what became of each
// document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := d.untyped.upserting(opts)
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), of[*T](prepare))))
}

// upserting returns the bulk operation that upserts documents, and what makes an
// item of one.
func (d *documents) upserting(opts []BulkOption) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	b := d.storing(wire.OpUpsert, opts)
	b.Looks = d.writer.Looks
	return b, func(doc any, item *write.BulkItem) {
		if item.Document, item.Err = d.prepareExisting(wire.OpUpsert, doc); item.Err != nil {
			return
		}
		item.Means = d.meantBy(doc)
		item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
			return write.Upsert(ctx, d.writer, item.Document, item.Means)
		}
	}
}

// storing returns a bulk operation that stores documents.
func (d *documents) storing(op string, opts []BulkOption) *write.Bulk {
	b := bulkUnder(d.writer, op, opts)
	b.WantsETags = d.types.tagged
	b.OnStored = func(item *write.BulkItem) {
		// The source may have made another document of the struct since.
		doc := documentOf(item)
		if p, err := d.types.place(doc); err == nil && write.SamePlace(p, item.Place) {
			d.noteStored(doc, item.Document, item.ETag)
		}
	}
	return b
}

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
	return summarize(ctx, b, each(b, keys, prepare))
}

// DeleteEach is [Documents.DeleteAll] in a loop, which yields what became of each
// key's document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b, prepare := deleting(d, opts)
	return outcomes[K](b.All(ctx, each(b, unfailing(keys), prepare)))
}

// deleting returns the bulk operation that removes documents, and what makes an
// item of a key.
func deleting[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*write.Bulk, func(K, *write.BulkItem)) {
	b, prepare := d.untyped.removing(opts)
	return b, func(key K, item *write.BulkItem) {
		if item.Place, item.Err = placeOf(d.model, key); item.Err == nil {
			prepare(item, meant(d.model, key))
		}
	}
}

// removing returns the bulk operation that removes documents, and what completes an
// item that has its place.
func (d *documents) removing(opts []BulkOption) (*write.Bulk, func(item *write.BulkItem, meant func(doc any) bool)) {
	b := bulkUnder(d.writer, wire.OpDelete, opts)
	b.Looks = d.writer.Looks
	return b, func(item *write.BulkItem, meant func(doc any) bool) {
		item.Means = meant
		item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			err := write.Delete(ctx, d.writer, item.Place, item.Means)
			if repeated && errors.Is(err, ErrNotFound) {
				return "", nil
			}
			return "", err
		}
	}
}
