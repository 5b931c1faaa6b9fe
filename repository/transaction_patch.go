package repository

import "errors"

// Patch adds changes of the document that key identifies, as [Documents.Patch]
// makes them. The transaction fails with ErrNotFound if there is none.
func (o TransactionOf[T, K]) Patch(key K, changes ...Change[T]) error {
	return o.transaction.note(o.patch(key, nil, changes))
}

// PatchIf is Patch of a document for which condition holds when its turn comes in
// the transaction. Else the transaction fails with ErrPreconditionFailed.
func (o TransactionOf[T, K]) PatchIf(key K, condition Predicate[T], changes ...Change[T]) error {
	return o.transaction.note(o.patch(key, &condition, changes))
}

func (o TransactionOf[T, K]) patch(key K, condition *Predicate[T], changes []Change[T]) error {
	d := o.documents
	if err := key.Validate(); err != nil {
		return err
	}
	p := d.place(key)
	i := item{batchOperation: batchOperation{op: opPatch, id: p.id}}
	request, err := patchOf(changes, ofType(d.model.Discriminator), condition)
	if err == nil {
		i.once = request.once
		i.patch, err = request.sdk()
	}
	if errors.Is(err, errFraction) {
		err = errors.New("an increment is a fraction, or beyond the range of int64, which azcosmos does not write into a batch: send the patch by itself, or replace the document")
	}
	if err == nil {
		i.patchBytes, err = request.size()
	}
	if err != nil {
		return &Error{Op: opPatch, Type: d.typ, ID: p.id, PartitionKey: p.name, Err: err}
	}
	if d.model.Ambiguous {
		i.look = o.looking(p, key, i.batchOperation)
	}
	return o.add(p, i)
}

// repeatable reports whether the transaction can be sent again when it may have
// taken effect: twice is the same as once, or an operation fails the second time,
// and the others with it.
func (tx *Transaction) repeatable() bool {
	repeatable := true
	for i := range tx.items {
		switch item := &tx.items[i]; {
		case item.op == opCreate, item.op == opDelete, item.unchanged != "", item.look != nil && item.op != opUpsert:
			return true
		case item.once:
			repeatable = false
		}
	}
	return repeatable
}

// proven reports whether documents that stand as the transaction wants them show
// that it has taken effect. A document that it creates does. One that it
// replaces or patches on condition does not: another program may have made the
// same of it.
func (tx *Transaction) proven() bool {
	conditional := false
	for i := range tx.items {
		switch item := &tx.items[i]; {
		case item.op == opCreate:
			return true
		case item.op == opPatch, item.unchanged != "" && item.op != opDelete:
			conditional = true
		}
	}
	return !conditional
}
