package repository

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// This file has the bulk operations and transactions of one tenant.

// preparing returns prepare for items of the tenant. The items of other tenants fail,
// and are not sent.
func (t *Tenant[T, K]) preparing(op string, prepare func(doc any, item *write.BulkItem)) func(*T, *write.BulkItem) {
	return func(doc *T, item *write.BulkItem) {
		if item.Err = t.allowsDocument(op, doc); item.Err == nil {
			prepare(doc, item)
		}
	}
}

// CreateAll is [Documents.CreateAll] for documents of the tenant. Those of another
// tenant fail with ErrTenant, and the others are stored.
func (t *Tenant[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return t.CreateAllFrom(ctx, unfailing(docs), opts...)
}

// CreateAllFrom is [Documents.CreateAllFrom] for documents of the tenant.
func (t *Tenant[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	d := t.documents
	b, prepare := d.untyped.Creating(t.resident.Moving(newBulk(d.untyped, wire.OpCreate, opts)))
	return summarize(t.under(ctx), b, each(b, docs, t.preparing(wire.OpCreate, prepare)))
}

// CreateEach is [Documents.CreateEach] for documents of the tenant.
func (t *Tenant[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	d := t.documents
	b, prepare := d.untyped.Creating(t.resident.Moving(newBulk(d.untyped, wire.OpCreate, opts)))
	return outcomes[*T](b.All(t.under(ctx), each(b, unfailing(docs), t.preparing(wire.OpCreate, prepare))))
}

// UpsertAll is [Documents.UpsertAll] for documents of the tenant. Those of another
// tenant fail with ErrTenant, and the others are stored.
func (t *Tenant[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return t.UpsertAllFrom(ctx, unfailing(docs), opts...)
}

// UpsertAllFrom is [Documents.UpsertAllFrom] for documents of the tenant.
func (t *Tenant[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	d := t.documents
	b, prepare := d.untyped.Upserting(t.resident.Moving(newBulk(d.untyped, wire.OpUpsert, opts)))
	return summarize(t.under(ctx), b, each(b, docs, t.preparing(wire.OpUpsert, prepare)))
}

// UpsertEach is [Documents.UpsertEach] for documents of the tenant.
func (t *Tenant[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	d := t.documents
	b, prepare := d.untyped.Upserting(t.resident.Moving(newBulk(d.untyped, wire.OpUpsert, opts)))
	return outcomes[*T](b.All(t.under(ctx), each(b, unfailing(docs), t.preparing(wire.OpUpsert, prepare))))
}

// deleting returns the bulk operation that removes documents of the tenant.
func (t *Tenant[T, K]) deleting(opts []BulkOption) (*write.Bulk, func(K, *write.BulkItem)) {
	b, prepare := deleting(t.documents, opts)
	t.resident.Moving(b)
	return b, func(key K, item *write.BulkItem) {
		if item.Err = t.allows(wire.OpDelete, key); item.Err == nil {
			prepare(key, item)
		}
	}
}

// DeleteAll is [Documents.DeleteAll] for keys of the tenant. Those of another tenant
// fail with ErrTenant, and the documents of the others are removed.
func (t *Tenant[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) (Summary, error) {
	return t.DeleteAllFrom(ctx, unfailing(keys), opts...)
}

// DeleteAllFrom is [Documents.DeleteAllFrom] for keys of the tenant.
func (t *Tenant[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error], opts ...BulkOption) (Summary, error) {
	b, prepare := t.deleting(opts)
	return summarize(t.under(ctx), b, each(b, keys, prepare))
}

// DeleteEach is [Documents.DeleteEach] for keys of the tenant.
func (t *Tenant[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b, prepare := t.deleting(opts)
	return outcomes[K](b.All(t.under(ctx), each(b, unfailing(keys), prepare)))
}

// DeleteAllOf is [Documents.DeleteAllOf] for a query of the tenant. Another query is
// refused with ErrTenant.
func (t *Tenant[T, K]) DeleteAllOf(ctx context.Context, q Query[T], opts ...BulkOption) (Summary, error) {
	d := t.documents
	b := t.resident.Moving(newBulk(d.untyped, wire.OpDelete, opts))
	ctx = t.under(ctx)
	return summarize(ctx, b, d.untyped.DeletionsOf(ctx, b, t.own(q).selection))
}

// DeleteEachOf is [Documents.DeleteEachOf] for a query of the tenant.
func (t *Tenant[T, K]) DeleteEachOf(ctx context.Context, q Query[T], opts ...BulkOption) iter.Seq[Outcome[K]] {
	d := t.documents
	b := t.resident.Moving(newBulk(d.untyped, wire.OpDelete, opts))
	ctx = t.under(ctx)
	return outcomes[K](b.All(ctx, d.untyped.DeletionsOf(ctx, b, t.own(q).selection)))
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
