package write

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Unknown keeps the properties of documents that their type does not know in a field,
// so that they survive when a document is read, changed and written again.
type Unknown struct {
	// Field returns the field of a document. It is false for another type, such as
	// that of a projection, and nil if a nil pointer is on the way to the field.
	Field  func(doc any) (field *map[string]json.RawMessage, ok bool)
	Fields []string // the properties that the type has
	Known  []string // these, and those of the run time and of the service
}

// knows reports whether a property of a document, which has the names of all, is
// not of the rest. A name that differs in case alone from that of a field is the
// field's, as encoding/json has it, where the document has no other one that is.
func (r *Unknown) knows(name string, all map[string]json.RawMessage) bool {
	if slices.Contains(r.Known, name) {
		return true
	}
	for _, field := range r.Fields {
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

// Decoding returns a decoder that does what decode does, and for documents
// also keeps the rest.
func (r *Unknown) Decoding(decode func([]byte, any) error) func([]byte, any) error {
	return func(data []byte, v any) error {
		if _, ok := r.Field(v); !ok {
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
		// A nil pointer may have been on the way to the field.
		field, _ := r.Field(v)
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
func (r *Unknown) without(others, all map[string]json.RawMessage, data []byte) ([]byte, error) {
	taken := false
	for name := range others {
		if slices.ContainsFunc(r.Fields, func(field string) bool { return strings.EqualFold(field, name) }) {
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
func (r *Unknown) write(doc any, body []byte) ([]byte, error) {
	field, _ := r.Field(doc)
	if field == nil {
		return body, nil
	}
	var own map[string]json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(*field)) {
		if slices.Contains(r.Known, name) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, which the type, the key or the system has: delete it there", name)
		}
		if i := slices.IndexFunc(r.Fields, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
			if own == nil {
				if err := json.Unmarshal(body, &own); err != nil {
					return nil, err
				}
			}
			if _, written := own[r.Fields[i]]; !written {
				return nil, fmt.Errorf("the field for unknown properties holds %q, and the document leaves out %q, for which a read would take it: set that, or delete the other", name, r.Fields[i])
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
