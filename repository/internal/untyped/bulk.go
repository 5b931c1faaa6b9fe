package untyped

import (
	"context"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository/internal/pass"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Creating completes a bulk operation that creates documents. It also returns the function
// that prepares an item for a document.
func (d *Documents) Creating(b *write.Bulk) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	d.storing(b)
	if b.Transactions {
		if d.Types.Buckets > 0 {
			b.Refuse(errScattered)
		}
		return b, d.joining(b, (*Documents).AddCreate)
	}
	return b, d.inContainer(wire.OpCreate, (*Documents).prepareCreation)
}

// prepareCreation prepares the item that creates doc. It copies what it needs, so that the
// caller may reuse the struct.
func (d *Documents) prepareCreation(doc any, item *write.BulkItem) {
	if item.Err = d.renewSuffix(wire.OpCreate, doc, d.isReused); item.Err != nil {
		return
	}
	if item.Document, item.Err = d.prepare(wire.OpCreate, doc); item.Err != nil {
		return
	}
	var at Target
	at, item.Err = d.targetOf(wire.OpCreate, doc, item.Place)
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		stored, tag, err := d.strategy.create(ctx, at, item.Document, repeated)
		item.Text = stored.Text // for the field that remembers the key
		return tag, err
	}
}

// Upserting completes a bulk operation that upserts documents. It also returns the function
// that prepares an item for a document.
func (d *Documents) Upserting(b *write.Bulk) (*write.Bulk, func(doc any, item *write.BulkItem)) {
	d.storing(b)
	if b.Transactions {
		return b, d.joining(b, (*Documents).AddUpsert)
	}
	return b, d.inContainer(wire.OpUpsert, (*Documents).prepareUpsert)
}

// prepareUpsert prepares the item that upserts doc.
func (d *Documents) prepareUpsert(doc any, item *write.BulkItem) {
	if item.Document, item.Err = d.prepareExisting(wire.OpUpsert, doc); item.Err != nil {
		return
	}
	var at Target
	at, item.Err = d.targetOf(wire.OpUpsert, doc, item.Place)
	item.Means = at.Means
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		stored, tag, err := d.strategy.upsert(ctx, at, item.Document)
		item.Text = stored.Text // for the field that remembers the key
		return tag, err
	}
}

// storing completes a bulk operation that stores documents.
func (d *Documents) storing(b *write.Bulk) {
	b.WantsETags = d.Types.Tagged
	d.prepareBulk(b)
	b.OnStored = func(item *write.BulkItem) {
		// The source may have reused the struct for another document.
		doc := documentOf(item)
		p, err := d.Types.Place(doc)
		if err == nil && write.SamePlace(p, item.Place) && !item.TellCommitted() {
			d.SetStoredFields(doc, item.Document, item.ETag)
		}
	}
}

// Removing completes a bulk operation that removes documents.
func (d *Documents) Removing(b *write.Bulk) *write.Bulk {
	d.prepareBulk(b)
	return b
}

// errScattered is the error of CreateAll in transactions, if each new document gets its own
// logical partition.
var errScattered = errors.New("new documents of the type get random suffixes, in different logical partitions, which InTransactions cannot join: " +
	"commit a Transaction for the documents that belong together, or leave InTransactions out")

// errFound is the error of DeleteFound in transactions.
var errFound = errors.New("InTransactions needs documents that belong together in sequence, which a query does not return: " +
	"pass their keys to DeleteAll, or use InBatches")

// limitBulk restricts b to what the type allows for several documents in one request.
func (d *Documents) limitBulk(b *write.Bulk) {
	d.strategy.bulk(b)
	if d.Types.alone() {
		b.Batches = false
		if b.Transactions {
			b.Refuse(ErrAlone)
		}
	}
}

// prepareBulk is limitBulk, and refuses transactions that the type does not allow.
func (d *Documents) prepareBulk(b *write.Bulk) {
	d.limitBulk(b)
	if b.Transactions {
		if err := d.strategy.joins(b.Op); err != nil {
			b.Refuse(err)
		}
	}
}

// joining returns the function that prepares an item for a document as an operation of a
// transaction of b. Add adds the document to a transaction.
func (d *Documents) joining(b *write.Bulk, add func(d *Documents, tx *Transaction, doc any) error) func(doc any, item *write.BulkItem) {
	return func(doc any, item *write.BulkItem) {
		var tx Transaction
		item.Err = add(d, &tx, doc)
		if item.Err == nil {
			item.Join(b, &tx.Transaction)
			return
		}
		if isNil(doc) {
			return
		}
		// It identifies the transaction that is not stored because of this item.
		p, err := d.Types.Place(doc)
		if item.ID = p.ID; err != nil {
			return
		}
		item.Place = p
		if in, err := d.of(b.Op, doc); err == nil && in != d {
			item.In = in.Writer
		}
	}
}

// PrepareRemoval prepares the item of b that removes a document.
func (d *Documents) PrepareRemoval(b *write.Bulk, at Target, item *write.BulkItem) {
	if item.Place, item.Means = at.Place, at.Means; d.Writer != b.Writer {
		item.In = d.Writer
	}
	if b.Transactions {
		var tx Transaction
		if item.Err = d.AddDelete(&tx, at.Place, at.Means); item.Err == nil {
			item.Join(b, &tx.Transaction)
		}
		return
	}
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		return "", d.strategy.remove(ctx, at, repeated)
	}
}

// Given is the caller's item of a bulk operation, without its type.
type Given interface{ Document() any }

func documentOf(i *write.BulkItem) any { return i.Given.(Given).Document() }

// errOtherQuery is the error of a deletion by a query of another repository.
var errOtherQuery = errors.New("the query is of another repository: call DeleteFound of the repository that made it")

// DeletionsOf returns the deletions of the documents that q finds.
func (d *Documents) DeletionsOf(ctx context.Context, b *write.Bulk, q query.Selection) iter.Seq[*write.BulkItem] {
	d.limitBulk(b)
	if b.Transactions {
		b.Refuse(errFound)
	}
	if err := d.Store.Refused(writeregions.Conditions); err != nil {
		b.Refuse(err) // before the query
	}
	b.Looks = false // each deletion has the ETag from the query
	return func(yield func(*write.BulkItem) bool) {
		if q.Store != nil && q.Store != d.Store {
			yield(b.FailedItem(errOtherQuery))
			return
		}
		if d.several != nil {
			q = q.Decoding(func(st *store.Store) func([]byte) (any, error) {
				in, err := d.In(st.Client.ID())
				return func(raw []byte) (any, error) {
					if err != nil {
						return nil, err
					}
					item, err := in.deletionOf(raw)
					if err == nil {
						item.In = in.Writer
					}
					return item, err
				}
			})
		}
		pass.Found(ctx, b, q, query.Untyped(d.deletionOf), func(float64) {})(yield)
	}
}

// deletionOf returns the deletion of a stored document, on condition that it does not
// change.
func (d *Documents) deletionOf(raw []byte) (*write.BulkItem, error) {
	doc, err := d.Store.Decode(raw)
	if err != nil {
		return nil, err
	}
	item := d.Types.Deletion(doc)
	if item.Unchanged, err = store.TagOf(raw); err != nil {
		return nil, err
	}
	var at Target
	if item.Place, item.Err = store.PlaceOf(d.Store, raw); item.Err == nil {
		at, item.Err = d.strategy.target(wire.OpDelete, doc, Target{Place: item.Place})
	}
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		return "", d.strategy.removeUnchanged(ctx, at, item.Unchanged, repeated)
	}
	return item, nil
}
