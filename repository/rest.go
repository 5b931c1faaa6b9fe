package repository

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// rest keeps the properties of documents that T does not know in a field of T,
// so that they survive when a document is read, changed and written again.
type rest[T any] struct {
	field func(*T) *map[string]json.RawMessage
	known []string // to T, or to the run time
}

// newRest returns the rest of a model, nil if its type keeps none.
func newRest[T any, K generated.Key](model *generated.Model[T, K], paths []string) *rest[T] {
	if model.Rest == nil {
		return nil
	}
	known := slices.Concat(model.Known, systemProperties)
	if d := model.Discriminator; d != nil && d.Value != "" {
		known = append(known, d.Property)
	}
	for i, path := range paths {
		// What stands beside a nested key is as unknown as other properties.
		if path := names(path); len(path) == 1 && (model.Synthetic || slices.Contains(model.Made, i)) {
			known = append(known, path[0])
		}
	}
	return &rest[T]{field: model.Rest, known: known}
}

// knows reports whether a property is not of the rest. Case does not count, as
// it does not when encoding/json looks for the field of a property.
func (r *rest[T]) knows(name string) bool {
	return slices.ContainsFunc(r.known, func(known string) bool { return strings.EqualFold(known, name) })
}

// decoding returns a decoder that does what decode does, and for documents of T
// also keeps the rest.
func (r *rest[T]) decoding(decode unmarshaller) unmarshaller {
	return func(data []byte, v any) error {
		if err := decode(data, v); err != nil {
			return err
		}
		doc, ok := v.(*T)
		if !ok {
			return nil // a projection
		}
		field := r.field(doc)
		if field == nil {
			return nil // there is nowhere to keep it: a nil pointer stands before the field
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return r.knows(name) })
		if *field = nil; len(all) > 0 {
			*field = all
		}
		return nil
	}
}

// write adds the rest of doc to its JSON, in the order of names.
func (r *rest[T]) write(doc *T, body []byte) ([]byte, error) {
	field := r.field(doc)
	if field == nil {
		return body, nil
	}
	for _, name := range slices.Sorted(maps.Keys(*field)) {
		if r.knows(name) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, which the type, the key or the system has: delete it there", name)
		}
		value := (*field)[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, whose value is not JSON", name)
		}
		body = appendProperty(body, []byte(sqlText(name)), value)
	}
	return body, nil
}
