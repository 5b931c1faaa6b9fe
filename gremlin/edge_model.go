package gremlin

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// EdgeModel tells the run time how edges of type E are stored. Generated code has one.
type EdgeModel[E any] struct {
	Type string          // the name of E, for errors
	ID   func(*E) string // the id of an edge, which is its property "id"
}

// edges is how values of type E are stored as edges.
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
		return failure.Trusted(&ValueError{Type: model.Type, Property: property, Reason: reason})
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
	to   documents.Place
}

// decode reads the result of select('e', 'v'). The vertex is of the partition key property
// key.
func (e *edges[E]) decode(data json.RawMessage, key string) (f found[E], err error) {
	var both struct {
		Edge struct {
			ID         *string                    `json:"id"`
			Label      string                     `json:"label"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"e"`
		Vertex vertexElement `json:"v"`
	}
	if json.Unmarshal(data, &both) != nil || both.Edge.ID == nil || both.Vertex.ID == nil {
		return f, e.inner.fault("", errors.New("an answer is not an edge with a vertex"))
	}
	if both.Edge.Label != e.label {
		return f, e.inner.fault("", errors.New("an answer has another label"))
	}
	partition, err := single(both.Vertex.Properties[key])
	if err == nil && json.Unmarshal(partition, &f.to.Partition) != nil {
		err = errors.New("the stored partition key is not a text")
	}
	if err != nil {
		return f, e.inner.fault(key, err)
	}
	f.edge, f.id, f.to.ID = new(E), *both.Edge.ID, *both.Vertex.ID
	for name, value := range both.Edge.Properties {
		if err := e.inner.set(f.edge, name, value); err != nil {
			return f, err
		}
	}
	return f, e.inner.setID(f.edge, f.id)
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
