package gremlin

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
)

// Limits of requests.
const (
	// maxKeys is the number of partition keys in one request of All: up to 2 MB of them, the
	// service's limit. For a request the service reads up to 32 physical partitions at once;
	// see "Azure Cosmos DB for Gremlin limits".
	maxKeys = 1000

	// defaultPageSize is the number of vertices in one request of All.
	defaultPageSize = 1000

	// maxKeyBytes is the most bytes of partition keys in a request that cannot be divided. The
	// service accepts requests up to 2 MB.
	maxKeyBytes = 1 << 20
)

// origin starts the traversals of a query: at all vertices, or at the neighbours of one.
type origin func(*traversal)

func everyVertex(t *traversal) { t.add("g.V()") }

// selecting starts a traversal with the vertices of a selection.
func (d *driver[T]) selecting(from origin, sel api.Selection, keys []string) (*traversal, error) {
	t := newTraversal()
	from(t)
	t.add(".hasLabel(", quoted(d.label), ")")
	switch {
	case sel.All:
	case len(keys) == 1:
		t.add(".has(", quoted(d.key), ", ", t.bind(keys[0]), ")")
	default:
		t.add(".has(", quoted(d.key), ", within(", t.bind(keys), "))")
	}
	return t, failure.Trusted(conditions{t, d.id, d.key}.where(sel.Where))
}

// chunks divides keys among requests: one chunk without keys for all.
func chunks(sel api.Selection) [][]string {
	if sel.All {
		return [][]string{nil}
	}
	return slices.Collect(slices.Chunk(sel.Keys, maxKeys))
}

// All reads chunks of partition keys in parallel. For each, it requests one unordered page,
// which is cheapest; if there are more vertices, it reads page by page in the order of ids.
func (d *driver[T]) All(ctx context.Context, sel api.Selection) iter.Seq2[api.Stored[T], error] {
	return d.all(ctx, everyVertex, sel)
}

func (d *driver[T]) all(ctx context.Context, from origin, sel api.Selection) iter.Seq2[api.Stored[T], error] {
	size := d.pageSize
	if size == 0 {
		size = defaultPageSize
	}
	if sel.Limit > 0 {
		size = min(size, sel.Limit)
	}
	if len(sel.Orders) > 0 {
		return api.Each(ctx, 1, 1, func(ctx context.Context, _ int, emit func([]api.Stored[T]) bool) error {
			return d.pages(ctx, from, sel, size, emit)
		})
	}
	parts := chunks(sel)
	return api.Each(ctx, len(parts), d.concurrency, func(ctx context.Context, i int, emit func([]api.Stored[T]) bool) error {
		part := sel
		part.Keys = parts[i]
		t, err := d.selecting(from, part, part.Keys)
		if err != nil {
			return err
		}
		t.add(".limit(", t.bind(int64(size+1)), ")")
		found, err := d.fetch(ctx, t)
		if err != nil {
			return err
		}
		if len(found) <= size {
			emit(found)
			return nil
		}
		return d.pages(ctx, from, part, size, emit)
	})
}

// pages emits all of a selection, page by page.
func (d *driver[T]) pages(ctx context.Context, from origin, sel api.Selection, size int, emit func([]api.Stored[T]) bool) error {
	for after := ""; ; {
		found, next, err := d.page(ctx, from, sel, after, size)
		if err != nil {
			return err
		}
		if !emit(found) || next == "" {
			return nil
		}
		after = next
	}
}

// fetch sends a traversal of vertices, and repeats it as api.Attempt does.
func (d *driver[T]) fetch(ctx context.Context, t *traversal) ([]api.Stored[T], error) {
	results, err := api.Attempt(ctx, func(ctx context.Context) ([]json.RawMessage, error) { return d.send(ctx, t) })
	if err != nil {
		return nil, err
	}
	found := make([]api.Stored[T], len(results))
	var memory element
	for i, r := range results {
		if found[i], err = d.decodeIn(&memory, r); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Count lets the service count, with a request for each chunk of partition keys.
func (d *driver[T]) Count(ctx context.Context, sel api.Selection) (int, error) {
	return d.counting(ctx, everyVertex, sel)
}

func (d *driver[T]) counting(ctx context.Context, from origin, sel api.Selection) (int, error) {
	parts := chunks(sel)
	counts := make([]int, len(parts))
	err := parallel.Each(ctx, len(parts), d.concurrency, func(ctx context.Context, i int) error {
		t, err := d.selecting(from, sel, parts[i])
		if err == nil {
			counts[i], err = api.Attempt(ctx, func(ctx context.Context) (int, error) { return d.count(ctx, t) })
		}
		return err
	})
	total := 0
	for _, n := range counts {
		total += n
	}
	return total, err
}

// orderable returns the reason why vertices cannot be ordered by a property, or nil. The
// service omits vertices without the property from an order.
func (d *driver[T]) orderable(o condition.Order) error {
	p := d.shape.Property(o.Property)
	switch {
	case p == nil:
		return failure.Says(fmt.Sprintf("order by %q: the type has no such property", o.Property))
	case p.Optional:
		return failure.Says(fmt.Sprintf("order by %q: the property is absent where a pointer is nil, and the service leaves such vertices out of an order: make the field a value", o.Property))
	}
	return nil
}
