package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
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
	return b.summarize(ctx, each(b, docs, prepare))
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
	return outcomes[*T](b.all(ctx, each(b, unfailing(docs), prepare)))
}

// creating returns the bulk operation that creates documents, and what makes an
// item of one.
func creating[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*bulk, func(*T, *bulkItem)) {
	b := bulkOf(d, wire.OpCreate, opts)
	if d.model.Random != nil {
		b.stands = func(ctx context.Context, w write) (azcore.ETag, bool) {
			return readBack(ctx, d.store, wire.OpCreate, w)
		}
	}
	return b, func(doc *T, item *bulkItem) {
		if item.err = renewSuffix(d, wire.OpCreate, doc, isUsedAgain); item.err != nil {
			return
		}
		item.write, item.err = prepare(d, wire.OpCreate, doc)
		item.send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
			return create(ctx, d.store, item.write, repeated)
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
	return b.summarize(ctx, each(b, docs, prepare))
}

// UpsertEach is [Documents.UpsertAll] in a loop, which yields what became of each
// document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := upserting(d, opts)
	return outcomes[*T](b.all(ctx, each(b, unfailing(docs), prepare)))
}

// upserting returns the bulk operation that upserts documents, and what makes an
// item of one.
func upserting[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*bulk, func(*T, *bulkItem)) {
	b := bulkOf(d, wire.OpUpsert, opts)
	b.looking = d.store.looks
	return b, func(doc *T, item *bulkItem) {
		if item.write, item.err = prepareExisting(d, wire.OpUpsert, doc); item.err != nil {
			return
		}
		item.means = meant(d, d.model.Key(doc))
		item.send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
			return upsert(ctx, d.store, item.write, item.means)
		}
	}
}

// bulkOf returns a bulk operation that stores documents.
func bulkOf[T any, K generated.Key](d *Documents[T, K], op string, opts []BulkOption) *bulk {
	b := newBulk(d.store, op, opts)
	b.tagged = d.model.ETag != nil
	b.stored = func(item *bulkItem) {
		// The source may have made another document of the struct since.
		if doc := givenAs[*T](item); sameItem(place(d, d.model.Key(doc)), item.Place) {
			noteStored(d, doc, item.write, item.tag)
		}
	}
	return b
}

// bulk is what the items of a bulk operation have in common.
type bulk struct {
	*store
	op string
	bulkSettings

	wrong  error   // why nothing can be sent
	budget *budget // nil if there is none

	// looking says that what stands at an item's place is looked at before the item
	// is sent.
	looking bool

	// tagged says that the ETags of what is stored are wanted.
	tagged bool

	// stored notes in an item of the caller's what the service holds now. Nil does
	// not.
	stored func(*bulkItem)

	// stands reports whether the document that stands in the way of a new one is
	// the one that was to be stored, from an attempt before. Nil never does.
	stands func(context.Context, write) (azcore.ETag, bool)
}

func newBulk(s *store, op string, opts []BulkOption) *bulk {
	b := &bulk{store: s, op: op, bulkSettings: bulkSettings{concurrency: s.settings.concurrency}}
	b.wrong = s.Unusable
	for _, o := range opts {
		if o == nil {
			b.wrong = errors.New("a BulkOption is nil")
			continue
		}
		o(&b.bulkSettings)
	}
	if b.perSecond > 0 {
		b.budget = newBudget(b.perSecond)
	}
	return b
}

// laneOf tells apart the items that have to be stored one after the other: those
// of one document, or of one logical partition if they are to share requests.
func (b *bulk) laneOf(i *bulkItem) identity {
	if b.batches {
		return identity{partition: i.Name}
	}
	return identity{i.ID, i.Name}
}

// failure is an error about an item.
func (b *bulk) failure(i *bulkItem, err error) *wire.OperationError {
	return wire.NewOperationError(b.op, b.Type, i.ID, i.Name, err)
}

// notSent is the error of an item that was not sent since the context has ended.
func (b *bulk) notSent(i *bulkItem, err error) error {
	failure := b.failure(i, err)
	failure.Note = "before it was sent"
	return failure
}
