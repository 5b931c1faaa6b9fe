package gremlin

import (
	"errors"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// vertices describes how documents of a type are stored as vertices.
type vertices[T any] struct {
	label string
	key   string // the property of the partition key
	id    string // the document's property that is the id, which is not stored twice
	shape *flat.Shape
}

// newVertices returns how documents of a model are stored, or the reason why they cannot be.
func newVertices[T any, K generated.Key](label string, model *generated.Model[T, K]) (*vertices[T], error) {
	v := &vertices[T]{label: label, key: strings.TrimPrefix(model.Path, "/"), id: "id"}
	wrong := func(property, reason string) error {
		return failure.Trusted(&documents.FieldError{Type: model.Type, Property: property, Reason: reason})
	}
	if model.Properties != nil {
		v.id = model.Properties.ID
	}
	switch {
	case model.Text == nil || model.Path == "" || strings.Contains(v.key, "/"):
		return nil, wrong("", "a graph needs one partition key, which is a text and a property at the top: choose a layout without levels")
	case v.key == "id" || v.key == "label":
		return nil, wrong(v.key, "the API for Gremlin does not take /id or /label as the path of the partition key: choose another property")
	case model.ETag != nil:
		return nil, wrong("", "a vertex has no version: remove the field of the ETag")
	}
	var err error
	if v.shape, err = flat.Of[T](); err != nil {
		return nil, failure.Trusted(err)
	}
	if reason := checkName(label); reason != "" {
		return nil, wrong("", "as a label, "+reason)
	}
	for _, p := range v.shape.Properties {
		if reason := v.refuses(p); reason != "" {
			return nil, wrong(p.Name, reason)
		}
	}
	return v, nil
}

// refuses returns the reason why a property cannot be stored, or "".
func (v *vertices[T]) refuses(p flat.Property) string {
	switch {
	case p.Name == v.id && p.Kind != flat.Text && p.Kind != flat.Marshaled:
		return "the id must be a text"
	case p.Name == v.id:
		return ""
	case p.Name == "id" || p.Name == "label" || strings.HasPrefix(p.Name, "_"):
		return "the API for Gremlin uses this name itself: give the property another one by its json tag"
	case p.Kind == flat.Binary:
		return "a vertex cannot hold bytes: give the type a MarshalText, or leave the field out by `json:\"-\"`"
	}
	return checkName(p.Name)
}

// property is one property of a vertex.
type property struct {
	name  string
	value any // from binding
}

// of returns the properties of a document, without its id and its partition key, and the names
// of its absent ones.
func (v *vertices[T]) of(doc *T) (has []property, lacks []string, err error) {
	present := make(map[string]bool, len(v.shape.Properties))
	for p, value := range v.shape.Values(doc) {
		if p.Name == v.id || p.Name == v.key {
			present[p.Name] = true
			continue
		}
		fault, _ := value.(error)
		if fault == nil {
			value, fault = binding(value)
		}
		if fault != nil {
			return nil, nil, v.fault(p.Name, fault)
		}
		present[p.Name] = true
		has = append(has, property{p.Name, value})
	}
	for _, p := range v.shape.Properties {
		if !present[p.Name] && p.Name != v.key && p.Name != v.id {
			lacks = append(lacks, p.Name)
		}
	}
	return has, lacks, nil
}

func (v *vertices[T]) fault(property string, err error) error {
	var field *documents.FieldError
	if errors.As(err, &field) {
		return failure.Trusted(err)
	}
	return failure.Trusted(&documents.FieldError{Type: v.label, Property: property, Reason: err.Error()})
}

// same reports whether a stored document has the properties of doc.
func (v *vertices[T]) same(stored, doc *T) (bool, error) {
	a, _, err := v.of(stored)
	if err != nil {
		return false, err
	}
	b, _, err := v.of(doc)
	return err == nil && reflect.DeepEqual(a, b), err
}
