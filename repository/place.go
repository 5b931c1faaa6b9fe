package repository

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// place is where a document is kept.
type place struct {
	id    string
	key   azcosmos.PartitionKey
	name  string // the key, as errors name it
	value any    // the key: a string, a float64, a bool, or a []any of levels
	text  string // what a synthetic field remembers: the key, or its made level
}

// place returns where the document of key is kept.
func (d *Documents[T, K]) place(key K) place {
	p := place{id: d.model.ID(key)}
	switch m := d.model; {
	case m.Text != nil:
		p.text = m.Text(key)
		p.value = p.text
	case m.Values != nil:
		p.value = m.Values(key)
		if len(m.Made) == 1 {
			p.text = p.made(m.Made[0])
		}
	default:
		p.value = m.Value(key)
	}
	p.key, p.name = partitionKeyOf(p.value)
	return p
}

// event is that of a request for the document at p.
func (p place) event(op string) Event {
	return Event{Op: op, ID: p.id, PartitionKey: p.name}
}

// made returns the text of a level that is made.
func (p place) made(level int) string {
	levels, _ := p.value.([]any)
	text, ok := levels[level].(string)
	if !ok {
		panic(fmt.Sprintf("repository: level %d of a key is made and of type %T; generated code passes a string", level+1, levels[level]))
	}
	return text
}

// setKey writes into the document body what its key has that is not a
// property of the document already.
func (s *store) setKey(body []byte, p place) ([]byte, error) {
	if s.synthetic {
		return text.SetText(body, s.paths[0], p.text)
	}
	for _, level := range s.made {
		var err error
		if body, err = text.SetText(body, s.paths[level], p.made(level)); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// asWritten checks that a document has the id and the properties of its key as
// the texts by which it is looked for, where their types write JSON of their own.
func (s *store) asWritten(body []byte, p place) error {
	for _, path := range s.written {
		value := text.ValueAt(body, text.Names(path))
		if len(value) == 0 || value[0] != '"' || !text.Spells(value, s.textAt(p, path)) {
			return fmt.Errorf("the property %s is not the text of its field: MarshalJSON of the field's type has to write what MarshalText does", path)
		}
	}
	return nil
}

// textAt returns the item id, or the text of the key's level at a path.
func (s *store) textAt(p place, path string) string {
	if path == "/id" {
		return p.id
	}
	levels, ok := p.value.([]any)
	if !ok {
		levels = []any{p.value}
	}
	text, _ := levels[slices.Index(s.paths, path)].(string)
	return text
}

// partitionKeyOf returns the partition key of a string, number or boolean, or
// of the levels of a hierarchical key, and how errors name it.
//
// Every key is built from nothing: AppendString on a key that was appended to
// before may write into memory that both share.
func partitionKeyOf(v any) (azcosmos.PartitionKey, string) {
	key := azcosmos.NewPartitionKey()
	levels, ok := v.([]any)
	if !ok {
		return appendLevel(key, v), nameOf(v)
	}
	for _, level := range levels {
		key = appendLevel(key, level)
	}
	return key, nameOf(levels)
}

func appendLevel(key azcosmos.PartitionKey, v any) azcosmos.PartitionKey {
	switch v := v.(type) {
	case string:
		return key.AppendString(v)
	case float64:
		return key.AppendNumber(v)
	case bool:
		return key.AppendBool(v)
	}
	panic(fmt.Sprintf("repository: partition key of type %T; generated code passes string, float64 or bool", v))
}

// nameOf returns a partition key as JSON would show it.
func nameOf(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		names := make([]string, len(v))
		for i, level := range v {
			names[i] = nameOf(level)
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	return fmt.Sprint(v)
}
