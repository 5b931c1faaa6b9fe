package repository

import (
	"github.com/cosmos-pkgen/pkgen/repository/generated"
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
	return o.transaction.note(o.documents.untyped.addCreate(o.transaction, doc))
}

// Upsert adds the storing of doc, whether the logical partition holds its id or
// not, as [Documents.Upsert] does it.
func (o TransactionOf[T, K]) Upsert(doc *T) error {
	return o.transaction.note(o.documents.untyped.addUpsert(o.transaction, doc))
}

// Replace adds the storing of doc in place of the document that has its key. The
// transaction fails with ErrNotFound if there is none, and with
// ErrPreconditionFailed if doc has an ETag and the stored document has another.
func (o TransactionOf[T, K]) Replace(doc *T) error {
	return o.transaction.note(o.documents.untyped.addReplace(o.transaction, doc))
}

// Delete adds the removal of the document that key identifies. The transaction
// fails with ErrNotFound if there is none.
func (o TransactionOf[T, K]) Delete(key K) error {
	p, err := placeOf(o.documents.model, key)
	if err == nil {
		err = o.documents.untyped.addDelete(o.transaction, p, meant(o.documents.model, key))
	}
	return o.transaction.note(err)
}

// DeleteIfMatch adds the removal of doc. The transaction fails with
// ErrPreconditionFailed if the stored document has another ETag than doc's, which
// has to have one, and with ErrNotFound if there is none. What
// [Documents.DeleteIfMatch] refuses is refused.
func (o TransactionOf[T, K]) DeleteIfMatch(doc *T) error {
	return o.transaction.note(o.documents.untyped.addDeleteIfMatch(o.transaction, doc))
}

// Get adds the reading of the document that key identifies. The transaction
// fails with ErrNotFound if there is none. The document can be had from what Get
// returns, once the transaction is committed.
func (o TransactionOf[T, K]) Get(key K) (*Pending[T], error) {
	p, err := placeOf(o.documents.model, key)
	if err != nil {
		return nil, o.transaction.note(err)
	}
	read, err := o.documents.untyped.addGet(o.transaction, p, means(o.documents.model, key))
	if err != nil {
		return nil, o.transaction.note(err)
	}
	return &Pending[T]{read}, nil
}

// Patch adds changes of the document that key identifies, as [Documents.Patch]
// makes them. The transaction fails with ErrNotFound if there is none.
func (o TransactionOf[T, K]) Patch(key K, operations ...PatchOperation[T]) error {
	return o.transaction.note(o.addPatch(key, nil, operations))
}

// PatchIf is Patch of a document for which condition holds when its turn comes in
// the transaction. Else the transaction fails with ErrPreconditionFailed.
func (o TransactionOf[T, K]) PatchIf(key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return o.transaction.note(o.addPatch(key, &condition, operations))
}

// addPatch is Patch, or PatchIf if there is a condition.
func (o TransactionOf[T, K]) addPatch(key K, condition *Predicate[T], operations []PatchOperation[T]) error {
	d := o.documents
	p, err := placeOf(d.model, key)
	if err != nil {
		return err
	}
	request, err := patchOf(d.untyped, operations, condition)
	return d.untyped.addPatch(o.transaction, p, meant(d.model, key), request, err)
}
