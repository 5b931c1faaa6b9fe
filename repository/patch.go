package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Patch runs operations on a document: all of them in order, or none. It is one write. It costs
// about as many request units as a replace of the document, but needs no read before and sends
// only the operations ("Frequently asked questions about partial document update in Azure
// Cosmos DB"). If keys can collide, it reads the document first, as Replace does.
//
// A patch writes only the properties that it names, and keeps the changes of other writers. A
// copy of the document that was read before is then out of date, as is its ETag. If the type
// has fields tagged updated or version, the patch sets them, and each takes one of its ten
// operations.
//
// If the type has a field tagged schema, an older document is first upgraded and stored, even
// if the condition of a PatchIf then does not hold. A newer document is an error that matches
// [ErrNewerDocument]: see [Documents]. A condition on the ETag of the older document holds for
// the upgraded one.
//
// If the run time writes a property for an index, a patch of a component of that property takes
// one more of the ten operations, or is refused: see [Documents].
//
// It returns ErrNotFound if there is no such document. Without a request, it returns a
// *partition.KeyError if the key is invalid, and an error if there are no operations or more
// than ten, or if an operation is invalid. If an operation does not fit the document, see
// [PatchOperation], the error has status 400.
//
// If a proxy repeats a request, a patch that increments, removes, or puts elements into a list
// takes effect each time. In a type with a field tagged updated, such a patch has the condition
// that the document does not have its time yet, and takes effect once; with [WithClock] it has
// no such condition.
//
// # Unclear outcomes
//
// If the outcome is unclear, a patch is sent again if running it twice has the same effect: it
// only sets and replaces properties, and does not replace an object after changing a part of
// it. A patch that increments, removes, or puts elements into a list is sent again only if the
// service refused it with status 429 or 449, as often as [Configure] retries. Otherwise the
// error matches ErrUnclear. In one case azcosmos itself repeats such a patch: after status 503,
// if the client has PreferredRegions and the account several write regions
// (attemptRetryOnServiceUnavailable in cosmos_client_retry_policy.go).
func (d *scope[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	return d.patch(ctx, key, nil, operations)
}

// PatchAndGet is Patch, and returns the stored document with its new ETag. The response to the
// patch contains the document, so PatchAndGet needs no further request and no more request
// units, only bandwidth.
//
// A response without the document is an unclear outcome, like a lost response.
func (d *scope[T, K]) PatchAndGet(ctx context.Context, key K, operations ...PatchOperation[T]) (*T, error) {
	return d.patchAndGet(ctx, key, nil, operations)
}

// PatchIf is Patch on condition that condition holds, which the service checks in the same
// step. If it does not hold, PatchIf changes nothing, and returns ErrPreconditionFailed. It
// returns ErrNotFound if there is no such document. To patch only the version that was read,
// compare its ETag field in the condition.
//
// It costs the same as Patch. If the condition does not hold, it also reads the document to
// find the reason. If the document was written since shortly before the call, and has the
// values that the patch sets, the patch itself may have made the condition false: the error
// also matches ErrUnclear. So it does if the condition does not hold after the patch was sent
// again.
func (d *scope[T, K]) PatchIf(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return d.patch(ctx, key, &condition, operations)
}

// PatchIfAndGet is PatchIf, and returns the stored document as [Documents.PatchAndGet] does.
func (d *scope[T, K]) PatchIfAndGet(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) (*T, error) {
	return d.patchAndGet(ctx, key, &condition, operations)
}

// patch is Patch, or PatchIf if there is a condition.
func (d *scope[T, K]) patch(ctx context.Context, key K, condition *Predicate[T], operations []PatchOperation[T]) error {
	return d.write(ctx, wire.OpPatch, d.allows(wire.OpPatch, key), func(ctx context.Context) error {
		_, err := d.sendPatch(ctx, key, condition, operations, nil)
		return err
	})
}

// patchAndGet is PatchAndGet, or PatchIfAndGet if there is a condition.
func (d *scope[T, K]) patchAndGet(ctx context.Context, key K, condition *Predicate[T], operations []PatchOperation[T]) (*T, error) {
	var doc *T
	err := d.writing(ctx, wire.OpPatch, d.allows(wire.OpPatch, key), func(ctx context.Context) error {
		var c wire.Content
		within, end := d.untyped.Store.StartSpan(ctx, wire.OpPatch)
		p, err := d.sendPatch(within, key, condition, operations, &c)
		end(err)
		if err == nil {
			doc, err = d.content(ctx, wire.OpPatch, key, p, &c)
		}
		return err
	})
	return d.own(wire.OpPatch, doc, err)
}

// sendPatch sends a patch, conditional unless condition is nil, to the container of key. It
// puts the stored document into c.
func (d *scope[T, K]) sendPatch(ctx context.Context, key K, condition *Predicate[T], operations []PatchOperation[T], c *wire.Content) (wire.Place, error) {
	in, at, err := d.target(key)
	if err != nil {
		return at.Place, err
	}
	request, err := patchOf(in, at.Place, d.keyInPatch(key), operations, condition)
	if err != nil {
		return at.Place, err
	}
	return in.Patch(ctx, at, request, c)
}

// keyInPatch returns the key for patchOf. It returns nil if patches of the type need no key,
// which saves an allocation.
func (d *scope[T, K]) keyInPatch(key K) any {
	if d.model.Indexed == nil {
		return nil
	}
	return key
}

// patchOf returns the patch that runs operations on the document of d at p if the condition
// holds; a nil condition always does. It refuses inexact integers and vectors of a wrong
// length. Key is nil if the patch may meet a document of another type.
func patchOf[D any](d *untyped.Documents, p wire.Place, key any, operations []PatchOperation[D], asked *Predicate[D]) (write.Patch, error) {
	var request write.Patch
	for _, o := range operations {
		if err := request.Add(o.change, d.Writer); err != nil {
			return request, d.Store.Failure(wire.OpPatch, p, err)
		}
	}
	if err := d.FitPatch(p, key, &request); err != nil {
		return request, err
	}
	var tree condition.Node
	if asked != nil {
		tree = asked.Node()
	}
	request, err := request.WithCondition(d.Writer.PatchCondition(), tree, d.Writer.Stamps)
	if err != nil {
		return request, d.Store.Failure(wire.OpPatch, p, err)
	}
	return request, nil
}
