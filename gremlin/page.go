package gremlin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// position is the end of a page: after a vertex, by the orders of the query and then by id.
// Seen are the logical partitions in which this id was on earlier pages.
type position struct {
	Values []json.RawMessage `json:"v,omitempty"` // of the orders
	ID     string            `json:"i"`
	Seen   []string          `json:"s"` // the partition keys
}

func (p *position) text() (string, error) {
	raw, err := json.Marshal(p)
	return base64.RawURLEncoding.EncodeToString(raw), err
}

// open parses a position. Its holder can forge a cursor, so values of other types than the
// properties' are refused. So are numbers that the service considers equal and Go does not:
// Seen would lack vertices of earlier pages, which would come again without end. A position
// that is never opened may have them: the first page is right.
func (d *driver[T]) open(text string, orders []condition.Order) (p *position, values []any, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	p = new(position)
	if err == nil {
		err = json.Unmarshal(raw, p)
	}
	if err == nil && (len(p.Values) != len(orders) || len(p.Seen) == 0) {
		err = errors.New("it does not have the values of this query")
	}
	for i := 0; err == nil && i < len(orders); i++ {
		var at flat.Scalar
		if at, err = stored(d.shape.Property(orders[i].Property).Kind, p.Values[i]); err == nil {
			var v any
			v, err = operand(at.Any())
			values = append(values, v)
		}
		if errors.Is(err, errExact) {
			return nil, nil, failure.Trusted(fmt.Errorf("order by %q: %w", orders[i].Property, err))
		}
	}
	if err != nil {
		return nil, nil, &failure.Answer{Kind: failure.ErrCursor, Err: failure.Trusted(fmt.Errorf("the position of a cursor: %w", err))}
	}
	return p, values, nil
}

// Page sends one request, for one vertex more than size, which shows whether there is another
// page.
func (d *driver[T]) Page(ctx context.Context, sel api.Selection, after string, size int) ([]api.Stored[T], string, error) {
	return d.page(ctx, everyVertex, sel, after, size)
}

func (d *driver[T]) page(ctx context.Context, from origin, sel api.Selection, after string, size int) ([]api.Stored[T], string, error) {
	if !sel.All && len(sel.Keys) == 0 {
		return nil, "", nil
	}
	bytes := 0
	for _, k := range sel.Keys {
		bytes += len(k) + len(`"",`)
	}
	if bytes > maxKeyBytes {
		return nil, "", failure.Says(fmt.Sprintf("the query reads logical partitions whose keys take more than %d bytes, and a page or an order needs one request: use fewer keys", maxKeyBytes))
	}
	for _, o := range sel.Orders {
		if err := d.orderable(o); err != nil {
			return nil, "", err
		}
	}
	t, err := d.selecting(from, sel, sel.Keys)
	if err != nil {
		return nil, "", err
	}
	orders := slices.Clone(sel.Orders)
	if i := slices.IndexFunc(orders, func(o condition.Order) bool { return o.Property == d.id }); i >= 0 {
		orders = orders[:i+1] // orders after the id only order partitions
	}
	var start *position
	if after != "" {
		var values []any
		if start, values, err = d.open(after, orders); err != nil {
			return nil, "", err
		}
		d.beyond(t, start, orders, values)
	}
	t.add(".order()")
	last := false
	for _, o := range orders {
		if last = o.Descending; o.Property != d.id {
			t.add(".by(", quoted(o.Property), direction(o.Descending), ")")
		}
	}
	size = min(size, 1<<20)
	t.add(".by('id'", direction(last), ").limit(", t.bind(int64(size+1)), ")")
	found, err := d.fetch(ctx, t)
	if err != nil {
		return nil, "", err
	}
	if len(found) <= size {
		return found, "", nil
	}
	found = found[:size]
	end, err := d.following(start, found, orders)
	if err != nil {
		return nil, "", err
	}
	next, err := end.text()
	return found, next, err
}

// direction is the rest of a by() of an order. The service supports incr and decr, but not asc
// and desc, which replaced them in TinkerPop 3.3.4 (github.com/ExRam.Gremlinq, pull request
// 395).
func direction(descending bool) string {
	if descending {
		return ", decr"
	}
	return ", incr"
}

// following returns the position after found, which comes after start.
func (d *driver[T]) following(start *position, found []api.Stored[T], orders []condition.Order) (*position, error) {
	p := start
	for i := range found {
		next := &position{ID: found[i].Place.ID, Seen: []string{found[i].Place.Partition}}
		for _, o := range orders {
			v, err := d.value(&found[i], o.Property)
			if err != nil {
				return nil, err
			}
			next.Values = append(next.Values, v)
		}
		if p != nil && p.ID == next.ID && slices.EqualFunc(p.Values, next.Values, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			next.Seen = append(slices.Clone(p.Seen), next.Seen...)
		}
		p = next
	}
	return p, nil
}

// value returns the JSON of the value that orders a document.
func (d *driver[T]) value(s *api.Stored[T], name string) (json.RawMessage, error) {
	if name == d.id {
		return json.Marshal(s.Place.ID)
	}
	if name == d.key {
		return json.Marshal(s.Place.Partition)
	}
	has, _, err := d.of(s.Doc)
	if err != nil {
		return nil, err
	}
	for _, p := range has {
		if p.name == name {
			return json.Marshal(p.value)
		}
	}
	return nil, failure.Says(fmt.Sprintf("order by %q: a vertex does not have the property", name))
}

// beyond appends the condition that a vertex comes after a position. For orders a and b: a is
// after the position's; or a is equal, and b after it; or both are equal, and the id is after
// it; or all are equal, and the partition key was not seen.
func (d *driver[T]) beyond(t *traversal, p *position, orders []condition.Order, values []any) {
	var alternatives, equal []string
	descending := false
	for i, o := range orders {
		descending = o.Descending
		if o.Property == d.id {
			continue
		}
		name, v := quoted(o.Property), t.bind(values[i])
		alternatives = append(alternatives, and(equal, "has("+name+", "+beyond(o.Descending)+"("+v+"))"))
		equal = append(equal, "has("+name+", eq("+v+"))")
	}
	id := t.bind(p.ID)
	alternatives = append(alternatives,
		and(equal, "has('id', "+beyond(descending)+"("+id+"))"),
		and(append(slices.Clone(equal), "has('id', eq("+id+"))"), "has("+quoted(d.key)+", without("+t.bind(p.Seen)+"))"))
	t.add(".or(__.", strings.Join(alternatives, ", __."), ")")
}

func beyond(descending bool) string {
	if descending {
		return "lt"
	}
	return "gt"
}

// and returns the step for the conjunction of terms and last.
func and(terms []string, last string) string {
	if len(terms) == 0 {
		return last
	}
	return "and(__." + strings.Join(terms, ", __.") + ", __." + last + ")"
}
