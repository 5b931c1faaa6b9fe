package gremlin

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// element is a vertex or an edge in a response, in GraphSON 1 without types. Its values are
// parts of the response.
type element struct {
	id, label  []byte
	properties []stated
}

// stated is a property of an element. In a vertex it has a list of values.
type stated struct {
	name  []byte
	value []byte
	count int // of values
}

// read reads a vertex or an edge. It returns false if the input is neither.
func (e *element) read(in *jsonscan.Scanner, vertex bool) bool {
	isOne := in.Enter('{')
	for isOne && in.More() {
		switch string(in.Name()) {
		case "id":
			e.id = in.Raw()
		case "label":
			e.label = in.Raw()
		case "properties":
			for ok := in.Enter('{'); ok && in.More(); {
				s := stated{name: in.Name()}
				if vertex {
					s.readValues(in)
				} else {
					s.value, s.count = in.Raw(), 1
				}
				e.properties = append(e.properties, s)
			}
		default:
			in.Skip()
		}
	}
	return isOne && len(e.id) > 0 && e.id[0] == '"'
}

// readValues reads the values of a vertex's property, each an object with its value.
func (s *stated) readValues(in *jsonscan.Scanner) {
	for ok := in.Enter('['); ok && in.More(); s.count++ {
		for ok := in.Enter('{'); ok && in.More(); {
			if string(in.Name()) == "value" {
				s.value = in.Raw()
			} else {
				in.Skip()
			}
		}
	}
}

// isLabel reports whether an element has a label.
func (e *element) isLabel(label string) bool {
	is, ok := jsonscan.Text(e.label)
	return ok && is == label
}

// partition returns the partition key of a vertex, from the property key.
func (e *element) partition(key string) (string, error) {
	for i := range e.properties {
		s := &e.properties[i]
		if string(s.name) != key {
			continue
		}
		if err := s.single(); err != nil {
			return "", err
		}
		text, ok := jsonscan.Text(s.value)
		if !ok {
			return "", errors.New("the stored partition key is not a text")
		}
		return text, nil
	}
	return "", errors.New("an answer has no partition key: the graph has another path, so compare it with pkgen explain -container")
}

// single returns an error unless a property has one value.
func (s *stated) single() error {
	if s.count != 1 || len(s.value) == 0 {
		return fmt.Errorf("the stored property has %d values, and must have one: another program wrote it", s.count)
	}
	return nil
}

// decode reads a vertex.
func (v *vertices[T]) decode(data json.RawMessage) (api.Stored[T], error) {
	return v.decodeIn(&element{properties: make([]stated, 0, len(v.shape.Properties))}, data)
}

// decodeIn is decode that reuses the memory of another element.
func (v *vertices[T]) decodeIn(e *element, data json.RawMessage) (s api.Stored[T], err error) {
	*e = element{properties: e.properties[:0]}
	in := jsonscan.Of(data)
	if !e.read(&in, true) {
		return s, v.fault("", errors.New("an answer is not a vertex"))
	}
	if !e.isLabel(v.label) {
		return s, v.fault("", fmt.Errorf("an answer has another label than %s", v.label))
	}
	if s.Place.Partition, err = e.partition(v.key); err != nil {
		return s, v.fault(v.key, err)
	}
	s.Doc = new(T)
	s.Place.ID, _ = jsonscan.Text(e.id)
	return s, v.fill(s.Doc, s.Place.ID, e.properties)
}

// fill sets the properties of a document, and its id. It ignores properties that the type does
// not have.
func (v *vertices[T]) fill(doc *T, id string, properties []stated) error {
	for i := range properties {
		s := &properties[i]
		p := v.shape.Property(string(s.name))
		if p == nil || p.Name == v.id {
			continue
		}
		err := s.single()
		if err == nil {
			var value flat.Scalar
			if value, err = stored(p.Kind, s.value); err == nil {
				err = v.shape.SetScalar(doc, p, value)
			}
		}
		if err != nil {
			return v.fault(p.Name, err)
		}
	}
	p := v.shape.Property(v.id)
	if p == nil { // the id is in the key alone
		return nil
	}
	return v.shape.SetScalar(doc, p, flat.Scalar{Kind: flat.Text, Text: id})
}
