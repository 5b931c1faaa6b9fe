package repository

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Documents reads and writes the documents of type T in one container, by keys
// of type K. Generated repositories embed it. It is safe for concurrent use.
//
// # Layouts in which keys can collide
//
// A layout such as {deviceId}-{date} of two free texts makes one partition key
// of different fields: "a-b" and "c" give "a-b-c", and so do "a" and "b-c". Two
// documents of such fields that have one id as well are the same item to Cosmos
// DB, so only one of them can be stored. pkgen notes such layouts, and for them
// nobody's document is returned, overwritten or deleted in place of another's:
//
//   - Create returns ErrAlreadyExists, as for any document of that id.
//   - Get looks at what it has read, at no cost, and returns ErrNotFound.
//   - Delete, and Replace of a document without an ETag, read the document first
//     and then write on condition that it is unchanged: about 1 request unit and
//     one round trip more. They return ErrNotFound.
//   - Upsert does the same, and creates the document if there is none. It returns
//     ErrAlreadyExists: the stored document stays, and doc has no place under
//     this id.
//
// If the document changes between the two requests, both are sent again, ten
// times at most with growing pauses; then the error is that of the last write,
// such as ErrPreconditionFailed. Where the account's consistency lets the read be
// behind, an operation may fail for it; it does not hit another document.
//
// # Several types in one container
//
// A type whose documents say in a property what they are sees its own alone: Get
// of another type's document returns ErrNotFound, and queries leave it out. An id
// is one document's within a logical partition, whatever its type. So that no
// write hits the document of another type, each type either declares a prefix that
// its ids begin with, or its writes look as above:
//
//   - Of types with a prefix, every operation checks the key before it sends
//     anything, and returns a *partition.KeyError for an id that does not begin with
//     it. No write looks. Queries and the change feed return documents of the type
//     that were stored without it.
//   - Of types without, Delete, and Replace of a document without an ETag, look
//     first, and return ErrNotFound; Upsert does, and returns ErrAlreadyExists. Both
//     match [ErrOtherType], as does the error of Get. Create returns
//     ErrAlreadyExists. The type is part of the condition of every patch, which
//     stays one request.
//
// # Buckets
//
// Documents whose hashed fields differ can share a bucket, and with it a logical
// partition, in which an id is one document's. Get looks at what it has read and
// returns ErrNotFound for another's; Create returns ErrAlreadyExists. Upsert,
// Replace and Delete do not look for that, so give such documents ids that differ.
//
// # Unclear outcomes
//
// A connection may break, and the service may fail, after a write was sent and
// before its answer came. Writes are sent again then, up to three times, where
// twice is the same as once or the second answer tells what became of the first:
//
//   - Create that finds its id taken reads the document there, and has succeeded
//     if it is the one to be stored, all properties equal but the system's. Where
//     several programs create a document of one id to see who is first, each has to
//     put something of its own into it.
//   - Replace and Upsert store the same document again. Replace with an ETag may
//     find then that the document has changed, by the first attempt or by somebody
//     else: its error matches ErrPreconditionFailed and ErrUnclear.
//   - Delete that finds no document has succeeded.
//
// If that does not help, or the context has ended, the error matches ErrUnclear.
type Documents[T any, K generated.Key] struct {
	untyped *documents
	model   *generated.Model[T, K]
}

// New returns the documents of the container c that the model describes.
// Generated constructors call it.
func New[T any, K generated.Key](c *azcosmos.ContainerClient, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	d := newDocuments(c, typesOf(model), opts)
	return &Documents[T, K]{d, model}
}

// Create stores doc as a new document: one write. It returns ErrAlreadyExists
// if doc's logical partition holds its id already, and a *partition.KeyError,
// without a request, if its key cannot be stored.
//
// Where the type has a random suffix and doc has none yet, Create chooses one
// and keeps it in doc before it sends anything. Repeated after a failure whose
// outcome is unclear, it therefore meets the document that the first attempt may
// have stored: it reads that one back, one more request, and succeeds if both
// are equal.
//
// A struct may be used for one document after the other: where the id or the text
// before the suffix is another than that which this very struct was last stored
// with, Create chooses a new suffix. Use it so only after the document before has
// been stored, since it forgets that one's suffix. A copy of a struct, and one that
// was read, keep theirs: clear the synthetic field of a copy that is another
// document.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Create(ctx context.Context, doc *T) error {
	return exported(d.untyped.create(ctx, doc))
}

// Upsert stores doc, whether its logical partition holds its id already or not:
// one write, after a read where the id may be another document's, whatever doc's
// ETag says. It
// returns a *partition.KeyError, without a request, if doc's key cannot be stored.
//
// Upsert finds the document to overwrite by the key that doc's fields give now.
// If a field that makes the key was changed since doc was read, this is another
// logical partition, and the document there would be a second copy: with a
// synthetic field, which remembers the stored key, or the level of it that is
// made, Upsert returns ErrKeyChanged instead; without one it cannot know.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	return exported(d.untyped.upsert(ctx, doc))
}

// Replace stores doc in place of the document that has its key: one write, after a
// read where the id may be another document's and doc has no ETag. It returns
// ErrNotFound if there is none, and a *partition.KeyError, without a request, if doc's key
// cannot be stored.
//
// If doc has an etag field and that is set, Replace sends it as If-Match and
// returns ErrPreconditionFailed if the stored document has changed since.
//
// If a field that makes the key was changed since doc was read, Replace returns
// ErrKeyChanged where a synthetic field remembers the stored key, and
// ErrNotFound where none does.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Replace(ctx context.Context, doc *T) error {
	return exported(d.untyped.replace(ctx, doc))
}

// Get returns the document that key identifies: one point read, 1 request unit
// for 1 KB. It returns ErrNotFound if there is none, and a *partition.KeyError,
// without a request, if there cannot be one.
func (d *Documents[T, K]) Get(ctx context.Context, key K) (*T, error) {
	p, err := placeOf(d.model, key)
	if err != nil {
		return nil, err
	}
	doc, _, err := d.untyped.store.Read(ctx, wire.OpGet, p)
	own, _ := doc.(*T) // nil with an error
	if err == nil && !hasKey(d.model, own, key) {
		own, err = nil, d.untyped.store.ForeignError(wire.OpGet, p, ErrNotFound)
	}
	return own, exported(err)
}

// Delete removes the document that key identifies: one write, after a read where
// the id may be another document's. It returns ErrNotFound if there is none, and a
// *partition.KeyError, without a request, if there cannot be one.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	p, err := placeOf(d.model, key)
	if err != nil {
		return err
	}
	return exported(d.untyped.remove(ctx, p, meant(d.model, key)))
}
