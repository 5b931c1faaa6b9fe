package repository

import (
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TransactionOf adds operations on documents of type T to a [Transaction]. Its methods send
// nothing. They copy the document at the call; later changes to it are not stored.
//
// If a method returns an error, the operation was refused and not added. The error is a
// *partition.KeyError if the key is invalid, and otherwise an *[Error]. [Transaction.Commit]
// returns the errors of the service.
//
// A TransactionOf of [Tenant] refuses another tenant's document or key, and the transaction
// then cannot be committed.
type TransactionOf[T any, K generated.Key] struct {
	documents   *scope[T, K]
	transaction *Transaction
}

// In returns the methods that add operations on d's documents to tx.
func (d *scope[T, K]) In(tx *Transaction) TransactionOf[T, K] {
	if tx != nil && d.tenant && d.untyped.Store.Observe != nil {
		tx.tenant = d.model.Tenant.Value(d.key)
	}
	if tx != nil && d.resident != nil {
		tx.resident = d.resident
	}
	return TransactionOf[T, K]{d, tx}
}

// Create adds the creation of doc. The transaction fails with ErrAlreadyExists if the logical
// partition already has its id.
//
// If the type has a random suffix and doc has none yet, doc gets the suffix of the
// transaction's logical partition, and is refused if that has another base. The first document
// of a transaction gets a random suffix.
func (o TransactionOf[T, K]) Create(doc *T) error {
	return o.add(wire.OpCreate, doc, (*untyped.Documents).AddCreate)
}

// Upsert adds the upsert of doc, see [Documents.Upsert].
func (o TransactionOf[T, K]) Upsert(doc *T) error {
	return o.add(wire.OpUpsert, doc, (*untyped.Documents).AddUpsert)
}

// Replace adds the replacement of the document with doc's key. The transaction fails with
// ErrNotFound if there is no such document, and with ErrPreconditionFailed if doc has an ETag
// and the stored document has another.
func (o TransactionOf[T, K]) Replace(doc *T) error {
	return o.add(wire.OpReplace, doc, (*untyped.Documents).AddReplace)
}

// Delete adds the deletion of a document. The transaction fails with ErrNotFound if there is no
// such document.
func (o TransactionOf[T, K]) Delete(key K) error {
	in, p, err := o.place(wire.OpDelete, key)
	if err == nil {
		err = in.AddDelete(o.transaction.inner(), p, ambiguousKeyMatcher(o.documents.model, key))
	}
	return o.transaction.note(err)
}

// DeleteIfMatch adds the deletion of doc, which must have an ETag. The transaction fails with
// ErrPreconditionFailed if the stored document has another ETag, and with ErrNotFound if there
// is no document. Without a request, it returns the errors of [Documents.DeleteIfMatch].
func (o TransactionOf[T, K]) DeleteIfMatch(doc *T) error {
	return o.add(wire.OpDelete, doc, (*untyped.Documents).AddDeleteIfMatch)
}

// Get adds the read of a document. The transaction fails with ErrNotFound if there is no such
// document. [Pending.Doc] returns the document after Commit.
func (o TransactionOf[T, K]) Get(key K) (*Pending[T], error) {
	in, p, err := o.place(wire.OpGet, key)
	if err != nil {
		return nil, o.transaction.note(err)
	}
	read, err := in.AddGet(o.transaction.inner(), p, keyMatcher(o.documents.model, key))
	if err != nil {
		return nil, o.transaction.note(err)
	}
	return &Pending[T]{read, func(doc *T) error { return o.documents.allowsDocument(wire.OpGet, doc) }}, nil
}

// add adds an operation on doc, if doc is in the scope.
func (o TransactionOf[T, K]) add(op string, doc *T, add func(d *untyped.Documents, tx *untyped.Transaction, doc any) error) error {
	err := o.documents.allowsDocument(op, doc)
	if err == nil {
		err = add(o.documents.untyped, o.transaction.inner(), doc)
	}
	return o.transaction.note(err)
}

// place returns the container and the place of the document of key, if key is in the scope.
func (o TransactionOf[T, K]) place(op string, key K) (in *untyped.Documents, p wire.Place, err error) {
	if err = o.documents.allows(op, key); err != nil {
		return nil, p, err
	}
	if p, err = placeOf(o.documents.model, key); err == nil {
		in, err = o.documents.at(key)
	}
	return in, p, err
}

// Patch adds a patch, see [Documents.Patch]. The transaction fails with ErrNotFound if there is
// no such document.
func (o TransactionOf[T, K]) Patch(key K, operations ...PatchOperation[T]) error {
	return o.transaction.note(o.addPatch(key, nil, operations))
}

// PatchIf is Patch on condition that condition holds when its turn comes in the transaction.
// Otherwise the transaction fails with ErrPreconditionFailed.
func (o TransactionOf[T, K]) PatchIf(key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return o.transaction.note(o.addPatch(key, &condition, operations))
}

// addPatch is Patch, or PatchIf if there is a condition.
func (o TransactionOf[T, K]) addPatch(key K, condition *Predicate[T], operations []PatchOperation[T]) error {
	in, p, err := o.place(wire.OpPatch, key)
	if err != nil {
		return err
	}
	request, err := patchOf(o.documents.untyped, p, o.documents.keyInPatch(key), operations, condition)
	if err != nil {
		return err
	}
	return in.AddPatch(o.transaction.inner(), p, ambiguousKeyMatcher(o.documents.model, key), request)
}
