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
	b, prepare := creating(d, opts)
	return summarize(ctx, b, each(b, docs, prepare))
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
	b, prepare := creating(d, opts)
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), prepare)))
}

// creating returns the bulk operation that creates documents, and what makes an
// item of one.
func creating[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*write.Bulk, func(*T, *write.BulkItem)) {
	b := bulkOf(d, wire.OpCreate, opts)
	if d.model.Random != nil {
		b.ReadBack = func(ctx context.Context, w write.Document) (azcore.ETag, bool) {
			return write.ReadBack(ctx, d.writer, wire.OpCreate, w)
		}
	}
	return b, func(doc *T, item *write.BulkItem) {
		if item.Err = renewSuffix(d, wire.OpCreate, doc, isUsedAgain); item.Err != nil {
			return
		}
		item.Document, item.Err = prepare(d, wire.OpCreate, doc)
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
	b, prepare := upserting(d, opts)
	return summarize(ctx, b, each(b, docs, prepare))
}

// UpsertEach is [Documents.UpsertAll] in a loop, which yields what became of each
// document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := upserting(d, opts)
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), prepare)))
}

// upserting returns the bulk operation that upserts documents, and what makes an
// item of one.
func upserting[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*write.Bulk, func(*T, *write.BulkItem)) {
	b := bulkOf(d, wire.OpUpsert, opts)
	b.Looks = d.writer.Looks
	return b, func(doc *T, item *write.BulkItem) {
		if item.Document, item.Err = prepareExisting(d, wire.OpUpsert, doc); item.Err != nil {
			return
		}
		item.Means = meant(d, d.model.Key(doc))
		item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
			return write.Upsert(ctx, d.writer, item.Document, item.Means)
		}
	}
}

// bulkOf returns a bulk operation that stores documents.
func bulkOf[T any, K generated.Key](d *Documents[T, K], op string, opts []BulkOption) *write.Bulk {
	b := bulkUnder(d.writer, op, opts)
	b.WantsETags = d.model.ETag != nil
	b.OnStored = func(item *write.BulkItem) {
		// The source may have made another document of the struct since.
		if doc := givenAs[*T](item); write.SamePlace(place(d, d.model.Key(doc)), item.Place) {
			noteStored(d, doc, item.Document, item.ETag)
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
	b := bulkUnder(d.writer, wire.OpDelete, opts)
	b.Looks = d.writer.Looks
	return b, func(key K, item *write.BulkItem) {
		if item.Err = key.Validate(); item.Err != nil {
			return
		}
		item.Place = place(d, key)
		item.Means = meant(d, key)
		item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			err := write.Delete(ctx, d.writer, item.Place, item.Means)
			if repeated && errors.Is(err, ErrNotFound) {
				return "", nil
			}
			return "", err
		}
	}
}
