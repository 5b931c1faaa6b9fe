package gremlin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents are the vertices of type T in one graph, by keys of type K. Generated repositories
// embed it. It is safe for concurrent use.
//
// Its operations are those of [documents.Collection]. Each sends one traversal for one
// document; Get and Exists are point reads. If the layout of the key is ambiguous, Upsert,
// Replace and Delete read first. GetMany sends a point read per key, and CreateAll, UpsertAll
// and DeleteAll a traversal per item, 32 at once. Vertices have no version that a program can
// compare, so the last writer wins in Replace.
//
// If the connection breaks, Create sends doc again. If its id is then taken, Create reads that
// vertex, and succeeds if it equals doc.
type Documents[T any, K generated.Key] struct {
	*documents.Collection[T, K]
	spec   api.Container[T, K]
	driver *driver[T]
}

// Query selects vertices of type T: see [documents.Query].
//
// All, Collect and First send one traversal for each 1,000 partition keys of the query, and one
// more for each further 1,000 documents. Count sends one, in which the service counts. Page
// sends one per page. Texts are in the service's order. The service has no comparison that
// ignores case: a query with EqualFold is refused. Also store the text in lower case, and
// compare that.
type Query[T any] = documents.Query[T]

// Option changes how a repository works. Package documents has the functions that make one.
type Option = documents.Option

// New returns the vertices of a model in a graph, with a label. It sends nothing. If the
// options or the type are invalid, every operation returns the error.
func New[T any, K generated.Key](client *Client, label string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := api.SettingsOf(opts)
	v, err := newVertices(label, model)
	if err != nil {
		s.Refuse(err)
	}
	d := &driver[T]{client, v, s.Concurrency, s.PageSize}
	spec := api.Container[T, K]{Model: model, Driver: d, ID: model.ID, Name: client.name + "/" + label, Settings: s}
	if v != nil {
		spec.IDProperty = v.id
	}
	if model.Draft {
		spec.Stays = client.stays(model.Type)
	}
	return &Documents[T, K]{documents.New(spec), spec, d}
}

// stays returns a function that returns an error unless the server is this machine.
func (c *Client) stays(typ string) func(context.Context) error {
	return func(context.Context) error {
		if c.local {
			return nil
		}
		return &documents.Error{Op: "use", Type: typ, Kind: failure.ErrDraft, Err: failure.Says("it may still change, and " +
			"the server is not this machine, where documents can be thrown away: if the layout is what you want, for ever, run pkgen seal " + typ)}
	}
}

// NewQuery returns the query for the vertices under keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return documents.NewQuery(d.Collection, keys)
}

// FindInBuckets returns the vertex with an id under one of keys: one traversal. Generated code
// calls it for keys with a random suffix. Errors: documents.ErrNotFound; documents.ErrAmbiguous
// if several vertices have the id.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	return documents.FindInBuckets(ctx, d.Collection, id, keys)
}
