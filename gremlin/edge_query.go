package gremlin

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// EdgeQuery selects edges of type E that leave one vertex. It is an immutable value: its
// methods return a changed copy. It sends nothing until All, Collect or Count is called.
type EdgeQuery[E any] struct {
	start func() *traversal
	ready func(context.Context) error
	where []condition.Node
	limit int
	err   error

	client *Client
	typ    string
	edges  *edges[E]
	key    string // the property of the partition key of targets
	size   int
}

// From returns the query for the edges that leave a vertex. They lie in its logical partition;
// their target vertices are also read.
func (r *Edges[E, F, K]) From(from F) EdgeQuery[E] {
	size := r.settings.PageSize
	if size == 0 {
		size = defaultPageSize
	}
	return EdgeQuery[E]{
		start:  func() *traversal { return r.source(newTraversal(), from).add(".outE(", quoted(r.edges.label), ")") },
		ready:  func(ctx context.Context) error { return r.ready(ctx, from) },
		client: r.client, typ: r.typ, edges: r.edges, key: r.to.key, size: size,
	}
}

// Where keeps the edges for which all predicates hold.
func (q EdgeQuery[E]) Where(predicates ...documents.Predicate[E]) EdgeQuery[E] {
	q.where = append(q.where[:len(q.where):len(q.where)], documents.Conditions(predicates)...)
	if err := condition.Check(q.where...); err != nil && q.err == nil {
		q.err = fmt.Errorf("query %s: %w", q.typ, err)
	}
	return q
}

// Limit ends the query after n edges. N is at least 1.
func (q EdgeQuery[E]) Limit(n int) EdgeQuery[E] {
	if n < 1 && q.err == nil {
		q.err = fmt.Errorf("query %s: a limit of %d edges: it must be at least 1", q.typ, n)
	}
	q.limit = n
	return q
}

// selecting starts a traversal with the edges of q.
func (q EdgeQuery[E]) selecting(ctx context.Context) (*traversal, error) {
	if q.err != nil {
		return nil, q.err
	}
	if err := q.ready(ctx); err != nil {
		return nil, err
	}
	t := q.start()
	return t, failure.Trusted(conditions{t, "id", "id"}.where(q.where))
}

// All yields each edge once, in the order of ids, and ends at the first error. An edge without
// its target has an empty place; see [Edge]. All sends a request for each 1,000 edges; see
// [documents.WithPageSize].
func (q EdgeQuery[E]) All(ctx context.Context) iter.Seq2[*Edge[E], error] {
	return func(yield func(*Edge[E], error) bool) {
		left, last := q.limit, ""
		for page := 0; ; page++ {
			size := q.size
			if q.limit > 0 {
				size = min(size, left)
			}
			list, err := q.page(ctx, page > 0, last, size)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, f := range list {
				last = f.id
				if !yield(&Edge[E]{f.edge, f.to.Partition, f.to.ID}, nil) {
					return
				}
			}
			if left -= len(list); len(list) < size || q.limit > 0 && left <= 0 {
				return
			}
		}
	}
}

// page reads up to size edges, those after the id last if after is true.
func (q EdgeQuery[E]) page(ctx context.Context, after bool, last string, size int) ([]found[E], error) {
	t, err := q.selecting(ctx)
	if err != nil {
		return nil, err
	}
	if after {
		t.add(".has('id', gt(", t.bind(last), "))")
	}
	t.add(".order().by('id', incr).limit(", t.bind(int64(size)), ")", withTarget)
	results, err := api.Attempt(ctx, func(ctx context.Context) ([]json.RawMessage, error) { return q.client.send(ctx, t) })
	if err != nil {
		return nil, q.fail(err)
	}
	list := make([]found[E], len(results))
	for i, r := range results {
		if list[i], err = q.edges.decode(r, q.key); err != nil {
			return nil, q.fail(err)
		}
	}
	return list, nil
}

func (q EdgeQuery[E]) fail(err error) error {
	return documents.NewError("query", q.typ, api.Place{}, err)
}

// Collect returns all edges of All. If All ends with an error, Collect returns that error and
// no edges.
func (q EdgeQuery[E]) Collect(ctx context.Context) ([]*Edge[E], error) {
	var all []*Edge[E]
	for e, err := range q.All(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// Count returns the number of edges, at most the limit: one request, in which the service
// counts.
func (q EdgeQuery[E]) Count(ctx context.Context) (int, error) {
	t, err := q.selecting(ctx)
	if err != nil {
		return 0, err
	}
	n, err := api.Attempt(ctx, func(ctx context.Context) (int, error) { return q.client.count(ctx, t) })
	if err != nil {
		return 0, q.fail(err)
	}
	if q.limit > 0 {
		n = min(n, q.limit)
	}
	return n, nil
}

// neighbours is the driver of a query of the vertices at the other end of edges.
type neighbours[T any] struct {
	*driver[T]
	from origin
}

// All reads the neighbours of one vertex.
func (n neighbours[T]) All(ctx context.Context, sel api.Selection) iter.Seq2[api.Stored[T], error] {
	return n.all(ctx, n.from, sel)
}

// Page reads a page of the neighbours of one vertex.
func (n neighbours[T]) Page(ctx context.Context, sel api.Selection, after string, size int) ([]api.Stored[T], string, error) {
	return n.page(ctx, n.from, sel, after, size)
}

// Count counts the neighbours of one vertex.
func (n neighbours[T]) Count(ctx context.Context, sel api.Selection) (int, error) {
	return n.counting(ctx, n.from, sel)
}

// Out returns the query for the vertices to which edges lead from one vertex, each once. The
// edges lie in one logical partition, and each request reads the partitions of the targets.
// Generated code calls it.
func Out[E any, F generated.Key, T any, K generated.Key](r *Edges[E, F, K], from F, to *generated.Model[T, K]) Query[T] {
	return near(r, to, r.from, from, "out")
}

// In returns the query for the vertices from which edges lead to one vertex, each once. An edge
// lies with its source: each request reads all physical partitions. Generated code calls it.
func In[E any, F generated.Key, T any, K generated.Key](r *Edges[E, F, K], to K, from *generated.Model[T, F]) Query[T] {
	return near(r, from, r.to, to, "in")
}

// near returns the query for the vertices at the other end of the edges at key.
func near[E any, F, K generated.Key, T any, N, S generated.Key](r *Edges[E, F, K], model *generated.Model[T, N], start end[S], key S, step string) Query[T] {
	label := model.Type
	if model.Properties != nil && model.Properties.Label != "" {
		label = model.Properties.Label
	}
	docs := New(r.client, label, model, r.options...)
	spec := docs.spec
	if err := r.settings.Wrong; err != nil {
		spec.Settings.Refuse(err)
	} else {
		at := start.place(key)
		spec.Driver = neighbours[T]{docs.driver, func(t *traversal) {
			t.add("g.").at(at.Partition, at.ID, start.label).add(".", step, "(", quoted(r.edges.label), ").dedup()")
		}}
		spec.Name += fmt.Sprintf(" %s %q %q %q", step, r.edges.label, at.Partition, at.ID)
	}
	if err := key.Validate(); err != nil {
		spec.Settings.Refuse(err)
	}
	return documents.NewQuery(documents.New(spec), generated.Keys{})
}
