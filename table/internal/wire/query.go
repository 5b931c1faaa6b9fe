package wire

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
)

// maxTop is the maximum number of entities in an answer ("Query timeout and pagination").
const maxTop = 1000

// query is a selection in the form of the service.
type query struct {
	*odata.Filter
	keys []string // nil for the whole table
	only *string  // the names of properties to return, or nil
}

func (t *Table) query(sel api.Selection) (query, error) {
	if len(sel.Orders) > 0 {
		return query{}, failure.Says("the Table API has no orders: sort what Collect returns")
	}
	f, err := odata.New(t.Codec.Column, sel.Where)
	if err != nil {
		return query{}, failure.Trusted(err)
	}
	q := query{Filter: f, keys: sel.Keys}
	return q, t.fits(q, sel.Where)
}

// jobs is the number of logical partitions of a query; the whole table counts as one.
func (q query) jobs() int {
	if q.keys == nil {
		return 1
	}
	return len(q.keys)
}

func (q query) text(i int) string {
	if q.keys == nil {
		return q.Text
	}
	return q.Partition(q.keys[i])
}

// position is where a query continues in a logical partition: the service's continuation.
type position struct {
	Key       int    `json:"k"` // the number of the logical partition
	Partition string `json:"p,omitempty"`
	Row       string `json:"r,omitempty"`
}

func (p position) begins() bool { return p.Partition == "" && p.Row == "" }

// page requests one page of a logical partition, and repeats the request. If it was the last
// page, next is a beginning.
func (t *Table) page(ctx context.Context, q query, at position, top int) (entities [][]byte, next position, err error) {
	options := &aztables.ListEntitiesOptions{Select: q.only}
	if text := q.text(at.Key); text != "" {
		options.Filter = &text
	}
	if top > 0 {
		n := int32(min(top, maxTop))
		options.Top = &n
	}
	if !at.begins() {
		options.NextPartitionKey, options.NextRowKey = &at.Partition, &at.Row
	}
	answer, err := api.Attempt(ctx, func(ctx context.Context) (aztables.ListEntitiesResponse, error) {
		var found aztables.ListEntitiesResponse
		response, err := t.call(ctx, nil, true, func(ctx context.Context) (err error) {
			found, err = t.Client.NewListEntitiesPager(options).NextPage(ctx)
			return err
		})
		if err == nil && !isPage(response) {
			err = cut()
		}
		return found, err
	})
	if err != nil {
		return nil, position{}, err
	}
	next.Key = at.Key
	if answer.NextPartitionKey != nil {
		next.Partition = *answer.NextPartitionKey
	}
	if answer.NextRowKey != nil {
		next.Row = *answer.NextRowKey
	}
	return answer.Entities, next, nil
}

// decideAll decodes the entities of a page for which the whole condition holds.
func decideAll[T any](d Driver[T], q query, entities [][]byte) ([]api.Stored[T], error) {
	docs := make([]api.Stored[T], 0, len(entities))
	values := map[string]any{}
	var note func(string, any)
	if len(q.Names) > 0 {
		note = func(name string, v any) { values[name] = v }
	}
	for _, text := range entities {
		clear(values)
		stored, _, err := decode[T](d.Codec, text, note)
		if err != nil {
			return nil, err
		}
		if note == nil || q.Holds(func(name string) any { return values[name] }) {
			docs = append(docs, stored)
		}
	}
	return docs, nil
}

// All implements api.Driver. It reads up to Concurrency logical partitions at once, and the
// pages of each one after another.
func (d Driver[T]) All(ctx context.Context, sel api.Selection) iter.Seq2[api.Stored[T], error] {
	q, err := d.query(sel)
	if err != nil {
		return func(yield func(api.Stored[T], error) bool) { yield(api.Stored[T]{}, err) }
	}
	top := d.Settings.PageSize
	if sel.Limit > 0 && len(q.Names) == 0 && (top == 0 || sel.Limit < top) {
		top = sel.Limit
	}
	return api.Each(ctx, q.jobs(), d.Settings.Concurrency, func(ctx context.Context, i int, emit func([]api.Stored[T]) bool) error {
		for at := (position{Key: i}); ; {
			entities, next, err := d.page(ctx, q, at, top)
			if err != nil {
				return err
			}
			docs, err := decideAll(d, q, entities)
			if err != nil {
				return err
			}
			if len(docs) > 0 && !emit(docs) || next.begins() {
				return nil
			}
			at = next
		}
	})
}

// Count implements api.Driver. The Table API cannot count, so Count reads the entities with
// only the properties that decide the condition.
func (d Driver[T]) Count(ctx context.Context, sel api.Selection) (int, error) {
	q, err := d.query(sel)
	if err != nil {
		return 0, err
	}
	names := strings.Join(append([]string{entity.PartitionKey, entity.RowKey}, without(q.Names, entity.RowKey)...), ",")
	q.only = &names
	var n atomic.Int64
	err = parallel.Each(ctx, q.jobs(), d.Settings.Concurrency, func(ctx context.Context, i int) error {
		for at := (position{Key: i}); ; {
			entities, next, err := d.page(ctx, q, at, d.Settings.PageSize)
			if err != nil {
				return err
			}
			docs, err := decideAll(d, q, entities)
			if err != nil {
				return err
			}
			n.Add(int64(len(docs)))
			if next.begins() {
				return nil
			}
			at = next
		}
	})
	return int(n.Load()), err
}

func without(names []string, name string) []string {
	var left []string
	for _, n := range names {
		if n != name {
			left = append(left, n)
		}
	}
	return left
}

// Page implements api.Driver. Logical partitions come one after another, each in the service's
// order. While they are empty, Page reads more and more of them at once.
func (d Driver[T]) Page(ctx context.Context, sel api.Selection, after string, size int) ([]api.Stored[T], string, error) {
	q, err := d.query(sel)
	if err != nil {
		return nil, "", err
	}
	var at position
	if after != "" {
		if err := json.Unmarshal([]byte(after), &at); err != nil || at.Key < 0 || at.Key >= q.jobs() {
			return nil, "", &failure.Answer{Kind: failure.ErrCursor, Err: errors.New("it has no position of this query")}
		}
	}
	var docs []api.Stored[T]
	for width := 1; at.Key < q.jobs(); width = min(2*width, max(d.Settings.Concurrency, 1)) {
		if len(docs) == size {
			return docs, at.text(), nil
		}
		if len(docs) > 0 {
			width = 1
		}
		found, err := d.pages(ctx, q, at, min(width, q.jobs()-at.Key), size-len(docs))
		if err != nil {
			return nil, "", err
		}
		for _, f := range found {
			if len(docs)+len(f.docs) > size {
				return docs, at.text(), nil
			}
			docs = append(docs, f.docs...)
			if at = f.next; !f.next.begins() {
				break // later results are not used
			}
			at = position{Key: f.next.Key + 1}
		}
	}
	return docs, "", nil
}

func (p position) text() string {
	text, _ := json.Marshal(p) // the position holds only numbers and texts
	return string(text)
}

// found is a page of one logical partition.
type found[T any] struct {
	docs []api.Stored[T]
	next position
}

// pages requests one page from each of width logical partitions at once: from the position of
// the query in the first one, and from the beginning of the others.
func (d Driver[T]) pages(ctx context.Context, q query, at position, width, top int) ([]found[T], error) {
	if !at.begins() {
		width = 1
	}
	all := make([]found[T], width)
	err := parallel.Each(ctx, width, width, func(ctx context.Context, i int) error {
		from := at
		if i > 0 {
			from = position{Key: at.Key + i}
		}
		entities, next, err := d.page(ctx, q, from, top)
		if err == nil {
			all[i].next = next
			all[i].docs, err = decideAll(d, q, entities)
		}
		return err
	})
	return all, err
}
