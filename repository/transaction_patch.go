package repository

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
	i := item{Operation: wire.Operation{Op: wire.OpPatch, ID: p.ID}}
	request, err := patchOf(operations, ofType(d.model.Discriminator), condition, d.store.integers)
	if err == nil {
		i.once = request.once
		i.Patch, err = request.sdk()
	}
	if errors.Is(err, errFraction) {
		err = errors.New("an increment is a fraction, or beyond the range of int64, which azcosmos does not write into a batch: send the patch by itself, or replace the document")
	}
	if err == nil {
		i.PatchBytes, err = request.size()
	}
	if err != nil {
		return &wire.OperationError{Op: wire.OpPatch, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	if d.model.Ambiguous {
		i = i.looking(means(d, key))
	}
	return o.add(p, i)
}
