package gremlin

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// EdgeModel describes to the run time how edges of type E are stored. Generated code has one.
type EdgeModel[E any] struct {
	Type   string          // the name of E, for errors
	ID     func(*E) string // the id of an edge, which is its property "id"
	Prefix string          // the prefix of every id, or empty
}

// check returns an error if an id is illegal for an edge.
func (m *EdgeModel[E]) check(id string) error {
	if m.Prefix == "" {
		return partition.Check(m.Type, partition.ID(id))
	}
	return partition.Check(m.Type, partition.ID(id), partition.IDPrefix(id, m.Prefix))
}

// edges describes how values of type E are stored as edges.
type edges[E any] struct {
	label string
	model *EdgeModel[E]
	inner vertices[E] // for the properties; it has no key
}

func newEdges[E any](label string, model *EdgeModel[E]) (*edges[E], error) {
	e := &edges[E]{label: label, model: model, inner: vertices[E]{label: label, id: "id"}}
	var err error
	if e.inner.shape, err = flat.Of[E](); err != nil {
		return nil, failure.Trusted(err)
	}
	wrong := func(property, reason string) error {
		return failure.Trusted(&documents.FieldError{Type: model.Type, Property: property, Reason: reason})
	}
	if reason := checkName(label); reason != "" {
		return nil, wrong("", "as a label, "+reason)
	}
	if e.inner.shape.Property("id") == nil {
		return nil, wrong("id", "an edge needs an id: a field of type string with the json tag id")
	}
	for _, p := range e.inner.shape.Properties {
		if reason := e.inner.refuses(p); reason != "" {
			return nil, wrong(p.Name, reason)
		}
	}
	return e, nil
}

// found is an edge with the vertex that it leads to.
type found[E any] struct {
	edge *E
	id   string
	to   api.Place // empty if that vertex does not exist
}

// noTarget replaces a missing vertex.
const noTarget = "none"

// withTarget returns edges with their target vertices. The service removes a vertex and the
// edges to it one after the other, so the target of an edge may be missing. Such an edge must
// not drop out here: a page shorter than its limit would count as the last page.
const withTarget = ".as('e').coalesce(__.inV(), __.constant('" + noTarget + "')).as('v').select('e', 'v')"

// decode decodes the result of withTarget. Key is the property with the vertex's partition key.
func (e *edges[E]) decode(data json.RawMessage, key string) (f found[E], err error) {
	var edge, vertex element
	isEdge, isVertex, isGone := false, false, false
	in := jsonscan.Of(data)
	for ok := in.Enter('{'); ok && in.More(); {
		switch string(in.Name()) {
		case "e":
			isEdge = edge.read(&in, false)
		case "v":
			if in.Kind() == '"' {
				text, _ := in.Text()
				isGone = text == noTarget
			} else {
				isVertex = vertex.read(&in, true)
			}
		default:
			in.Skip()
		}
	}
	if !isEdge || !isVertex && !isGone {
		return f, e.inner.fault("", errors.New("an answer is not an edge with a vertex"))
	}
	if !edge.isLabel(e.label) {
		return f, e.inner.fault("", errors.New("an answer has another label"))
	}
	if isVertex {
		if f.to.Partition, err = vertex.partition(key); err != nil {
			return f, e.inner.fault(key, err)
		}
		f.to.ID, _ = jsonscan.Text(vertex.id)
	}
	f.edge = new(E)
	f.id, _ = jsonscan.Text(edge.id)
	return f, e.inner.fill(f.edge, f.id, edge.properties)
}

// same reports whether two edges have the same properties.
func (e *edges[E]) same(a, b *E) (bool, error) {
	x, _, err := e.inner.of(a)
	if err != nil {
		return false, err
	}
	y, _, err := e.inner.of(b)
	return err == nil && reflect.DeepEqual(x, y), err
}
