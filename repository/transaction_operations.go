package repository

import (
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// TransactionOf adds operations on documents of type T to a [Transaction]. Its
// methods send nothing. They take the documents as they are when they are called:
// what is changed in one afterwards is not stored.
//
// An error of a method says that the operation was refused and not added: a
// *partition.KeyError if the key cannot be stored, else an *[Error]. What the
// service has to say is known after [Transaction.Commit].
type TransactionOf[T any, K generated.Key] struct {
	documents   *Documents[T, K]
	transaction *Transaction
}

// In returns what adds operations on d's documents to tx.
func (d *Documents[T, K]) In(tx *Transaction) TransactionOf[T, K] {
	return TransactionOf[T, K]{d, tx}
}

// Create adds the creation of doc. The transaction fails with ErrAlreadyExists if
// the logical partition holds its id.
//
// Where the type has a random suffix and doc has none yet, doc gets the suffix
// of the transaction's logical partition, and is refused if that has another
// base. The first document of a transaction gets one at random.
func (o TransactionOf[T, K]) Create(doc *T) error {
	return o.transaction.note(o.create(doc))
}

func (o TransactionOf[T, K]) create(doc *T) (err error) {
	const op = wire.OpCreate
	d := o.documents
	if d.model.Random != nil && doc != nil {
		if field := remembered(d, doc); field != nil {
			before := *field
			defer func() {
				if err != nil {
					*field = before
				}
			}()
		}
		if err := o.chooseSuffix(op, doc); err != nil {
			return err
		}
	}
	w, err := prepare(d, op, doc)
	if err != nil {
		return err
	}
	return o.write(doc, w, write.Operation{
		Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body},
		Repeated:  d.model.Random != nil,
	})
}

// Upsert adds the storing of doc, whether the logical partition holds its id or
// not, as [Documents.Upsert] does it.
func (o TransactionOf[T, K]) Upsert(doc *T) error {
	return o.transaction.note(o.upsert(doc))
}

func (o TransactionOf[T, K]) upsert(doc *T) error {
	const op = wire.OpUpsert
	w, err := prepareExisting(o.documents, op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if o.documents.writer.Looks {
		i = i.WithLook(meant(o.documents, o.documents.model.Key(doc)))
	}
	return o.write(doc, w, i)
}

// Replace adds the storing of doc in place of the document that has its key. The
// transaction fails with ErrNotFound if there is none, and with
// ErrPreconditionFailed if doc has an ETag and the stored document has another.
func (o TransactionOf[T, K]) Replace(doc *T) error {
	return o.transaction.note(o.replace(doc))
}

func (o TransactionOf[T, K]) replace(doc *T) error {
	const op = wire.OpReplace
	d := o.documents
	w, err := prepareExisting(d, op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if i.Unchanged, err = checkedETag(d, op, w.Place, doc); err != nil {
		return err
	}
	if d.writer.Looks && (i.Unchanged == "" || i.Unchanged == azcore.ETagAny) {
		i = i.WithLook(meant(d, d.model.Key(doc)))
	}
	return o.write(doc, w, i)
}

// Delete adds the removal of the document that key identifies. The transaction
// fails with ErrNotFound if there is none.
func (o TransactionOf[T, K]) Delete(key K) error {
	return o.transaction.note(o.delete(key))
}

func (o TransactionOf[T, K]) delete(key K) error {
	if err := key.Validate(); err != nil {
		return err
	}
	p := place(o.documents, key)
	i := write.Operation{Operation: wire.Operation{Op: wire.OpDelete, ID: p.ID}}
	if o.documents.writer.Looks {
		i = i.WithLook(meant(o.documents, key))
	}
	return o.add(p, i)
}

// DeleteIfMatch adds the removal of doc. The transaction fails with
// ErrPreconditionFailed if the stored document has another ETag than doc's, which
// has to have one, and with ErrNotFound if there is none. What
// [Documents.DeleteIfMatch] refuses is refused.
func (o TransactionOf[T, K]) DeleteIfMatch(doc *T) error {
	return o.transaction.note(o.deleteIfMatch(doc))
}

func (o TransactionOf[T, K]) deleteIfMatch(doc *T) error {
	p, unchanged, err := unchangedAt(o.documents, wire.OpDelete, doc)
	if err != nil {
		return err
	}
	return o.add(p, write.Operation{Operation: wire.Operation{Op: wire.OpDelete, ID: p.ID, Unchanged: unchanged}})
}

// Get adds the reading of the document that key identifies. The transaction
// fails with ErrNotFound if there is none. The document can be had from what Get
// returns, once the transaction is committed.
func (o TransactionOf[T, K]) Get(key K) (*Pending[T], error) {
	pending, err := o.get(key)
	return pending, o.transaction.note(err)
}

func (o TransactionOf[T, K]) get(key K) (*Pending[T], error) {
	const op = wire.OpGet
	d := o.documents
	if err := key.Validate(); err != nil {
		return nil, err
	}
	p := place(d, key)
	failed := func(err error) error {
		return &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	pending := &Pending[T]{err: failed(errPending)}
	err := o.add(p, write.Operation{
		Operation: wire.Operation{Op: op, ID: p.ID},
		OnCommitted: func(r azcosmos.TransactionalBatchResult) {
			pending.doc, pending.err = nil, nil
			switch raw := r.ResourceBody; {
			case raw == nil:
				pending.err = exported(failed(errLost))
			case !d.store.Owns(raw):
				pending.err = exported(d.store.OtherTypeError(op, p, raw, ErrNotFound))
			default:
				doc, err := decodeAs[T](d.store, raw)
				switch {
				case err != nil:
					pending.err = exported(failed(err))
				case !isMeant(d, doc, key):
					pending.err = exported(d.store.ForeignError(op, p, ErrNotFound))
				default:
					pending.doc = doc
				}
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return pending, nil
}

// add adds an operation on the document at p.
func (o TransactionOf[T, K]) add(p wire.Place, i write.Operation) error {
	return o.transaction.add(o.documents.writer, p, i)
}

// write adds an operation that stores doc.
func (o TransactionOf[T, K]) write(doc *T, w write.Document, i write.Operation) error {
	i.OnCommitted = func(r azcosmos.TransactionalBatchResult) { noteStored(o.documents, doc, w, r.ETag) }
	if err := o.add(w.Place, i); err != nil {
		return err
	}
	if etag(o.documents, doc) != nil {
		o.transaction.core.WantsETags = true
	}
	return nil
}

// chooseSuffix gives doc, which is of a type with random suffixes, the suffix of
// the transaction's logical partition if doc has none of its own.
func (o TransactionOf[T, K]) chooseSuffix(op string, doc *T) error {
	d, tx := o.documents, o.transaction
	key := d.model.Key(doc)
	suffix, field := d.model.Random.Suffix(&key), remembered(d, doc)
	if tx.Len() == 0 || field == nil || *suffix != 0 && !isUsedAgain(d, doc, *field) {
		return renewSuffix(d, op, doc, isUsedAgain)
	}
	var p wire.Place
	for *suffix = 1; *suffix <= d.model.Random.Buckets; *suffix++ {
		if err := key.Validate(); err != nil {
			return err
		}
		if p = place(d, key); p.Name == tx.core.Place.Name {
			*field = p.Text
			return nil
		}
	}
	return &wire.OperationError{
		Op: op, Type: d.store.Type, ID: p.ID,
		Err: fmt.Errorf("the transaction is of partition %s, and none of this document's suffixes gives that key, up to %s", tx.core.Place.Name, p.Name),
	}
}

// Patch adds changes of the document that key identifies, as [Documents.Patch]
// makes them. The transaction fails with ErrNotFound if there is none.
func (o TransactionOf[T, K]) Patch(key K, operations ...PatchOperation[T]) error {
	return o.transaction.note(o.patch(key, nil, operations))
}

// PatchIf is Patch of a document for which condition holds when its turn comes in
// the transaction. Else the transaction fails with ErrPreconditionFailed.
func (o TransactionOf[T, K]) PatchIf(key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return o.transaction.note(o.patch(key, &condition, operations))
}

func (o TransactionOf[T, K]) patch(key K, condition *Predicate[T], operations []PatchOperation[T]) error {
	d := o.documents
	if err := key.Validate(); err != nil {
		return err
	}
	p := place(d, key)
	i := write.Operation{Operation: wire.Operation{Op: wire.OpPatch, ID: p.ID}}
	request, err := patchOf(operations, store.TypeCondition(d.model.Discriminator), condition, d.writer.Integers)
	if err == nil {
		i.Once = request.Once
		i.Patch, err = request.SDK()
	}
	if errors.Is(err, write.ErrFraction) {
		err = errors.New("an increment is a fraction, or beyond the range of int64, which azcosmos does not write into a batch: send the patch by itself, or replace the document")
	}
	if err == nil {
		i.PatchBytes, err = request.Size()
	}
	if err != nil {
		return &wire.OperationError{Op: wire.OpPatch, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	if d.model.Ambiguous {
		i = i.WithLook(means(d, key))
	}
	return o.add(p, i)
}
