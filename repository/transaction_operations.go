package repository

import (
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// TransactionOf adds operations on documents of type T to a [Transaction]. Its
// methods send nothing. They take a document as it is at the call; later changes
// to it are not stored.
//
// An error of a method says that the operation was refused and not added. It is a
// *partition.KeyError if the key is invalid, and otherwise an *[Error].
// [Transaction.Commit] returns the errors of the service.
type TransactionOf[T any, K generated.Key] struct {
	documents   *Documents[T, K]
	transaction *Transaction
}

// In returns the methods that add operations on d's documents to tx.
func (d *Documents[T, K]) In(tx *Transaction) TransactionOf[T, K] {
	return TransactionOf[T, K]{d, tx}
}

// Create adds the creation of doc. The transaction fails with ErrAlreadyExists if
// the logical partition holds its id.
//
// If the type has a random suffix and doc has no suffix yet, doc gets the suffix
// of the transaction's logical partition, and is refused if that has another
// base. The first document of a transaction gets a random suffix.
func (o TransactionOf[T, K]) Create(doc *T) error {
	return o.transaction.note(o.documents.untyped.AddCreate(o.transaction.inner(), doc))
}

// Upsert adds the upsert of doc, which stores it whether the logical partition
// holds its id or not, as [Documents.Upsert] does.
func (o TransactionOf[T, K]) Upsert(doc *T) error {
	return o.transaction.note(o.documents.untyped.AddUpsert(o.transaction.inner(), doc))
}

// Replace adds the replacement of the document that has doc's key by doc. The
// transaction fails with ErrNotFound if there is no such document, and with
// ErrPreconditionFailed if doc has an ETag and the stored document has another.
func (o TransactionOf[T, K]) Replace(doc *T) error {
	return o.transaction.note(o.documents.untyped.AddReplace(o.transaction.inner(), doc))
}

// Delete adds the deletion of the document that key identifies. The transaction
// fails with ErrNotFound if there is no such document.
func (o TransactionOf[T, K]) Delete(key K) error {
	p, err := placeOf(o.documents.model, key)
	if err == nil {
		var in *untyped.Documents
		if in, err = o.documents.at(key); err == nil {
			err = in.AddDelete(o.transaction.inner(), p, ambiguousKeyMatcher(o.documents.model, key))
		}
	}
	return o.transaction.note(err)
}

// DeleteIfMatch adds the deletion of doc, which must have an ETag. The
// transaction fails with ErrPreconditionFailed if the stored document has another
// ETag, and with ErrNotFound if there is no document. DeleteIfMatch refuses what
// [Documents.DeleteIfMatch] refuses.
func (o TransactionOf[T, K]) DeleteIfMatch(doc *T) error {
	return o.transaction.note(o.documents.untyped.AddDeleteIfMatch(o.transaction.inner(), doc))
}

// Get adds the read of the document that key identifies. The transaction fails
// with ErrNotFound if there is no such document. [Pending.Doc] returns the
// document after Commit.
func (o TransactionOf[T, K]) Get(key K) (*Pending[T], error) {
	p, err := placeOf(o.documents.model, key)
	if err != nil {
		return nil, o.transaction.note(err)
	}
	in, err := o.documents.at(key)
	if err != nil {
		return nil, o.transaction.note(err)
	}
	read, err := in.AddGet(o.transaction.inner(), p, keyMatcher(o.documents.model, key))
	if err != nil {
		return nil, o.transaction.note(err)
	}
	return &Pending[T]{read}, nil
}

// Patch adds a patch of the document that key identifies, as [Documents.Patch]
// makes it. The transaction fails with ErrNotFound if there is no such document.
func (o TransactionOf[T, K]) Patch(key K, operations ...PatchOperation[T]) error {
	return o.transaction.note(o.addPatch(key, nil, operations))
}

// PatchIf is Patch on condition that the predicate condition holds when its turn
// comes in the transaction. Otherwise the transaction fails with
// ErrPreconditionFailed.
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
	request, err := patchOf(d.untyped, p, operations, condition)
	if err != nil {
		return err
	}
	in, err := d.at(key)
	if err != nil {
		return err
	}
	return in.AddPatch(o.transaction.inner(), p, ambiguousKeyMatcher(d.model, key), request)
}
