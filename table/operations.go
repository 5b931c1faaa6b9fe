package table

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Operations adds operations on documents of type T to a transaction. Each method returns
// what is wrong with its document, and sends nothing.
type Operations[T any, K generated.Key] struct {
	docs *Documents[T, K]
	tx   *Transaction
}

// In returns the operations of d in a transaction.
func (d *Documents[T, K]) In(tx *Transaction) Operations[T, K] { return Operations[T, K]{d, tx} }

// Create adds the creation of doc. The transaction fails with ErrAlreadyExists if there is
// a document of its row key.
//
// If doc's key has a random suffix that is not yet chosen, doc gets the suffix of the
// transaction's logical partition, and is refused if that has another base. The first
// document of a transaction gets a random suffix. Doc keeps it whether the transaction
// takes effect or not.
func (o Operations[T, K]) Create(doc *T) error {
	if err := o.docs.inner.ChooseSuffix(doc, o.partition()); err != nil {
		return o.tx.note(fault(err))
	}
	return o.store("create", aztables.TransactionTypeAdd, o.docs.inner.Model.Key(doc), doc, "")
}

// partition returns the logical partition of the transaction: "" if it has none yet, or is
// of another table.
func (o Operations[T, K]) partition() string {
	if o.tx.Len() == 0 || !o.tx.core.Table.Is(o.docs.table) {
		return ""
	}
	return o.tx.core.Partition
}

// Upsert adds that doc is stored, new or not. It is refused if keys of the type can
// collide, since a transaction does not look whose document is there.
func (o Operations[T, K]) Upsert(doc *T) error {
	return o.store("upsert", aztables.TransactionTypeInsertReplace, o.docs.inner.Model.Key(doc), doc, "")
}

// Replace adds that doc is stored in place of the document of its key: of the version with
// its ETag, if it has one. The transaction fails with ErrNotFound or
// ErrPreconditionFailed.
func (o Operations[T, K]) Replace(doc *T) error {
	return o.store("replace", aztables.TransactionTypeUpdateReplace, o.docs.inner.Model.Key(doc), doc, o.version(doc))
}

// Delete adds that the document of key is removed. The transaction fails with ErrNotFound
// if there is none. It is refused if keys of the type can collide.
func (o Operations[T, K]) Delete(key K) error {
	return o.add(wire.Operation{Name: "delete", Action: aztables.TransactionTypeDelete, Loose: true}, key, nil)
}

// DeleteIfMatch adds that doc is removed if it has not changed since it was read.
func (o Operations[T, K]) DeleteIfMatch(doc *T) error {
	version := o.version(doc)
	if version == "" {
		return o.tx.note(errors.New("delete " + o.docs.inner.Model.Type + ": the document has no ETag, so that it cannot be compared: read it first"))
	}
	return o.add(wire.Operation{Name: "delete", Action: aztables.TransactionTypeDelete, Version: version}, o.docs.inner.Model.Key(doc), nil)
}

func (o Operations[T, K]) version(doc *T) string {
	if o.docs.inner.Model.ETag == nil {
		return ""
	}
	if p := o.docs.inner.Model.ETag(doc); p != nil && *p != "*" {
		return *p
	}
	return ""
}

// store adds an operation that stores doc.
func (o Operations[T, K]) store(name string, action aztables.TransactionType, key K, doc *T, version string) error {
	op := wire.Operation{Name: name, Action: action, Version: version, Loose: action != aztables.TransactionTypeAdd && version == ""}
	op.Repeated = action == aztables.TransactionTypeAdd && o.docs.inner.Model.Random != nil
	return o.add(op, key, doc)
}

// add checks an operation and adds it. Doc is nil for one that stores nothing.
func (o Operations[T, K]) add(op wire.Operation, key K, doc *T) error {
	m := o.docs.inner.Model
	if o.tx == nil {
		return errors.New(op.Name + " " + m.Type + ": the transaction is nil: use NewTransaction")
	}
	if err := o.docs.inner.Settings.Wrong; err != nil {
		return o.tx.note(fault(err))
	}
	if err := key.Validate(); err != nil {
		return o.tx.note(err)
	}
	op.Type = m.Type
	op.At = documents.Place{Partition: m.Text(key), ID: o.docs.inner.ID(key)}
	fail := func(kind, err error) error {
		return o.tx.note(fault(&failure.Error{Op: op.Name, Type: m.Type, ID: op.At.ID, PartitionKey: op.At.Partition, Kind: kind, Err: err}))
	}
	if op.Loose && m.Ambiguous {
		return fail(nil, failure.Says("keys of the type can collide, and a transaction does not look whose document is there: read the document, and use Replace or DeleteIfMatch with its ETag"))
	}
	if doc != nil {
		if m.Stored != nil {
			if p := m.Stored(doc); p != nil && *p != "" && *p != op.At.Partition {
				return fail(failure.ErrKeyChanged, failure.ErrKeyChanged)
			}
		}
		text, err := o.docs.table.Encode(op.At, doc)
		if err != nil {
			return fail(failure.AnswerOf(err).Kind, err)
		}
		op.Entity = text
		d := wire.Driver[T]{Table: o.docs.table}
		op.Same = func(stored any) (bool, error) { return d.Same(stored.(documents.Stored[T]), op.At, doc) }
		op.Stored = func(version string) { o.remember(doc, op.At, version) }
	}
	op.Read = func(ctx context.Context) (any, string, time.Duration, error) {
		stored, err := documents.Attempt(ctx, func(ctx context.Context) (documents.Stored[T], error) {
			return wire.Driver[T]{Table: o.docs.table}.Read(ctx, op.At)
		})
		return stored, stored.Version, stored.Age, err
	}
	if err := o.tx.core.Add(o.docs.table, op); err != nil {
		return fail(failure.AnswerOf(err).Kind, err)
	}
	return nil
}

// remember writes into doc under which key and as which version it is stored.
func (o Operations[T, K]) remember(doc *T, at documents.Place, version string) {
	if m := o.docs.inner.Model; m.Stored != nil {
		if p := m.Stored(doc); p != nil {
			*p = at.Partition
		}
	}
	if m := o.docs.inner.Model; m.ETag != nil {
		if p := m.ETag(doc); p != nil {
			*p = version
		}
	}
}

// note keeps the error of the first refused call, and returns err.
func (tx *Transaction) note(err error) error {
	if tx != nil && tx.refused == nil {
		tx.refused = err
	}
	return err
}
