package untyped

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Transaction collects operations. A nil Transaction refuses them.
type Transaction struct {
	write.Transaction
	Committed bool // committed, or about to be

	Fixed string // the name of its logical partition, if known before the first operation

	read map[address]azcore.ETag // the documents read before; "" for a missing one
}

// address is the place of a document. An id alone is not unique.
type address struct {
	container     wire.Client
	partition, id string
}

func (d *Documents) addressOf(p wire.Place) address { return address{*d.Store.Client, p.Name, p.ID} }

// Len returns the number of operations.
func (tx *Transaction) Len() int {
	if tx == nil {
		return 0
	}
	return len(tx.Operations)
}

// add adds an operation on the document at p.
func (tx *Transaction) add(d *Documents, p wire.Place, i write.Operation) error {
	if err := tx.takes(d, i.Op, p); err != nil {
		return err
	}
	if tag, known := tx.read[d.addressOf(p)]; known && !tx.has(i.ID) {
		i.WasRead = true
		i = i.Since(tag)
	}
	return tx.Add(d.Writer, p, i)
}

// takes returns an error if the transaction cannot take an operation on the document at p.
func (tx *Transaction) takes(d *Documents, op string, p wire.Place) error {
	wrong := d.joins(op)
	switch {
	case tx == nil:
		wrong = errors.New("the transaction is nil: use NewTransaction")
	case tx.Committed:
		wrong = errors.New("the transaction was committed already: make another one")
	case d.Store.Unusable != nil:
		wrong = d.Store.Unusable
	case tx.Fixed != "" && p.Name != tx.Fixed:
		wrong = fmt.Errorf("the transaction is for partition %s, and can change only this logical partition", tx.Fixed)
	}
	if wrong != nil {
		return d.Store.Failure(op, p, wrong)
	}
	return nil
}

// joins returns an error if a transaction cannot have this operation.
func (d *Documents) joins(op string) error {
	if d.Types.alone() {
		return ErrAlone
	}
	return d.strategy.joins(op)
}

// RefuseTransaction returns an error if transactions cannot have documents of the type. It
// sends no request.
func (d *Documents) RefuseTransaction() error {
	if d.Types.alone() {
		return &documents.Error{Op: write.OpCommit, Type: d.Store.Type, Err: ErrAlone}
	}
	return nil
}

// ErrAlone is the error of a transaction on documents whose partition key ends in the id.
var ErrAlone = errors.New("the partition key of the type ends in the id, so each document has its own logical partition, and a transaction covers only one: " +
	"write the documents one by one, or in bulk without InTransactions")

// has reports whether an operation writes the document with an id.
func (tx *Transaction) has(id string) bool {
	return slices.ContainsFunc(tx.Operations, func(i write.Operation) bool { return i.ID == id && i.Op != wire.OpGet })
}

// Overtaken reports whether operation n failed because its document was changed, stored or
// deleted after the transaction read it.
func (tx *Transaction) Overtaken(n int, err error) bool {
	if errors.Is(err, wire.ErrUnclear) {
		return false
	}
	return errors.Is(err, wire.ErrPreconditionFailed) && tx.Conditional(n) ||
		tx.Operations[n].WasRead && (errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrAlreadyExists))
}

// Read reads a document now. If the transaction writes the document later, that requires
// the document to be unchanged, or still missing.
func (d *Documents) Read(ctx context.Context, tx *Transaction, at Target) (write.Found, error) {
	if err := tx.takes(d, wire.OpGet, at.Place); err != nil {
		return write.Found{}, err
	}
	found, err := d.Get(ctx, at)
	if err != nil && (!errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrOtherType) || errors.Is(err, wire.ErrDeleted)) {
		return found, err
	}
	if tx.read == nil {
		tx.read = make(map[address]azcore.ETag)
	}
	tx.read[d.addressOf(at.Place)] = found.ETag
	return found, err
}

// AddOverMarked adds the restoration or the removal of a document that is marked as
// deleted. It reads the document now. If unchanged is an ETag, the document must have it.
func (d *Documents) AddOverMarked(ctx context.Context, tx *Transaction, op string, at Target, unchanged azcore.ETag) error {
	if err := tx.takes(d, op, at.Place); err != nil {
		return err
	}
	i, err := write.OverMarked(ctx, d.Writer, op, at.Place, at.Means, unchanged)
	if err != nil {
		return err
	}
	return tx.Add(d.Writer, at.Place, i)
}

// AddCreate is TransactionOf.Create.
func (d *Documents) AddCreate(tx *Transaction, doc any) (err error) {
	const op = wire.OpCreate
	if d, err = d.ofNew(op, doc); err != nil {
		return err
	}
	if d.Types.Buckets > 0 && !isNil(doc) {
		if field := d.Types.Remembered(doc); field != nil {
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
		Repeated:  d.Types.Buckets > 0,
	})
}

// AddToken adds the creation of the transaction's token document. The transaction must not
// have another operation yet.
func (d *Documents) AddToken(tx *Transaction, doc any) error {
	const op = wire.OpCreate
	d, err := d.ofNew(op, doc)
	if err != nil {
		return err
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	i, err := tx.Witnessed(write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body, Token: true}})
	if err != nil {
		return d.Store.Failure(op, w.Place, err)
	}
	w.Body = i.Body
	return d.addWrite(tx, doc, w, i)
}

// AddUpsert is TransactionOf.Upsert.
func (d *Documents) AddUpsert(tx *Transaction, doc any) error {
	const op = wire.OpUpsert
	d, err := d.ofNew(op, doc)
	if err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if d.Writer.Blind() {
		i = i.WithLook(d.matcherOf(doc))
	}
	return d.addWrite(tx, doc, w, i.WithStamps(d.Writer, w))
}

// AddReplace is TransactionOf.Replace.
func (d *Documents) AddReplace(tx *Transaction, doc any) error {
	const op = wire.OpReplace
	d, err := d.of(op, doc)
	if err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	i := write.Operation{Operation: wire.Operation{Op: op, ID: w.ID, Body: w.Body}}
	if i.Unchanged, err = d.CheckedETag(op, w.Place, doc); err != nil {
		return err
	}
	if d.Writer.Blind() && (i.Unchanged == "" || i.Unchanged == azcore.ETagAny) || d.Writer.Deleted != nil || d.Writer.Schema.ReadsNext() {
		i = i.WithLook(d.matcherOf(doc))
	}
	return d.addWrite(tx, doc, w, i.WithStamps(d.Writer, w))
}

// AddDelete is TransactionOf.Delete for the document at p.
func (d *Documents) AddDelete(tx *Transaction, p wire.Place, matches func(doc any) bool) error {
	o, err := write.Deletion(d.Writer, p.ID, "")
	if err != nil {
		return d.Store.Failure(wire.OpDelete, p, err)
	}
	i := write.Operation{Operation: o}
	if d.Writer.Ambiguous || d.Writer.Looks && !o.Marks {
		i = i.WithLook(matches)
	}
	return tx.add(d, p, i)
}

// AddDeleteIfMatch is TransactionOf.DeleteIfMatch.
func (d *Documents) AddDeleteIfMatch(tx *Transaction, doc any) error {
	d, err := d.of(wire.OpDelete, doc)
	if err != nil {
		return err
	}
	p, unchanged, err := d.unchangedAt(wire.OpDelete, doc)
	if err != nil {
		return err
	}
	o, err := write.Deletion(d.Writer, p.ID, unchanged)
	if err != nil {
		return d.Store.Failure(wire.OpDelete, p, err)
	}
	return tx.add(d, p, write.Operation{Operation: o})
}

// AddPatch adds the patch of the document at p.
func (d *Documents) AddPatch(tx *Transaction, p wire.Place, matches func(doc any) bool, request write.Patch) error {
	i := write.Operation{Operation: wire.Operation{Op: wire.OpPatch, ID: p.ID}, Once: request.MustNotOvertake(), Request: &request}
	err := request.AddTo(&i.Operation)
	if errors.Is(err, write.ErrFraction) {
		err = errors.New("an increment is a fraction, or beyond the range of int64, which azcosmos does not write into a batch: send the patch by itself, or replace the document")
	}
	if err != nil {
		return d.Store.Failure(wire.OpPatch, p, err)
	}
	if matches != nil {
		i = i.WithLook(matches)
	}
	return tx.add(d, p, i)
}

// errLost is the error of a document that a transaction has read, if the answer was lost.
var errLost = errors.New("the transaction took effect, but the answer that held the document was lost: call Get")

// ErrPending is the error of a document that a transaction has not read yet.
var ErrPending = errors.New("the transaction that reads it was not committed, or has failed")

// Pending is a document to be read by a transaction.
type Pending struct {
	Doc any
	Err error
}

// AddGet is TransactionOf.Get for the document at p, which must match its key.
func (d *Documents) AddGet(tx *Transaction, p wire.Place, matches func(doc any) bool) (*Pending, error) {
	const op = wire.OpGet
	failed := func(err error) error {
		return d.Store.Failure(op, p, err)
	}
	read := &Pending{Err: failed(ErrPending)}
	err := tx.add(d, p, write.Operation{
		Operation: wire.Operation{Op: op, ID: p.ID},
		OnCommitted: func(r wire.Result) {
			raw := r.ResourceBody
			if raw == nil {
				read.Err = failed(errLost)
				return
			}
			if err := d.Store.Refuse(op, p, raw, wire.ErrNotFound); err != nil {
				read.Err = err
				return
			}
			doc, err := d.Store.Decode(raw)
			switch {
			case err != nil:
				read.Err = failed(err)
			case !matches(doc):
				read.Err = d.Store.ForeignError(op, p, wire.ErrNotFound)
			default:
				read.Doc, read.Err = doc, nil
			}
		},
	})
	return read, err
}

// addWrite adds an operation that stores doc.
func (d *Documents) addWrite(tx *Transaction, doc any, w write.Document, i write.Operation) error {
	i.OnCommitted = func(r wire.Result) { d.SetStoredFields(doc, w, r.ETag) }
	if err := tx.add(d, w.Place, i); err != nil {
		return err
	}
	if d.Types.ETag(doc) != nil {
		tx.WantsETags = true
	}
	return nil
}

// chooseSuffixIn gives doc the suffix of the transaction's logical partition, if the type
// has random suffixes and doc has no suffix.
func (d *Documents) chooseSuffixIn(tx *Transaction, op string, doc any) error {
	field := d.Types.Remembered(doc)
	if tx.Len() == 0 || field == nil || d.Types.Suffix(doc) != 0 && !d.isReused(doc, *field) {
		return d.renewSuffix(op, doc, d.isReused)
	}
	var p wire.Place
	for suffix := 1; suffix <= d.Types.Buckets; suffix++ {
		var err error
		if p, err = d.Types.Suffixed(doc, suffix); err != nil {
			return err
		}
		if p.Name == tx.Place.Name {
			*field = p.Text
			return nil
		}
	}
	return &documents.Error{
		Op: op, Type: d.Store.Type, ID: p.ID,
		Err: fmt.Errorf("the transaction is for partition %s, and no suffix of this document gives that key, up to %s", tx.Place.Name, p.Name),
	}
}
