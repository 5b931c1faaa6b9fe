package repository

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// rest keeps the properties of documents that their type does not know in a field,
// so that they survive when a document is read, changed and written again.
type rest struct {
	// field returns the field of a document. It is false for what is none, such as a
	// projection, and nil if a nil pointer stands before the field.
	field  func(doc any) (field *map[string]json.RawMessage, ok bool)
	fields []string // the properties that the type has
	known  []string // these, and those of the run time and of the service
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
		if path := text.Names(path); len(path) == 1 && (model.Synthetic || slices.Contains(model.Made, i)) {
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
	return &rest{field: field, fields: model.Known, known: known}
}

// knows reports whether a property of a document, which has the names of all, is
// not of the rest. A name that differs in case alone from that of a field is the
// field's, as encoding/json has it, where the document has no other one that is.
func (r *rest) knows(name string, all map[string]json.RawMessage) bool {
	if slices.Contains(r.known, name) {
		return true
	}
	for _, field := range r.fields {
		if !strings.EqualFold(field, name) {
			continue
		}
		for other := range all {
			if other != name && strings.EqualFold(other, field) {
				return false
			}
		}
		return true
	}
	return false
}

// decoding returns a decoder that does what decode does, and for documents
// also keeps the rest.
func (r *rest) decoding(decode unmarshaller) unmarshaller {
	return func(data []byte, v any) error {
		if _, ok := r.field(v); !ok {
			return decode(data, v)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		others := make(map[string]json.RawMessage)
		for name, value := range all {
			if !r.knows(name, all) {
				others[name] = value
			}
		}
		own, err := r.without(others, all, data)
		if err != nil {
			return err
		}
		if err := decode(own, v); err != nil {
			return err
		}
		// A nil pointer may have stood before the field.
		field, _ := r.field(v)
		if field == nil {
			return nil // there is nowhere to keep it
		}
		if *field = nil; len(others) > 0 {
			*field = others
		}
		return nil
	}
}

// without returns a document as it is decoded: without what encoding/json would
// take for another property, since it differs in case alone.
func (r *rest) without(others, all map[string]json.RawMessage, data []byte) ([]byte, error) {
	taken := false
	for name := range others {
		if slices.ContainsFunc(r.fields, func(field string) bool { return strings.EqualFold(field, name) }) {
			delete(all, name)
			taken = true
		}
	}
	if !taken {
		return data, nil
	}
	return json.Marshal(all)
}

// write adds the rest of doc to its JSON, in the order of names.
func (r *rest) write(doc any, body []byte) ([]byte, error) {
	field, _ := r.field(doc)
	if field == nil {
		return body, nil
	}
	var own map[string]json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(*field)) {
		if slices.Contains(r.known, name) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, which the type, the key or the system has: delete it there", name)
		}
		if i := slices.IndexFunc(r.fields, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
			if own == nil {
				if err := json.Unmarshal(body, &own); err != nil {
					return nil, err
				}
			}
			if _, written := own[r.fields[i]]; !written {
				return nil, fmt.Errorf("the field for unknown properties holds %q, and the document leaves out %q, for which a read would take it: set that, or delete the other", name, r.fields[i])
			}
		}
		value := (*field)[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, whose value is not JSON", name)
		}
		body = text.AppendProperty(body, []byte(text.Quote(name)), value)
	}
	return body, nil
}
