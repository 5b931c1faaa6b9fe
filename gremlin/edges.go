package gremlin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Edges are the edges of type E in one graph: those of one label, from vertices with keys F to
// vertices with keys K. Generated repositories embed it. It is safe for concurrent use.
//
// An edge lies in the logical partition of its source. Its id must be unique there among edges
// and vertices. Requests are repeated like those of [Documents].
type Edges[E any, F, K generated.Key] struct {
	client   *Client
	typ      string
	edges    *edges[E]
	from     end[F]
	to       end[K]
	settings api.Settings
	options  []Option
	draft    bool
}

// end describes the vertices at one end of edges.
type end[K generated.Key] struct {
	label string
	key   string // the property of the partition key
	place func(K) api.Place
}

// endOf returns the end of a model, or the reason why it is not possible.
func endOf[T any, K generated.Key](model *generated.Model[T, K]) (end[K], error) {
	label := model.Type
	if model.Properties != nil && model.Properties.Label != "" {
		label = model.Properties.Label
	}
	_, err := newVertices(label, model)
	return end[K]{label, strings.TrimPrefix(model.Path, "/"), func(k K) api.Place {
		return api.Place{Partition: model.Text(k), ID: model.ID(k)}
	}}, err
}

// NewEdges returns the edges of a model in a graph, with a label. From and to are the models of
// their ends. It sends nothing. If the options or the types are invalid, every operation
// returns the error.
func NewEdges[E, A any, F generated.Key, B any, K generated.Key](client *Client, label string, model *EdgeModel[E], from *generated.Model[A, F], to *generated.Model[B, K], opts ...Option) *Edges[E, F, K] {
	s := api.SettingsOf(opts)
	r := &Edges[E, F, K]{client: client, typ: model.Type, options: opts, draft: from.Draft || to.Draft}
	var err error
	if r.edges, err = newEdges(label, model); err != nil {
		s.Refuse(err)
	}
	if r.from, err = endOf(from); err != nil {
		s.Refuse(err)
	}
	if r.to, err = endOf(to); err != nil {
		s.Refuse(err)
	}
	r.settings = s
	return r
}

// Edge is an edge that was read, with the place of its target vertex.
type Edge[E any] struct {
	Edge *E

	// ToPartitionKey and ToID are the partition key and the id of the target vertex. Both are
	// empty if the vertex is missing: the service removes a vertex and the edges to it one
	// after the other, and may be interrupted in between. Delete removes such an edge.
	ToPartitionKey, ToID string
}

// ready makes the checks that need no request.
func (r *Edges[E, F, K]) ready(ctx context.Context, key interface{ Validate() error }) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if r.settings.Wrong != nil {
		return r.settings.Wrong
	}
	if r.draft {
		return r.client.stays(r.typ)(ctx)
	}
	return nil
}

// source starts a traversal at a vertex that edges leave.
func (r *Edges[E, F, K]) source(t *traversal, from F) *traversal {
	at := r.from.place(from)
	return t.add("g.").at(at.Partition, at.ID, r.from.label)
}

// edge starts a traversal at one edge of a vertex.
func (r *Edges[E, F, K]) edge(from F, id string) *traversal {
	t := r.source(newTraversal(), from)
	return t.add(".outE(", quoted(r.edges.label), ").has('id', ", t.bind(id), ")")
}

// opGet is the name of the reading operation, whose outcome is never unclear.
const opGet = "get"

// fail returns the error of an operation on one edge.
func (r *Edges[E, F, K]) fail(op string, from F, id string, unclear bool, err error) error {
	if err == nil {
		return nil
	}
	failed := documents.NewWriteError(op, r.typ, api.Place{Partition: r.from.place(from).Partition, ID: id}, err)
	failed.Unclear = op != opGet && (unclear || failed.Unclear)
	return failed
}

// Create stores an edge from one vertex to another: one request, in which the service reads
// both ends. Errors: documents.ErrAlreadyExists; documents.ErrNotFound if an end does not
// exist.
//
// If the connection breaks, Create sends the edge again. If its id is then taken, Create reads
// that edge, and succeeds if it equals e and leads to the same vertex.
func (r *Edges[E, F, K]) Create(ctx context.Context, from F, to K, e *E) error {
	if err := errors.Join(r.ready(ctx, from), to.Validate()); err != nil {
		return err
	}
	id := r.edges.model.ID(e)
	if err := r.edges.model.check(id); err != nil {
		return err
	}
	has, _, err := r.edges.inner.of(e)
	if err != nil {
		return err
	}
	target := r.to.place(to)
	t := r.source(newTraversal(), from)
	t.add(".where(__.").at(target.Partition, target.ID, r.to.label).add(").addE(", quoted(r.edges.label), ").property('id', ", t.bind(id), ")")
	for _, p := range has {
		t.add(".property(", quoted(p.name), ", ", t.bind(p.value), ")")
	}
	t.add(".to(__.").at(target.Partition, target.ID, r.to.label).add(")")
	before, err := r.attempt(ctx, t)
	if before && errors.Is(err, documents.ErrAlreadyExists) {
		there, readErr := r.read(ctx, from, id)
		if readErr != nil || there.to == (api.Place{}) {
			return r.fail("create", from, id, true, err)
		}
		same, sameErr := r.edges.same(there.edge, e)
		if sameErr == nil && same && there.to == target {
			return nil
		}
		before = false
	}
	return r.fail("create", from, id, before, err)
}

// attempt sends a traversal that writes one edge, and repeats it if that is safe. Before
// reports whether an earlier attempt may have taken effect.
func (r *Edges[E, F, K]) attempt(ctx context.Context, t *traversal) (before bool, err error) {
	unclear := false
	_, err = api.Attempt(ctx, func(ctx context.Context) (struct{}, error) {
		before = unclear
		err := r.client.one(ctx, t)
		unclear = unclear || failure.AnswerOf(err).Unanswered
		return struct{}{}, err
	})
	return before, err
}

// Get returns the edge with an id that leaves a vertex: one request, which also reads the
// target vertex. If only the target is missing, the edge has an empty place. Error:
// documents.ErrNotFound.
func (r *Edges[E, F, K]) Get(ctx context.Context, from F, id string) (*Edge[E], error) {
	if err := r.ready(ctx, from); err != nil {
		return nil, err
	}
	if err := r.edges.model.check(id); err != nil {
		return nil, err
	}
	f, err := r.read(ctx, from, id)
	if err != nil {
		return nil, r.fail(opGet, from, id, false, err)
	}
	return &Edge[E]{f.edge, f.to.Partition, f.to.ID}, nil
}

func (r *Edges[E, F, K]) read(ctx context.Context, from F, id string) (f found[E], err error) {
	t := r.edge(from, id).add(withTarget)
	results, err := api.Attempt(ctx, func(ctx context.Context) ([]json.RawMessage, error) { return r.client.send(ctx, t) })
	switch {
	case err != nil:
		return f, err
	case len(results) == 0:
		return f, &failure.Answer{Kind: failure.ErrNotFound}
	}
	return r.edges.decode(results[0], r.to.key)
}

// Delete removes the edge with an id that leaves a vertex: one request. Error:
// documents.ErrNotFound.
func (r *Edges[E, F, K]) Delete(ctx context.Context, from F, id string) error {
	if err := r.ready(ctx, from); err != nil {
		return err
	}
	if err := r.edges.model.check(id); err != nil {
		return err
	}
	before, err := r.attempt(ctx, r.edge(from, id).add(".sideEffect(__.drop())"))
	if before && errors.Is(err, documents.ErrNotFound) {
		return nil
	}
	return r.fail("delete", from, id, before, err)
}
