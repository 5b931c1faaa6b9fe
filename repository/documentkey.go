package repository

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// place returns where the document of key is kept.
func place[T any, K generated.Key](d *Documents[T, K], key K) wire.Place {
	p := wire.Place{ID: d.model.ID(key)}
	switch m := d.model; {
	case m.Text != nil:
		p.Text = m.Text(key)
		p.Value = p.Text
	case m.Values != nil:
		p.Value = m.Values(key)
		if len(m.Made) == 1 {
			p.Text = p.Made(m.Made[0])
		}
	default:
		p.Value = m.Value(key)
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p
}

// setKey writes into the document body what its key has that is not a
// property of the document already.
func setKey(s *store, body []byte, p wire.Place) ([]byte, error) {
	if s.synthetic {
		return text.SetText(body, s.Paths[0], p.Text)
	}
	for _, level := range s.made {
		var err error
		if body, err = text.SetText(body, s.Paths[level], p.Made(level)); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// asWritten checks that a document has the id and the properties of its key as
// the texts by which it is looked for, where their types write JSON of their own.
func asWritten(s *store, body []byte, p wire.Place) error {
	for _, path := range s.written {
		value := text.ValueAt(body, text.Names(path))
		if len(value) == 0 || value[0] != '"' || !text.Spells(value, textAt(s, p, path)) {
			return fmt.Errorf("the property %s is not the text of its field: MarshalJSON of the field's type has to write what MarshalText does", path)
		}
	}
	return nil
}

// textAt returns the item id, or the text of the key's level at a path.
func textAt(s *store, p wire.Place, path string) string {
	if path == "/id" {
		return p.ID
	}
	levels, ok := p.Value.([]any)
	if !ok {
		levels = []any{p.Value}
	}
	text, _ := levels[slices.Index(s.Paths, path)].(string)
	return text
}
