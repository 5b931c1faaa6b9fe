package repository

import (
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// addCreate is TransactionOf.Create.
func (d *documents) addCreate(tx *Transaction, doc any) (err error) {
	const op = wire.OpCreate
	if d.types.buckets > 0 && !isNil(doc) {
		if field := d.types.remembered(doc); field != nil {
			before := *field
			defer func() {
				if err != nil {
					*field = before
				}
			}()
		}
		if err := d.chooseSuffixIn(tx, op, doc); err != nil {
			return err
		}
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	return d.addWrite(tx, doc, w, write.Operation{
		Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body},
		Repeated:  d.types.buckets > 0,
	})
}

// addUpsert is TransactionOf.Upsert.
func (d *documents) addUpsert(tx *Transaction, doc any) error {
	const op = wire.OpUpsert
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if d.writer.Looks {
		i = i.WithLook(d.matcherOf(doc))
	}
	return d.addWrite(tx, doc, w, i)
}

// addReplace is TransactionOf.Replace.
func (d *documents) addReplace(tx *Transaction, doc any) error {
	const op = wire.OpReplace
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if i.Unchanged, err = d.checkedETag(op, w.Place, doc); err != nil {
		return err
	}
	if d.writer.Looks && (i.Unchanged == "" || i.Unchanged == azcore.ETagAny) {
		i = i.WithLook(d.matcherOf(doc))
	}
	return d.addWrite(tx, doc, w, i)
}

// addDelete is TransactionOf.Delete of the document at p.
func (d *documents) addDelete(tx *Transaction, p wire.Place, matches func(doc any) bool) error {
	i := write.Operation{Operation: wire.Operation{Op: wire.OpDelete, ID: p.ID}}
	if d.writer.Looks {
		i = i.WithLook(matches)
	}
	return tx.add(d.writer, p, i)
}

// addDeleteIfMatch is TransactionOf.DeleteIfMatch.
func (d *documents) addDeleteIfMatch(tx *Transaction, doc any) error {
	p, unchanged, err := d.unchangedAt(wire.OpDelete, doc)
	if err != nil {
		return err
	}
	return tx.add(d.writer, p, write.Operation{Operation: wire.Operation{Op: wire.OpDelete, ID: p.ID, Unchanged: unchanged}})
}

// addPatch adds the patch of the document at p.
func (d *documents) addPatch(tx *Transaction, p wire.Place, matches func(doc any) bool, request write.Patch) error {
	i := write.Operation{Operation: wire.Operation{Op: wire.OpPatch, ID: p.ID}, Once: request.Once}
	var err error
	i.Patch, err = request.SDK()
	if errors.Is(err, write.ErrFraction) {
		err = errors.New("an increment is a fraction, or beyond the range of int64, which azcosmos does not write into a batch: send the patch by itself, or replace the document")
	}
	if err == nil {
		i.PatchBytes, err = request.Size()
	}
	if err != nil {
		return d.store.Failure(wire.OpPatch, p, err)
	}
	if matches != nil {
		i = i.WithLook(matches)
	}
	return tx.add(d.writer, p, i)
}

// pending is a document that a transaction reads.
type pending struct {
	doc any
	err error
}

// addGet is TransactionOf.Get of the document at p, which must match its key.
func (d *documents) addGet(tx *Transaction, p wire.Place, matches func(doc any) bool) (*pending, error) {
	const op = wire.OpGet
	failed := func(err error) error {
		return exported(d.store.Failure(op, p, err))
	}
	read := &pending{err: failed(errPending)}
	err := tx.add(d.writer, p, write.Operation{
		Operation: wire.Operation{Op: op, ID: p.ID},
		OnCommitted: func(r azcosmos.TransactionalBatchResult) {
			raw := r.ResourceBody
			switch {
			case raw == nil:
				read.err = failed(errLost)
				return
			case !d.store.Owns(raw):
				read.err = exported(d.store.OtherTypeError(op, p, raw, ErrNotFound))
				return
			}
			doc, err := d.store.Decode(raw)
			switch {
			case err != nil:
				read.err = failed(err)
			case !matches(doc):
				read.err = exported(d.store.ForeignError(op, p, ErrNotFound))
			default:
				read.doc, read.err = doc, nil
			}
		},
	})
	return read, err
}

// addWrite adds an operation that stores doc.
func (d *documents) addWrite(tx *Transaction, doc any, w write.Document, i write.Operation) error {
	i.OnCommitted = func(r azcosmos.TransactionalBatchResult) { d.setStoredFields(doc, w, r.ETag) }
	if err := tx.add(d.writer, w.Place, i); err != nil {
		return err
	}
	if d.types.etag(doc) != nil {
		tx.core.WantsETags = true
	}
	return nil
}

// chooseSuffixIn gives doc the suffix of the transaction's logical partition, if
// the type has random suffixes and doc has no suffix of its own.
func (d *documents) chooseSuffixIn(tx *Transaction, op string, doc any) error {
	field := d.types.remembered(doc)
	if tx.Len() == 0 || field == nil || d.types.suffix(doc) != 0 && !d.isReused(doc, *field) {
		return d.renewSuffix(op, doc, d.isReused)
	}
	var p wire.Place
	for suffix := 1; suffix <= d.types.buckets; suffix++ {
		var err error
		if p, err = d.types.suffixed(doc, suffix); err != nil {
			return err
		}
		if p.Name == tx.core.Place.Name {
			*field = p.Text
			return nil
		}
	}
	return &wire.OperationError{
		Op: op, Type: d.store.Type, ID: p.ID,
		Err: fmt.Errorf("the transaction is of partition %s, and no suffix of this document gives that key, up to %s", tx.core.Place.Name, p.Name),
	}
}
