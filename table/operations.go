package table

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Operations adds operations on documents of type T to a transaction. Each method returns the
// error of an invalid document, and sends nothing.
type Operations[T any, K generated.Key] struct {
	docs *Documents[T, K]
	tx   *Transaction
}

// In returns the operations of d in a transaction.
func (d *Documents[T, K]) In(tx *Transaction) Operations[T, K] { return Operations[T, K]{d, tx} }

// Create adds the creation of doc. The transaction fails with documents.ErrAlreadyExists if its
// row key is taken.
//
// If doc's key has a random suffix that is not yet chosen, doc gets the suffix of the
// transaction's logical partition, and is refused if that has another base. The first document
// of a transaction gets a random suffix. Doc keeps it whether or not the transaction takes
// effect.
func (o Operations[T, K]) Create(doc *T) error {
	if err := o.docs.spec.ChooseSuffix(doc, o.partition()); err != nil {
		return o.tx.note(o.unchosen(doc, err))
	}
	return o.store("create", aztables.TransactionTypeAdd, o.docs.spec.Model.Key(doc), doc, "")
}

// unchosen returns the error of a document that got no suffix: that of its present key.
func (o Operations[T, K]) unchosen(doc *T, err error) error {
	m := o.docs.spec.Model
	if invalid := (*partition.KeyError)(nil); errors.As(err, &invalid) {
		return err
	}
	return documents.NewError("create", m.Type, api.Place{ID: o.docs.spec.ID(m.Key(doc))}, err)
}

// partition returns the logical partition of the transaction, "" if it has none yet or belongs
// to another table.
func (o Operations[T, K]) partition() string {
	if o.tx.Len() == 0 || !o.tx.core.Table.Is(o.docs.table) {
		return ""
	}
	return o.tx.core.Partition
}

// Upsert adds the upsert of doc. It is refused if keys of the type can collide, since a
// transaction cannot read first.
func (o Operations[T, K]) Upsert(doc *T) error {
	return o.store("upsert", aztables.TransactionTypeInsertReplace, o.docs.spec.Model.Key(doc), doc, "")
}

// Replace adds the replacement of the document with doc's key, only in doc's version if doc has
// an ETag. The transaction fails with documents.ErrNotFound or documents.ErrPreconditionFailed.
func (o Operations[T, K]) Replace(doc *T) error {
	return o.store("replace", aztables.TransactionTypeUpdateReplace, o.docs.spec.Model.Key(doc), doc, o.docs.spec.Version(doc))
}

// Delete adds the deletion of the document with a key. The transaction fails with
// documents.ErrNotFound if there is none. It is refused if keys of the type can collide.
func (o Operations[T, K]) Delete(key K) error {
	return o.add(wire.Operation{Name: "delete", Action: aztables.TransactionTypeDelete, Loose: true}, key, nil)
}

// DeleteIfMatch adds the deletion of doc if it has not changed since it was read.
func (o Operations[T, K]) DeleteIfMatch(doc *T) error {
	version := o.docs.spec.Version(doc)
	if version == "" {
		return o.tx.note(errors.New("delete " + o.docs.spec.Model.Type + ": the document has no ETag to compare: read it first"))
	}
	return o.add(wire.Operation{Name: "delete", Action: aztables.TransactionTypeDelete, Version: version}, o.docs.spec.Model.Key(doc), nil)
}

// store adds an operation that stores doc.
func (o Operations[T, K]) store(name string, action aztables.TransactionType, key K, doc *T, version string) error {
	op := wire.Operation{Name: name, Action: action, Version: version, Loose: action != aztables.TransactionTypeAdd && version == ""}
	op.Repeated = action == aztables.TransactionTypeAdd && o.docs.spec.Model.Random != nil
	return o.add(op, key, doc)
}

// add checks an operation and adds it. Doc is nil for one that stores nothing.
func (o Operations[T, K]) add(op wire.Operation, key K, doc *T) error {
	m := o.docs.spec.Model
	if o.tx == nil {
		return errors.New(op.Name + " " + m.Type + ": the transaction is nil: use NewTransaction")
	}
	if err := o.docs.spec.Settings.Wrong; err != nil {
		return o.tx.note(err)
	}
	if err := key.Validate(); err != nil {
		return o.tx.note(err)
	}
	op.Type = m.Type
	op.At = api.Place{Partition: m.Text(key), ID: o.docs.spec.ID(key)}
	fail := func(kind, err error) error {
		return o.tx.note(&documents.Error{Op: op.Name, Type: m.Type, ID: op.At.ID, PartitionKey: op.At.Key(), Kind: kind, Err: err})
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
		op.Same = func(stored any) (bool, error) { return d.Same(stored.(api.Stored[T]), op.At, doc) }
		op.Stored = func(version string) { o.docs.spec.Remember(doc, op.At, version) }
	}
	op.Read = func(ctx context.Context) (any, string, time.Duration, error) {
		stored, err := api.Attempt(ctx, func(ctx context.Context) (api.Stored[T], error) {
			return wire.Driver[T]{Table: o.docs.table}.Read(ctx, op.At)
		})
		return stored, stored.Version, stored.Age, err
	}
	if err := o.tx.core.Add(o.docs.table, op); err != nil {
		return fail(failure.AnswerOf(err).Kind, err)
	}
	return nil
}

// note records the error of the first refused call, and returns err.
func (tx *Transaction) note(err error) error {
	if tx != nil && tx.refused == nil {
		tx.refused = err
	}
	return err
}
