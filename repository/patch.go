package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Patch runs operations on the document that key identifies, all of them in their
// order or none: one write. It costs about what replacing the document does, in
// request units, but needs no read before it and sends nothing but the operations
// ("Frequently asked questions about partial document update in Azure Cosmos
// DB"). Where keys can collide, it reads the document first, as Replace does.
//
// Changes of other writers between a read and the patch stay: it writes no other
// property than those it names. What a program has read of the document before
// is then out of date, its ETag too.
//
// It returns ErrNotFound if there is no such document. Without a request, it
// returns a *partition.KeyError if there cannot be one, and an error if there are no
// operations or more than ten, or if one of them is wrong. Operations that do not
// fit the document, as [PatchOperation] says, are status 400.
//
// # Unclear outcomes
//
// After a failure that leaves open whether the patch took effect, it is sent again
// if twice is the same as once: if it only sets and replaces properties, and does
// not replace as a whole what it has changed a part of before. A patch that
// increments, removes, or puts elements into a list is sent again only if the
// service says that it was refused, by status 429 or 449, as often as [Configure]
// has it; else the error matches ErrUnclear. There is one case in which azcosmos
// itself repeats it: status 503, where the client has PreferredRegions and the
// account several regions to write to (attemptRetryOnServiceUnavailable in
// cosmos_client_retry_policy.go).
func (d *Documents[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	_, err := patchWith(ctx, d, key, nil, operations, nil)
	return exported(err)
}

// PatchAndGet is Patch that returns the document as it is stored then, its ETag
// included. That is in the answer to the patch, so that it costs no other request
// and no more request units, but the transfer of the document.
//
// An answer that has lost the document is an unclear outcome, as one that does not
// come.
func (d *Documents[T, K]) PatchAndGet(ctx context.Context, key K, operations ...PatchOperation[T]) (*T, error) {
	doc, err := patchAndGet(ctx, d, key, nil, operations)
	return doc, exported(err)
}

// PatchIf is Patch of a document for which condition holds, which the service
// looks at in the same step. It returns ErrPreconditionFailed, and has changed
// nothing, if the condition does not hold; ErrNotFound if there is no such
// document. To patch the version that was read and no other, compare the field of
// its ETag in the condition.
//
// It costs what Patch costs. Where keys can collide, or the container has
// documents of several types, it reads the document to say why the condition does
// not hold: one request more in that case.
//
// A patch that is sent again after an unclear outcome may have made its own
// condition false. If that does not hold then, the error matches ErrUnclear as
// well.
func (d *Documents[T, K]) PatchIf(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	_, err := patchWith(ctx, d, key, &condition, operations, nil)
	return exported(err)
}

// PatchIfAndGet is PatchIf that returns the document as it is stored then, as
// [Documents.PatchAndGet] does.
func (d *Documents[T, K]) PatchIfAndGet(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) (*T, error) {
	doc, err := patchAndGet(ctx, d, key, &condition, operations)
	return doc, exported(err)
}

// patchAndGet is PatchAndGet, or PatchIfAndGet if there is a condition.
func patchAndGet[T any, K generated.Key](ctx context.Context, d *Documents[T, K], key K, condition *Predicate[T], operations []PatchOperation[T]) (*T, error) {
	var c wire.Content
	p, err := patchWith(ctx, d, key, condition, operations, &c)
	if err != nil {
		return nil, err
	}
	doc, err := d.untyped.content(ctx, wire.OpPatch, p, &c)
	own, _ := doc.(*T) // nil with an error
	return own, err
}

// patchWith is Patch, or PatchIf if there is a condition. What is stored then goes to
// c.
func patchWith[T any, K generated.Key](ctx context.Context, d *Documents[T, K], key K, condition *Predicate[T], operations []PatchOperation[T], c *wire.Content) (wire.Place, error) {
	p, err := placeOf(d.model, key)
	if err != nil {
		return p, err
	}
	request, err := patchOf(d.untyped, operations, condition)
	return p, d.untyped.patch(ctx, p, meant(d.model, key), request, err, c)
}

// patch sends a request for a patch of the document at p, unless wrong says why it
// cannot be sent.
func (d *documents) patch(ctx context.Context, p wire.Place, meant func(doc any) bool, request write.Patch, wrong error, c *wire.Content) error {
	if wrong != nil {
		return &wire.OperationError{Op: wire.OpPatch, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: wrong}
	}
	return write.SendPatch(ctx, d.writer, p, meant, request, c)
}

// patchOf returns the patch that runs operations on a document of d if the condition
// holds; a nil condition always does. Integers that it sets must be exact.
func patchOf[D any](d *documents, operations []PatchOperation[D], condition *Predicate[D]) (write.Patch, error) {
	var p write.Patch
	for _, o := range operations {
		if err := p.Add(o.change, d.writer.Integers); err != nil {
			return write.Patch{}, err
		}
	}
	ofType := store.TypeCondition(d.store.Discriminator)
	if condition == nil {
		return p.WithCondition(ofType, nil)
	}
	return p.WithCondition(ofType, condition.known())
}
