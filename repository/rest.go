package repository

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// rest keeps the properties of documents that their type does not know in a field,
// so that they survive when a document is read, changed and written again.
type rest struct {
	// field returns the field of a document. It is false for what is none, such as a
	// projection, and nil if a nil pointer stands before the field.
	field func(doc any) (field *map[string]json.RawMessage, ok bool)
	known []string // to the type, or to the run time
}

// newRest returns the rest of a model, nil if its type keeps none.
func newRest[T any, K generated.Key](model *generated.Model[T, K], paths []string) *rest {
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
	field := func(v any) (*map[string]json.RawMessage, bool) {
		doc, ok := v.(*T)
		if !ok {
			return nil, false
		}
		return model.Rest(doc), true
	}
	return &rest{field: field, known: known}
}

// knows reports whether a property is not of the rest. Case does not count, as
// it does not when encoding/json looks for the field of a property.
func (r *rest) knows(name string) bool {
	return slices.ContainsFunc(r.known, func(known string) bool { return strings.EqualFold(known, name) })
}

// decoding returns a decoder that does what decode does, and for documents
// also keeps the rest.
func (r *rest) decoding(decode unmarshaller) unmarshaller {
	return func(data []byte, v any) error {
		if err := decode(data, v); err != nil {
			return err
		}
		field, ok := r.field(v)
		if !ok || field == nil {
			return nil // there is nowhere to keep it
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
func (r *rest) write(doc any, body []byte) ([]byte, error) {
	field, _ := r.field(doc)
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
