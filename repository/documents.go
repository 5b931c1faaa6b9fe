package repository

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Documents reads and writes the documents of type T in one container, by keys of type K.
// Generated repositories embed it. It is safe for concurrent use.
//
// # Layouts in which keys can collide
//
// A layout such as {deviceId}-{date} of two free texts makes the same partition key from
// different fields: "a-b" and "c" give "a-b-c", and so do "a" and "b-c". If two such documents
// also have the same id, they are one item to Cosmos DB, and only one of them can be stored.
// pkgen prints a note about such layouts. Their operations never return, overwrite or delete
// one document in place of another:
//
//   - Create returns ErrAlreadyExists, as for any document with that id.
//   - Get compares the document that it has read, at no cost, and returns ErrNotFound.
//   - Delete, and Replace of a document without an ETag, read the document first and write on
//     condition that it is unchanged: about 1 request unit and one round trip more. They return
//     ErrNotFound.
//   - Upsert does the same, and creates the document if there is none. If another document has
//     the id, that document stays, and Upsert returns ErrAlreadyExists.
//
// If the document changes between the two requests, both are sent again, at most ten times with
// growing pauses; then the error is that of the last write, such as ErrPreconditionFailed. In
// an account whose consistency allows stale reads, an operation may fail after a stale read; it
// never affects another document.
//
// # Several types in one container
//
// A property of each document, the discriminator, has the name of its type, and a repository
// sees only documents of its own type: Get of another type's document returns ErrNotFound, and
// queries leave it out. Within a logical partition an id belongs to one document, whatever its
// type. To keep writes from affecting documents of other types, a type either declares a prefix
// of its ids, or its writes read first:
//
//   - With a prefix, every operation checks the key before it sends anything, and returns a
//     *partition.KeyError for an id without the prefix. No write reads first. Queries and the
//     change feed also return documents of the type that were stored without the prefix.
//   - Without a prefix, Delete, and Replace of a document without an ETag, read first, and
//     return ErrNotFound. Upsert reads first, and returns ErrAlreadyExists. These errors match
//     [ErrOtherType], as does the error of Get. Create returns ErrAlreadyExists. Every patch
//     has the type in its condition, and remains one request.
//
// # Buckets
//
// Documents with different hashed fields can share a bucket, and so a logical partition, in
// which an id belongs to one document. Get compares the document that it has read, and returns
// ErrNotFound if its fields differ; Create returns ErrAlreadyExists. Upsert, Replace and Delete
// do not read first, so give such documents different ids.
//
// # Stamps
//
// If a type has fields tagged created, updated or version, each write and patch sets them from
// the clock of [WithClock], whatever doc's fields hold. With created or version, Upsert and
// Replace need the document that they replace: they read it first, about 1 request unit for 1
// KB and one round trip more, and write on condition that it is unchanged, as for layouts in
// which keys can collide.
//
// # Documents that are marked as deleted
//
// If a type has a field tagged deleted, every deletion marks the document: Delete,
// DeleteIfMatch, DeleteAll, DeleteFound, and those of transactions. One patch sets the field's
// property to the time of [WithClock], on condition that it is not set yet. The document stays,
// and keeps its id:
//
//   - Reads and queries leave it out, and Get returns ErrNotFound. [WithDeleted] includes it.
//   - The change feed reports it as a deletion.
//   - Create and Upsert return ErrAlreadyExists, and other operations ErrNotFound. These errors
//     match [ErrDeleted]. Upsert and Replace read first, even with an ETag: about 1 request
//     unit for 1 KB and one round trip more. No write overwrites it.
//   - [Restore] removes the mark, and [Purge] removes the document.
//
// Writes ignore and clear this field.
//
// # Forms
//
// If a type has a field tagged schema, each write stores the number of the tag, and a read of a
// document with a lower number, or without one, calls the method Upgrade of the type once. A
// document with a greater number is an error that matches [ErrNewerDocument], for reads and for
// writes: Upsert, and Replace of a document without an ETag, read first, about 1 request unit
// for 1 KB and one round trip more, and write on condition that the document is unchanged. A
// patch has the number in its condition. If it meets an older document, pkgen upgrades and
// stores that document, on condition that it is unchanged, and sends the patch again: one extra
// read and one extra replace, once. Delete removes documents of all forms.
//
// # Properties for indexes
//
// If a global secondary index has a partition key made of several properties, each write of a
// whole document sets the field that the index reads. If a component is invalid, it returns a
// *partition.KeyError without a request. A patch of a component adds one operation that sets
// the property, if the patch and the key together contain all components. Otherwise the patch
// is refused without a request: set all components in one patch, or use [Documents.Update].
//
// # Unclear outcomes
//
// A connection may break, and the service may fail, after a write was sent and before its
// response arrives. The write is then sent again, up to three times, if a second attempt
// changes nothing more, or if its response shows whether the first took effect:
//
//   - If Create finds its id taken, it reads the stored document, and succeeds if all
//     properties except the system's are equal. If several programs create a document with one
//     id to elect a winner, each must store a distinct value in it.
//   - Replace and Upsert store the same document again. Replace with an ETag may then find the
//     document changed, by the first attempt or by another program: its error matches
//     ErrPreconditionFailed and ErrUnclear.
//   - If Delete finds no document, or one that is marked as deleted, it succeeds.
//
// If no attempt settles the outcome, or the context has ended, the error matches ErrUnclear.
//
// # Requests that arrive twice
//
// A proxy may send a request twice and return the second response. A write that is refused with
// 409 or 412 therefore reads the stored document once. It succeeds if the document has the time
// of this write, in a field tagged updated, or created after Create. If an equal document
// without such a time was written since shortly before the call, the error matches ErrUnclear
// and its sentinel. A write without a condition takes effect each time its request arrives: a
// late copy of an Upsert can undo a later write.
type Documents[T any, K generated.Key] struct {
	scope[T, K] // of all tenants
	face        // gives other packages of the run time the documents without types
}

// face is an alias, so that the embedded field is unexported.
type face = untyped.Face

// newDocuments returns the exported form of d.
func newDocuments[T any, K generated.Key](d *untyped.Documents, model *generated.Model[T, K]) *Documents[T, K] {
	return &Documents[T, K]{scope[T, K]{untyped: d, model: model}, untyped.FaceOf(d)}
}

// New returns the documents of the container c that the model describes.
// Generated constructors call it.
func New[T any, K generated.Key](c *azcosmos.ContainerClient, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	return newDocuments(untyped.New(c, typesOf(model), settingsOf(opts)), model)
}

// Create stores doc as a new document: one write. It returns ErrAlreadyExists if doc's logical
// partition already has a document with its id, and a *partition.KeyError, without a request,
// if its key is invalid.
//
// If the type has a random suffix and doc has none yet, Create chooses one and sets it in doc
// before it sends anything. After an unclear outcome, a second Create therefore finds the
// document that the first may have stored. It reads that document, with one more request, and
// succeeds if both are equal.
//
// A struct may be reused for one document after another: Create chooses a new suffix if the id
// or the text before the suffix has changed since the struct was last stored. Reuse a struct
// only after its document has been stored, since its suffix is then overwritten. A copy of a
// struct, and a struct that was read, keep their suffix: clear the synthetic field of a copy
// that becomes another document.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *scope[T, K]) Create(ctx context.Context, doc *T) error {
	return d.write(ctx, wire.OpCreate, d.allowsDocument(wire.OpCreate, doc), func(ctx context.Context) error {
		return d.untyped.Create(ctx, doc)
	})
}

// Upsert creates or replaces doc, and ignores doc's ETag: one write, after a read if the id may
// belong to another document. It returns a *partition.KeyError, without a request, if doc's key
// is invalid.
//
// Upsert finds the document to overwrite by the key that doc's fields now give. If a field of
// the key has changed since doc was read, the key names another logical partition, where Upsert
// would store a second copy. If a synthetic field remembers the stored key, or its made level,
// Upsert returns ErrKeyChanged instead; without such a field it cannot detect the change.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *scope[T, K]) Upsert(ctx context.Context, doc *T) error {
	return d.write(ctx, wire.OpUpsert, d.allowsDocument(wire.OpUpsert, doc), func(ctx context.Context) error {
		return d.untyped.Upsert(ctx, doc)
	})
}

// Replace replaces the stored document that has doc's key: one write, after a read if the id
// may belong to another document and doc has no ETag. It returns ErrNotFound if there is no
// document, and a *partition.KeyError, without a request, if doc's key is invalid.
//
// If doc's etag field is set, Replace sends it as If-Match, and returns ErrPreconditionFailed
// if the stored document has changed since.
//
// If a field of the key has changed since doc was read, Replace returns ErrKeyChanged if a
// synthetic field remembers the stored key, and otherwise ErrNotFound.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *scope[T, K]) Replace(ctx context.Context, doc *T) error {
	return d.write(ctx, wire.OpReplace, d.allowsDocument(wire.OpReplace, doc), func(ctx context.Context) error {
		return d.untyped.Replace(ctx, doc)
	})
}

// Get returns a document: one point read, 1 request unit for 1 KB. It returns ErrNotFound if
// there is no document, and a *partition.KeyError, without a request, if the key is invalid.
func (d *scope[T, K]) Get(ctx context.Context, key K) (*T, error) {
	var doc *T
	err := d.reading(ctx, wire.OpGet, d.allows(wire.OpGet, key), func(ctx context.Context, in *scope[T, K]) (err error) {
		ctx, end := in.untyped.Store.StartSpan(ctx, wire.OpGet)
		doc, err = in.get(ctx, key)
		end(err)
		return err
	})
	return d.own(wire.OpGet, doc, err)
}

func (d *scope[T, K]) get(ctx context.Context, key K) (*T, error) {
	in, at, err := d.target(key)
	if err != nil {
		return nil, err
	}
	found, err := in.Get(ctx, at)
	own, _ := found.Doc.(*T) // nil with an error
	if err == nil && !hasKey(d.model, own, key) {
		own, err = nil, in.Store.ForeignError(wire.OpGet, at.Place, ErrNotFound)
	}
	return own, err
}

// Exists reports whether [Documents.Get] would return a document. It costs the same as Get, and
// returns the errors of Get except ErrNotFound.
func (d *scope[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	_, err := d.Get(ctx, key)
	return failure.Found(err)
}

// Delete deletes a document, or marks it as deleted: one write, after a read if the id may
// belong to another document. It returns ErrNotFound if there is no document, and a
// *partition.KeyError, without a request, if the key is invalid.
func (d *scope[T, K]) Delete(ctx context.Context, key K) error {
	return d.write(ctx, wire.OpDelete, d.allows(wire.OpDelete, key), func(ctx context.Context) error {
		return d.remove(ctx, key)
	})
}

func (d *scope[T, K]) remove(ctx context.Context, key K) error {
	in, at, err := d.target(key)
	if err != nil {
		return err
	}
	return in.Delete(ctx, at)
}
