package repository

import (
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// This file has the bulk operations and transactions of one tenant.

// preparing returns prepare for documents of the tenant, or of all tenants if t is nil.
func (t *Tenant[T, K]) preparing(op string, prepare func(doc any, item *write.BulkItem)) func(*T, *write.BulkItem) {
	return func(doc *T, item *write.BulkItem) {
		if t != nil {
			item.Err = t.allowsDocument(op, doc)
		}
		if item.Err == nil {
			prepare(doc, item)
		}
	}
}

// CreateAll is [Documents.CreateAll] of documents of the tenant. A document of another tenant
// is a failure that matches ErrTenant; the others are stored.
func (t *Tenant[T, K]) CreateAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return creating(t.documents, t, docs, opts)
}

// UpsertAll is [Documents.UpsertAll], as [Tenant.CreateAll] is Documents.CreateAll.
func (t *Tenant[T, K]) UpsertAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return upserting(t.documents, t, docs, opts)
}

// DeleteAll is [Documents.DeleteAll] of keys of the tenant. A key of another tenant is a
// failure that matches ErrTenant.
func (t *Tenant[T, K]) DeleteAll(keys iter.Seq2[K, error], opts ...documents.BulkOption) Bulk[K] {
	return deleting(t.documents, t, keys, opts)
}

// DeleteFound is [Documents.DeleteFound] of a query of the tenant, which its methods make. A
// query of all tenants is refused by ErrTenant.
func (t *Tenant[T, K]) DeleteFound(q Query[T], opts ...documents.BulkOption) Bulk[K] {
	return deletingFound(t.documents, t, q, opts)
}

// own returns q, with an error unless it is a query of the tenant.
func (t *Tenant[T, K]) own(q Query[T]) Query[T] {
	if q.selection.Err == nil && q.selection.Store != nil && !q.selection.IsTenant(t.documents.model.Tenant.Value(t.key)) {
		q.selection.Err = &Error{Op: "query", Type: t.documents.model.Type, Err: ErrTenant}
	}
	return q
}

// TenantTransaction adds operations on documents of one tenant to a [Transaction]. Its
// methods are those of [TransactionOf]. A document or a key of another tenant is
// refused, and the transaction can then not be committed.
type TenantTransaction[T any, K generated.Key] struct {
	tenant *Tenant[T, K]
	all    TransactionOf[T, K]
}

// In returns the methods that add operations on the tenant's documents to tx.
func (t *Tenant[T, K]) In(tx *Transaction) TenantTransaction[T, K] {
	if tx != nil && t.documents.untyped.Store.Observe != nil {
		tx.tenant = t.documents.model.Tenant.Value(t.key)
	}
	if tx != nil && t.resident != nil {
		tx.resident = t.resident
	}
	return TenantTransaction[T, K]{t, t.documents.In(tx)}
}

// refused returns an error unless key is the tenant's, and keeps it for Commit.
func (o TenantTransaction[T, K]) refused(op string, key K) error {
	if err := o.tenant.allows(op, key); err != nil {
		return o.all.transaction.note(err)
	}
	return nil
}

func (o TenantTransaction[T, K]) refusedDocument(op string, doc *T) error {
	if err := o.tenant.allowsDocument(op, doc); err != nil {
		return o.all.transaction.note(err)
	}
	return nil
}

// Create is [TransactionOf.Create] for a document of the tenant.
func (o TenantTransaction[T, K]) Create(doc *T) error {
	if err := o.refusedDocument(wire.OpCreate, doc); err != nil {
		return err
	}
	return o.all.Create(doc)
}

// Upsert is [TransactionOf.Upsert] for a document of the tenant.
func (o TenantTransaction[T, K]) Upsert(doc *T) error {
	if err := o.refusedDocument(wire.OpUpsert, doc); err != nil {
		return err
	}
	return o.all.Upsert(doc)
}

// Replace is [TransactionOf.Replace] for a document of the tenant.
func (o TenantTransaction[T, K]) Replace(doc *T) error {
	if err := o.refusedDocument(wire.OpReplace, doc); err != nil {
		return err
	}
	return o.all.Replace(doc)
}

// Delete is [TransactionOf.Delete] for a key of the tenant.
func (o TenantTransaction[T, K]) Delete(key K) error {
	if err := o.refused(wire.OpDelete, key); err != nil {
		return err
	}
	return o.all.Delete(key)
}

// DeleteIfMatch is [TransactionOf.DeleteIfMatch] for a document of the tenant.
func (o TenantTransaction[T, K]) DeleteIfMatch(doc *T) error {
	if err := o.refusedDocument(wire.OpDelete, doc); err != nil {
		return err
	}
	return o.all.DeleteIfMatch(doc)
}

// Get is [TransactionOf.Get] for a key of the tenant.
func (o TenantTransaction[T, K]) Get(key K) (*TenantPending[T, K], error) {
	if err := o.refused(wire.OpGet, key); err != nil {
		return nil, err
	}
	read, err := o.all.Get(key)
	if err != nil {
		return nil, err
	}
	return &TenantPending[T, K]{o.tenant, read}, nil
}

// Patch is [TransactionOf.Patch] for a key of the tenant.
func (o TenantTransaction[T, K]) Patch(key K, operations ...PatchOperation[T]) error {
	if err := o.refused(wire.OpPatch, key); err != nil {
		return err
	}
	return o.all.Patch(key, operations...)
}

// PatchIf is [TransactionOf.PatchIf] for a key of the tenant.
func (o TenantTransaction[T, K]) PatchIf(key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	if err := o.refused(wire.OpPatch, key); err != nil {
		return err
	}
	return o.all.PatchIf(key, condition, operations...)
}

// TenantPending is a document of a tenant that a transaction reads.
type TenantPending[T any, K generated.Key] struct {
	tenant *Tenant[T, K]
	read   *Pending[T]
}

// Doc is [Pending.Doc].
func (p *TenantPending[T, K]) Doc() (*T, error) {
	doc, err := p.read.Doc()
	return p.tenant.read(wire.OpGet, doc, err)
}
