package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Tenant reads and writes the documents of one tenant among those of type T. The
// method For of a generated repository returns one, with the queries of the tenant.
//
// A document or a key of another tenant is refused before anything is sent, with an
// [Error] that matches [ErrTenant]. Every query has the tenant in its conditions,
// besides its partition keys and its container. If a document that was read says that
// it is another tenant's, as only a program without pkgen can have stored it, the
// error matches ErrTenant, too, and the document is not returned. If the tenant is
// empty, every operation returns a *partition.KeyError, and sends nothing.
//
// Methods cost and return what those of [Documents] do. There is no change feed, since
// a change feed has the documents of all tenants.
//
// A Tenant is small, and is made for each request of a service: it holds nothing but
// the repository and the tenant. It is safe for concurrent use.
type Tenant[T any, K generated.Key] struct {
	documents *Documents[T, K]
	key       K     // with the field of the tenant alone
	wrong     error // about the tenant

	resident *untyped.Resident // of a tenant that may move to another container; nil for others
}

// NewTenant returns the documents of d that are of the tenant of key, whose other
// fields mean nothing. Generated methods For call it.
func NewTenant[T any, K generated.Key](d *Documents[T, K], key K) Tenant[T, K] {
	t := Tenant[T, K]{documents: d, key: key}
	if check := d.model.Tenant.Check; check != nil {
		t.wrong = check(key)
	}
	t.resident = d.untyped.Resident(func() string { return d.model.Own.Tenant(key) })
	return t
}

// Only returns q for the tenant's documents alone. Generated methods call it. The query
// must not have a condition of [Query.WhereRaw] yet. Those that it gets afterwards must
// be one expression each, without comments: the query refuses a condition that would
// end the parentheses around it, such as "true) OR (true".
func (t *Tenant[T, K]) Only(q Query[T]) Query[T] {
	q.selection = q.selection.OfTenant(t.documents.model.Tenant.Property, t.documents.model.Tenant.Value(t.key))
	q.selection = t.resident.Of(q.selection)
	if t.wrong != nil {
		q.selection.Err = t.wrong
	}
	return q
}

// under returns the context of an operation of the tenant, for observers.
func (t *Tenant[T, K]) under(ctx context.Context) context.Context {
	if t.documents.untyped.Store.Observe == nil || t.wrong != nil {
		return ctx
	}
	return wire.WithTenant(ctx, t.documents.model.Tenant.Value(t.key))
}

// writing calls write, which sends the requests of an operation that writes: to where the
// tenant lives, and again if it has moved meanwhile.
func (t *Tenant[T, K]) writing(ctx context.Context, op string, write func(context.Context) error) error {
	if t.resident == nil {
		return write(t.under(ctx))
	}
	return t.resident.Write(t.under(ctx), op, write)
}

// reading is writing for an operation that reads, which gets the documents where the
// tenant lives.
func (t *Tenant[T, K]) reading(ctx context.Context, op string, read func(context.Context, *Documents[T, K]) error) error {
	if t.resident == nil {
		return read(t.under(ctx), t.documents)
	}
	return t.resident.Read(t.under(ctx), op, func(ctx context.Context, in *untyped.Documents) error {
		return read(ctx, newDocuments(in, t.documents.model))
	})
}

// allows returns an error unless key is the tenant's.
func (t *Tenant[T, K]) allows(op string, key K) error {
	if t.wrong != nil {
		return t.wrong
	}
	if t.resident != nil {
		if err := t.resident.Allows(op, t.documents.model.ID(key)); err != nil {
			return err
		}
	}
	if !t.documents.model.Tenant.Same(t.key, key) {
		m := t.documents.model
		return &Error{Op: op, Type: m.Type, ID: m.ID(key), Err: ErrTenant}
	}
	return nil
}

// allowsDocument returns an error unless doc is the tenant's, or nil: that one Documents
// refuses.
func (t *Tenant[T, K]) allowsDocument(op string, doc *T) error {
	if doc == nil {
		return t.wrong
	}
	return t.allows(op, t.documents.model.Key(doc))
}

// read returns a document that was read, if it is the tenant's.
func (t *Tenant[T, K]) read(op string, doc *T, err error) (*T, error) {
	if err == nil {
		err = t.allowsDocument(op, doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// Create is [Documents.Create] for a document of the tenant.
func (t *Tenant[T, K]) Create(ctx context.Context, doc *T) error {
	if err := t.allowsDocument(wire.OpCreate, doc); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpCreate, func(ctx context.Context) error { return t.documents.Create(ctx, doc) })
}

// Upsert is [Documents.Upsert] for a document of the tenant.
func (t *Tenant[T, K]) Upsert(ctx context.Context, doc *T) error {
	if err := t.allowsDocument(wire.OpUpsert, doc); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpUpsert, func(ctx context.Context) error { return t.documents.Upsert(ctx, doc) })
}

// Replace is [Documents.Replace] for a document of the tenant.
func (t *Tenant[T, K]) Replace(ctx context.Context, doc *T) error {
	if err := t.allowsDocument(wire.OpReplace, doc); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpReplace, func(ctx context.Context) error { return t.documents.Replace(ctx, doc) })
}

// Get is [Documents.Get] for a key of the tenant.
func (t *Tenant[T, K]) Get(ctx context.Context, key K) (*T, error) {
	if err := t.allows(wire.OpGet, key); err != nil {
		return nil, err
	}
	var doc *T
	err := t.reading(ctx, wire.OpGet, func(ctx context.Context, d *Documents[T, K]) (err error) {
		doc, err = d.Get(ctx, key)
		return err
	})
	return t.read(wire.OpGet, doc, err)
}

// Exists is [Documents.Exists] for a key of the tenant.
func (t *Tenant[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	_, err := t.Get(ctx, key)
	return failure.Found(err)
}

// GetMany is [Documents.GetMany] for keys of the tenant. One key of another tenant
// refuses all.
func (t *Tenant[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	if t.wrong != nil {
		return nil, t.wrong
	}
	for _, key := range keys {
		if err := t.allows(wire.OpGet, key); err != nil {
			return nil, err
		}
	}
	var docs []*T
	err := t.reading(ctx, wire.OpGetMany, func(ctx context.Context, d *Documents[T, K]) (err error) {
		docs, err = d.GetMany(ctx, keys)
		return err
	})
	for _, doc := range docs {
		if doc != nil && err == nil {
			err = t.allowsDocument(wire.OpGet, doc)
		}
	}
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Delete is [Documents.Delete] for a key of the tenant.
func (t *Tenant[T, K]) Delete(ctx context.Context, key K) error {
	if err := t.allows(wire.OpDelete, key); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpDelete, func(ctx context.Context) error { return t.documents.Delete(ctx, key) })
}

// DeleteIfMatch is [Documents.DeleteIfMatch] for a document of the tenant.
func (t *Tenant[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	if err := t.allowsDocument(wire.OpDelete, doc); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpDelete, func(ctx context.Context) error { return t.documents.DeleteIfMatch(ctx, doc) })
}

// Update is [Documents.Update] for a key of the tenant. A change to the tenant is one
// to the key: it returns ErrKeyChanged.
func (t *Tenant[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	if err := t.allows(untyped.OpUpdate, key); err != nil {
		return err
	}
	return t.writing(ctx, untyped.OpUpdate, func(ctx context.Context) error { return t.documents.Update(ctx, key, t.changing(change)) })
}

// UpdateAndGet is [Documents.UpdateAndGet] for a key of the tenant.
func (t *Tenant[T, K]) UpdateAndGet(ctx context.Context, key K, change func(*T) error) (*T, error) {
	if err := t.allows(untyped.OpUpdate, key); err != nil {
		return nil, err
	}
	var doc *T
	err := t.writing(ctx, untyped.OpUpdate, func(ctx context.Context) (err error) {
		doc, err = t.documents.UpdateAndGet(ctx, key, t.changing(change))
		return err
	})
	return t.read(untyped.OpUpdate, doc, err)
}

// changing returns change for documents of the tenant alone.
func (t *Tenant[T, K]) changing(change func(*T) error) func(*T) error {
	if change == nil {
		return nil
	}
	return func(doc *T) error {
		if err := t.allowsDocument(untyped.OpUpdate, doc); err != nil {
			return err
		}
		return change(doc)
	}
}

// Patch is [Documents.Patch] for a key of the tenant.
func (t *Tenant[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	if err := t.allows(wire.OpPatch, key); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpPatch, func(ctx context.Context) error { return t.documents.Patch(ctx, key, operations...) })
}

// PatchAndGet is [Documents.PatchAndGet] for a key of the tenant.
func (t *Tenant[T, K]) PatchAndGet(ctx context.Context, key K, operations ...PatchOperation[T]) (*T, error) {
	if err := t.allows(wire.OpPatch, key); err != nil {
		return nil, err
	}
	var doc *T
	err := t.writing(ctx, wire.OpPatch, func(ctx context.Context) (err error) {
		doc, err = t.documents.PatchAndGet(ctx, key, operations...)
		return err
	})
	return t.read(wire.OpPatch, doc, err)
}

// PatchIf is [Documents.PatchIf] for a key of the tenant.
func (t *Tenant[T, K]) PatchIf(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	if err := t.allows(wire.OpPatch, key); err != nil {
		return err
	}
	return t.writing(ctx, wire.OpPatch, func(ctx context.Context) error { return t.documents.PatchIf(ctx, key, condition, operations...) })
}

// PatchIfAndGet is [Documents.PatchIfAndGet] for a key of the tenant.
func (t *Tenant[T, K]) PatchIfAndGet(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) (*T, error) {
	if err := t.allows(wire.OpPatch, key); err != nil {
		return nil, err
	}
	var doc *T
	err := t.writing(ctx, wire.OpPatch, func(ctx context.Context) (err error) {
		doc, err = t.documents.PatchIfAndGet(ctx, key, condition, operations...)
		return err
	})
	return t.read(wire.OpPatch, doc, err)
}

// Move is [Documents.Move] for a document that is the tenant's before and after it.
func (t *Tenant[T, K]) Move(ctx context.Context, from K, doc *T) error {
	if err := t.allowsMove(from, doc); err != nil {
		return err
	}
	return t.writing(ctx, write.OpMove, func(ctx context.Context) error { return t.documents.Move(ctx, from, doc) })
}

// PrepareMove is [Documents.PrepareMove] for a document that is the tenant's before and
// after the move.
func (t *Tenant[T, K]) PrepareMove(ctx context.Context, from K, doc *T) (MoveState[K], error) {
	if err := t.allowsMove(from, doc); err != nil {
		return MoveState[K]{}, err
	}
	var state MoveState[K]
	err := t.writing(ctx, write.OpMove, func(ctx context.Context) (err error) {
		state, err = t.documents.PrepareMove(ctx, from, doc)
		return err
	})
	return state, err
}

// ResumeMove is [Documents.ResumeMove] for a state of the tenant's PrepareMove.
func (t *Tenant[T, K]) ResumeMove(ctx context.Context, state MoveState[K]) error {
	for _, key := range []K{state.From, state.To} {
		if err := t.allows(write.OpMove, key); err != nil {
			return err
		}
	}
	return t.writing(ctx, write.OpMove, func(ctx context.Context) error { return t.documents.ResumeMove(ctx, state) })
}

// allowsMove returns an error unless doc and the key that it had are the tenant's.
func (t *Tenant[T, K]) allowsMove(from K, doc *T) error {
	if err := t.allows(write.OpMove, from); err != nil {
		return err
	}
	return t.allowsDocument(write.OpMove, doc)
}

// FindInBucketsOf is [FindInBuckets] for one tenant, of which keys are. Generated methods
// FindInBuckets call it.
func FindInBucketsOf[T any, K generated.Key](ctx context.Context, t *Tenant[T, K], id string, keys generated.Keys) (*T, error) {
	if t.wrong != nil {
		return nil, t.wrong
	}
	var doc *T
	err := t.reading(ctx, untyped.OpFind, func(ctx context.Context, d *Documents[T, K]) (err error) {
		doc, err = FindInBuckets(ctx, d, id, keys)
		return err
	})
	return t.read(untyped.OpFind, doc, err)
}
