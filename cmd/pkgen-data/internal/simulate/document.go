package simulate

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// idProperty is the id of documents.
const idProperty = "id"

// maker makes documents: the JSON of their properties.
type maker struct {
	parts []part
	rows  []int // the number of documents in each sample
	text  []byte
}

// part is text of a document, followed by a value if it is not nil.
type part struct {
	text  string
	value value
}

// makers returns the maker of each operation's documents. A maker can be copied before it has made
// a document.
func (s *Scenario) makers() ([]maker, error) {
	samples, err := s.samples()
	if err != nil {
		return nil, err
	}
	common := make(map[string]value)
	for name, p := range s.Properties {
		common[name] = samples.value(p, name)
	}
	all := make([]maker, len(s.Operations))
	for i, o := range s.Operations {
		values := maps.Clone(common)
		for name, p := range o.Properties {
			values[name] = samples.value(p, name)
		}
		if _, given := values[idProperty]; !given {
			values[idProperty] = numbered{}
		}
		m := &maker{rows: samples.sizes()}
		if err := m.object(values); err != nil {
			return nil, err
		}
		all[i] = *m
	}
	return all, nil
}

// object appends an object with properties, whose names are nested by dots, in the order of their
// names.
func (m *maker) object(values map[string]value) error {
	nested := make(map[string]map[string]value)
	for name, v := range values {
		first, rest, within := strings.Cut(name, ".")
		if _, both := values[first]; within && both {
			return fmt.Errorf("properties: %s is within %s, which has its own value: remove one of them", name, first)
		}
		if nested[first] == nil {
			nested[first] = make(map[string]value)
		}
		nested[first][rest] = v
	}
	separator := "{"
	for _, first := range sortedNames(nested) {
		quoted, _ := json.Marshal(first) // a string always marshals
		m.literal(separator + string(quoted) + ":")
		separator = ","
		if v, plain := nested[first][""]; plain {
			m.parts[len(m.parts)-1].value = v
			continue
		}
		if err := m.object(nested[first]); err != nil {
			return err
		}
	}
	m.literal("}")
	return nil
}

// literal appends text.
func (m *maker) literal(text string) {
	if n := len(m.parts); n > 0 && m.parts[n-1].value == nil {
		m.parts[n-1].text += text
		return
	}
	m.parts = append(m.parts, part{text: text})
}

// document draws a document. Its bytes are valid until the next call.
func (m *maker) document(d *drawing) []byte {
	d.rows = d.rows[:0]
	for _, n := range m.rows {
		d.rows = append(d.rows, d.rand.IntN(n))
	}
	b := m.text[:0]
	for _, p := range m.parts {
		b = append(b, p.text...)
		if p.value != nil {
			b = p.value.appendTo(b, d)
		}
	}
	m.text = b
	return b
}
