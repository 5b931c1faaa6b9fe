package mongo

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents are the documents of type T in one collection, by keys of type K. Generated
// repositories embed it. It is safe for concurrent use.
//
// A request that the service was too busy for is repeated up to nine times, with the
// pauses that it asks for. A request without an answer is repeated twice if that is safe.
// Errors are [*Error], and match the sentinels of this package.
//
// A client whose write concern asks for no answers, w=0, cannot write: the error of the
// first write matches ErrUnclear, and later ones are refused before they are sent.
type Documents[T any, K generated.Key] struct {
	inner *documents.Collection[T, K]
}

// New returns the documents of a model in a collection. It sends nothing. Every operation
// returns what is wrong with the options or the database.
//
// Create the collection by [Ensure] before: otherwise the first write makes one, and
// Cosmos DB makes it without a shard key.
func New[T any, K generated.Key](db *Database, name string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := settings{documents.NewSettings()}
	for _, o := range opts {
		o(&s)
	}
	c, err := newCodec(model)
	if err != nil {
		s.Refuse(err)
	}
	inner := &documents.Collection[T, K]{
		Model:    model,
		Driver:   &collection[T]{codec: c, docs: db.Collection(name), pageSize: s.PageSize},
		ID:       model.ID,
		Name:     name,
		Settings: s.Settings,
	}
	if model.Draft {
		inner.Stays = stays(db, model.Type)
	}
	return &Documents[T, K]{inner}
}

// Create stores doc as a new document: one insert. It writes the version and the partition
// key into doc's fields for them, if there are any. If doc's key has a random suffix that
// is not yet chosen, Create chooses it. Errors: ErrAlreadyExists, ErrTooLarge.
//
// If the connection breaks, Create sends doc again. If its id is then taken, Create reads
// that document, and succeeds if it is doc.
func (d *Documents[T, K]) Create(ctx context.Context, doc *T) error {
	return fault(d.inner.Create(ctx, doc))
}

// Upsert stores doc, new or not, whoever has changed it: one update. If the layout of the
// key is ambiguous, a read comes first. Errors: ErrTooLarge; ErrKeyChanged if doc is
// stored under another key.
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	return fault(d.inner.Upsert(ctx, doc))
}

// Replace stores doc in place of the document of its key: one update. If doc has a
// version, it replaces that version alone. Errors: ErrNotFound; ErrPreconditionFailed if
// the document has another version or is gone; ErrKeyChanged; ErrTooLarge.
func (d *Documents[T, K]) Replace(ctx context.Context, doc *T) error {
	return fault(d.inner.Replace(ctx, doc))
}

// Get returns the document of a key: one find with the shard key and the _id. Error:
// ErrNotFound.
func (d *Documents[T, K]) Get(ctx context.Context, key K) (*T, error) {
	doc, err := d.inner.Get(ctx, key)
	return doc, fault(err)
}

// Exists reports whether there is a document that Get would return. It costs what Get costs.
func (d *Documents[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	found, err := d.inner.Exists(ctx, key)
	return found, fault(err)
}

// Delete removes the document of a key, whoever has changed it: one delete. Error:
// ErrNotFound.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	return fault(d.inner.Delete(ctx, key))
}

// DeleteIfMatch removes doc if it has not changed since it was read: one delete. Error:
// ErrPreconditionFailed if the document has another version or is gone.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return fault(d.inner.DeleteIfMatch(ctx, doc))
}
