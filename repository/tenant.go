package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Tenant reads and writes the documents of type T of one tenant. The method For of a generated
// repository returns one, with the queries of the tenant.
//
// Another tenant's document or key is refused before any request, with an [Error] that matches
// [ErrTenant]. Every query has the tenant in its conditions, in addition to its partition keys
// and its container. A document that was read but belongs to another tenant, which only a
// program without pkgen can have stored, is not returned, and the error matches ErrTenant. If
// the tenant is empty, every operation returns a *partition.KeyError, and sends nothing.
//
// In a bulk operation another tenant's document is a failure of its own, and the others are
// stored. GetMany and a transaction are refused as a whole.
//
// Methods have the costs and results of those of [Documents]. There is no change feed, since a
// change feed has the documents of all tenants.
//
// A Tenant is cheap: a service makes one for each request. It is safe for concurrent use.
type Tenant[T any, K generated.Key] struct {
	scope[T, K] // of the tenant
}

// NewTenant returns the documents of d of the tenant of key, whose other fields are ignored.
// Generated methods For call it.
func NewTenant[T any, K generated.Key](d *Documents[T, K], key K) Tenant[T, K] {
	s := scope[T, K]{untyped: d.untyped, model: d.model, tenant: true, key: key}
	if check := d.model.Tenant.Check; check != nil {
		s.wrong = check(key)
	}
	s.resident = d.untyped.Resident(func() string { return d.model.Own.Tenant(key) })
	return Tenant[T, K]{s}
}

// Only restricts q to the tenant's documents. Generated methods call it. The query must not
// have a condition of [Query.WhereRaw] yet. A later condition must be a single expression
// without comments: the query refuses one that would end the parentheses around it, such as
// "true) OR (true".
func (t *Tenant[T, K]) Only(q Query[T]) Query[T] {
	q.selection = q.selection.OfTenant(t.model.Tenant.Property, t.model.Tenant.Value(t.key))
	q.selection = t.resident.Of(q.selection)
	if t.wrong != nil {
		q.selection.Err = t.wrong
	}
	return q
}

// A scope is the documents of type T of all tenants, or of one. It has the operations that
// [Documents] and [Tenant] share. Each calls allows or allowsDocument first, and sends its
// requests through write, writing or reading.
type scope[T any, K generated.Key] struct {
	untyped *untyped.Documents
	model   *generated.Model[T, K]

	tenant   bool              // restricted to the tenant of key
	key      K                 // with the field of the tenant alone
	wrong    error             // about the tenant
	resident *untyped.Resident // of a tenant that may move to another container; nil for others
}

// scoped is a [*Documents] or a [*Tenant], for functions that generated methods of both call.
type scoped[T any, K generated.Key] interface{ whole() *scope[T, K] }

func (d *scope[T, K]) whole() *scope[T, K] { return d } //nolint:unused // by scoped, which the linter does not see

// under returns the context of an operation of the tenant, for observers.
func (d *scope[T, K]) under(ctx context.Context) context.Context {
	if !d.tenant || d.untyped.Store.Observe == nil || d.wrong != nil {
		return ctx
	}
	return wire.WithTenant(ctx, d.model.Tenant.Value(d.key))
}

// writing calls send, which sends the requests of a writing operation, unless allowed is an
// error. If the tenant has moved meanwhile, it calls send again, for the tenant's new
// container.
func (d *scope[T, K]) writing(ctx context.Context, op string, allowed error, send func(context.Context) error) error {
	if allowed != nil {
		return allowed
	}
	if d.resident == nil {
		return send(d.under(ctx))
	}
	return d.resident.Write(d.under(ctx), op, send)
}

// write is writing within a span of the operation.
func (d *scope[T, K]) write(ctx context.Context, op string, allowed error, send func(context.Context) error) error {
	return d.writing(ctx, op, allowed, func(ctx context.Context) error {
		ctx, end := d.untyped.Store.StartSpan(ctx, op)
		err := send(ctx)
		end(err)
		return err
	})
}

// reading is writing for a reading operation. It passes the documents of the tenant's present
// container.
func (d *scope[T, K]) reading(ctx context.Context, op string, allowed error, read func(context.Context, *scope[T, K]) error) error {
	if allowed != nil {
		return allowed
	}
	if d.resident == nil {
		return read(d.under(ctx), d)
	}
	return d.resident.Read(d.under(ctx), op, func(ctx context.Context, in *untyped.Documents) error {
		return read(ctx, &scope[T, K]{untyped: in, model: d.model})
	})
}

// allows returns an error unless the documents of all keys are in the scope.
func (d *scope[T, K]) allows(op string, keys ...K) error {
	if !d.tenant || d.wrong != nil {
		return d.wrong
	}
	for _, key := range keys {
		if d.resident != nil {
			if err := d.resident.Allows(op, d.model.ID(key)); err != nil {
				return err
			}
		}
		if !d.model.Tenant.Same(d.key, key) {
			return &Error{Op: op, Type: d.model.Type, ID: d.model.ID(key), Err: ErrTenant}
		}
	}
	return nil
}

// allowsDocument returns an error unless doc is in the scope. A nil doc is left to the
// operation, which refuses it.
func (d *scope[T, K]) allowsDocument(op string, doc *T) error {
	if !d.tenant || doc == nil {
		return d.wrong
	}
	return d.allows(op, d.model.Key(doc))
}

// own returns a document that was read, if it is in the scope.
func (d *scope[T, K]) own(op string, doc *T, err error) (*T, error) {
	if err == nil {
		err = d.allowsDocument(op, doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// ownQuery returns q, with an error if it finds documents outside the scope.
func (d *scope[T, K]) ownQuery(q Query[T]) Query[T] {
	if d.tenant && q.selection.Err == nil && q.selection.Store != nil && !q.selection.IsTenant(d.model.Tenant.Value(d.key)) {
		q.selection.Err = &Error{Op: "query", Type: d.model.Type, Err: ErrTenant}
	}
	return q
}

// FindInBuckets returns the document with this id under any suffix. Keys has the partition keys
// of all suffixes. Generated FindInBuckets methods call it.
//
// It sends one query to each physical partition that has some of the keys, about 3 request
// units each. Other documents whose fields make the same partition keys are left out by the
// filters of keys. The error is ErrNotFound if no suffix has the id, and ErrAmbiguous, with the
// partition keys, if several do.
func FindInBuckets[T any, K generated.Key](ctx context.Context, docs scoped[T, K], id string, keys generated.Keys) (*T, error) {
	d := docs.whole()
	var doc *T
	err := d.reading(ctx, untyped.OpFind, d.wrong, func(ctx context.Context, in *scope[T, K]) error {
		found, err := in.untyped.Find(ctx, id, keys)
		doc, _ = found.(*T) // nil with an error
		return err
	})
	return d.own(untyped.OpFind, doc, err)
}
