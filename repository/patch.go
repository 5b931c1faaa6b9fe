package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Patch runs operations on the document that key identifies: all of them in their
// order, or none. It is one write. It costs about as many request units as a
// replace of the document, but needs no read before and sends only the operations
// ("Frequently asked questions about partial document update in Azure Cosmos
// DB"). If keys can collide, it reads the document first, as Replace does.
//
// A patch writes only the properties that it names, so it keeps what other
// writers have changed since a read. A document that was read before is then out
// of date, as is its ETag. If the type has fields tagged updated or version, the
// patch carries them, and each takes one of its ten operations.
//
// If the type has a field tagged schema, an older document is first stored in its present
// form, also if the condition of a PatchIf does not hold then, and a newer one is an error
// that matches [ErrNewerDocument]: see [Documents]. A condition on the ETag of the older
// document holds for the stored one.
//
// If the run time writes a property for an index, a patch of what that is made of takes one of
// the ten operations more, or is refused: see [Documents].
//
// It returns ErrNotFound if there is no such document. Without a request, it
// returns a *partition.KeyError if the key is invalid, and an error if there are
// no operations or more than ten, or if an operation is invalid. If an operation
// does not fit the document, see [PatchOperation], the error has status 400.
//
// A patch that increments, removes, or puts elements into a list counts each time its
// request arrives, if a proxy repeats it. In a type with a field tagged updated, each such
// patch has the condition that the document does not have its time yet, and counts once;
// with [WithClock] it has not.
//
// # Unclear outcomes
//
// If the outcome is unclear, a patch is sent again if twice is the same as once:
// it only sets and replaces properties, and does not replace an object after it
// has changed a part of it. A patch that increments, removes, or puts elements
// into a list is sent again only if the service says that it refused the patch,
// by status 429 or 449, as often as [Configure] retries. Otherwise the error
// matches ErrUnclear. In one case azcosmos itself repeats such a patch: after
// status 503, if the client has PreferredRegions and the account several regions
// to write to (attemptRetryOnServiceUnavailable in
// cosmos_client_retry_policy.go).
func (d *scope[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	return d.patch(ctx, key, nil, operations)
}

// PatchAndGet is Patch, and returns the stored document with its new ETag. The
// answer to the patch holds the document, so this costs no other request and no
// more request units, but the transfer of the document.
//
// An answer without the document is an unclear outcome, as a lost answer is.
func (d *scope[T, K]) PatchAndGet(ctx context.Context, key K, operations ...PatchOperation[T]) (*T, error) {
	return d.patchAndGet(ctx, key, nil, operations)
}

// PatchIf is Patch on condition that the predicate condition holds, which the
// service checks in the same step. It returns ErrPreconditionFailed, and changes
// nothing, if the condition does not hold, and ErrNotFound if there is no such
// document. To patch only the version that was read, compare the field of its
// ETag in the condition.
//
// It costs what Patch costs. If the condition does not hold, it reads the document to say
// why: one request more. If the document was written since shortly before the call, and has
// the values that the patch sets, the patch itself may have made the condition false: the
// error matches ErrUnclear as well.
//
// A patch that is sent again after an unclear outcome may have made its own
// condition false. If the condition does not hold then, the error matches
// ErrUnclear as well.
func (d *scope[T, K]) PatchIf(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return d.patch(ctx, key, &condition, operations)
}

// PatchIfAndGet is PatchIf, and returns the stored document, as
// [Documents.PatchAndGet] does.
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

// sendPatch sends a patch to where the documents are, on a condition if there is one. The
// stored document goes to c.
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

// keyInPatch returns a key for patchOf, nil if patches of the type do not need one, which saves
// an allocation.
func (d *scope[T, K]) keyInPatch(key K) any {
	if d.model.Indexed == nil {
		return nil
	}
	return key
}

// patchOf returns the patch that runs operations on the document of d at p, which has this key, if
// the condition holds; a nil condition always does. Integers that it sets must be exact, and vectors
// have their length. The key is nil if the patch may meet a document of another type.
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
