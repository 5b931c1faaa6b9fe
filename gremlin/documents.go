package gremlin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents are the documents of type T in one graph, by keys of type K: the vertices of
// one label. Generated repositories embed it. It is safe for concurrent use.
//
// A request that the service was too busy for is repeated up to nine times, with the
// pauses that it asks for. A request without an answer is repeated up to three times if
// that is safe.
// Errors are [*Error], and match the sentinels of this package.
type Documents[T any, K generated.Key] struct {
	inner  *documents.Collection[T, K]
	driver *driver[T]
}

// New returns the documents of a model in a graph, as vertices of a label. It sends
// nothing. Every operation returns what is wrong with the options or the type.
func New[T any, K generated.Key](client *Client, label string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := settings{documents.NewSettings()}
	for _, o := range opts {
		o(&s)
	}
	v, err := newVertices(label, model)
	if err != nil {
		s.Refuse(err)
	}
	d := &driver[T]{client, v, s.Concurrency, s.PageSize}
	inner := &documents.Collection[T, K]{
		Model:    model,
		Driver:   d,
		ID:       model.ID,
		Name:     client.name + "/" + label,
		Settings: s.Settings,
	}
	if model.Draft {
		inner.Stays = client.stays(model.Type)
	}
	return &Documents[T, K]{inner, d}
}

// stays returns a function that returns an error unless the server is this machine.
func (c *Client) stays(typ string) func(context.Context) error {
	return func(context.Context) error {
		if c.local {
			return nil
		}
		return &failure.Error{Op: "use", Type: typ, Kind: failure.ErrDraft, Err: failure.Says("it may still change, and " +
			"the server is not this machine, where documents can be thrown away: if the layout is what you want, for ever, run pkgen seal " + typ)}
	}
}

// Create stores doc as a new vertex: one request. It writes the partition key into doc's
// field for it, if there is one. If doc's key has a random suffix that is not yet chosen,
// Create chooses it. Errors: ErrAlreadyExists, ErrTooLarge.
//
// If the connection breaks, Create sends doc again. If its id is then taken, Create reads
// that vertex, and succeeds if it is doc.
func (d *Documents[T, K]) Create(ctx context.Context, doc *T) error {
	return fault(d.inner.Create(ctx, doc))
}

// Upsert stores doc, new or not, whoever has changed it: one request. Of a vertex that is
// there, it changes the properties of the type, and leaves others and the edges. Errors:
// ErrTooLarge; ErrKeyChanged if doc is stored under another key; ErrAlreadyExists if the
// id is that of a vertex of another type.
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	return fault(d.inner.Upsert(ctx, doc))
}

// Replace stores doc in place of the vertex of its key: one request. Who writes last wins,
// since vertices have no version. It removes the properties of the type that doc does not
// have, and leaves properties that the type does not know, and the edges. Errors:
// ErrNotFound; ErrKeyChanged; ErrTooLarge.
func (d *Documents[T, K]) Replace(ctx context.Context, doc *T) error {
	return fault(d.inner.Replace(ctx, doc))
}

// Get returns the document of a key: one point read. Error: ErrNotFound.
func (d *Documents[T, K]) Get(ctx context.Context, key K) (*T, error) {
	doc, err := d.inner.Get(ctx, key)
	return doc, fault(err)
}

// Exists reports whether there is a document that Get would return. It costs what Get costs.
func (d *Documents[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	found, err := d.inner.Exists(ctx, key)
	return found, fault(err)
}

// GetMany returns the documents of keys, in their order: one point read each, 32 at once,
// on the connections of the client. A key without a document has nil.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	found, err := d.inner.GetMany(ctx, keys)
	return found, fault(err)
}

// Delete removes the vertex of a key with its edges: one request, in which the service
// looks for edges. Error: ErrNotFound.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	return fault(d.inner.Delete(ctx, key))
}
