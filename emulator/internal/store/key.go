package store

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// maxKeyBytes is the maximum length of a partition key value ("Azure Cosmos DB service
// quotas").
const maxKeyBytes = 2048

// Key is the value of a partition key. It has a component for each path of the container, or
// fewer if it is a prefix of a hierarchical key. Keys are equal if their texts are.
type Key struct {
	// Text is the key as canonical JSON; an undefined component is {}.
	Text string
	// EPK is the effective partition key, which depends on the container. It is empty in a key
	// that belongs to no container.
	EPK string
	// Len is the number of components.
	Len int
}

// ParseKey reads a partition key header. It returns nil for an empty header and for an
// empty array. The key belongs to no container yet.
func ParseKey(header string) (*Key, error) {
	values, err := parseComponents(header)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return newKey(values)
}

// parseComponents reads the components of a partition key header. They are string,
// float64, bool, nil for null, or partition.Undefined for a property that the document
// lacks.
func parseComponents(header string) ([]any, error) {
	if header == "" {
		return nil, nil
	}
	var values []any
	if err := json.Unmarshal([]byte(header), &values); err != nil {
		return nil, status.BadRequest("Partition key %s is invalid: it is not a JSON array of values.", header)
	}
	for i, v := range values {
		switch v := v.(type) {
		case map[string]any:
			if len(v) > 0 {
				return nil, status.BadRequest("Partition key %s is invalid: component %d is an object.", header, i+1)
			}
			values[i] = partition.Undefined{}
		case []any:
			return nil, status.BadRequest("Partition key %s is invalid: component %d is an array.", header, i+1)
		}
	}
	return values, nil
}

// ParseKey reads a partition key header as the function [ParseKey] does, for this
// container.
func (c *Container) ParseKey(header string) (*Key, error) {
	values, err := parseComponents(header)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return c.NewKey(values)
}

// NewKey returns the key with these components, which are those of [partition.EPK].
func (c *Container) NewKey(values []any) (*Key, error) {
	k, err := newKey(values)
	if err != nil {
		return nil, err
	}
	if k.EPK, err = c.key.epk(values); err != nil {
		return nil, status.BadRequest("Partition key %s is invalid: %v.", k.Text, err)
	}
	return k, nil
}

// newKey returns the key with these components, which belongs to no container yet.
func newKey(values []any) (*Key, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	size := 0
	text.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			text.WriteByte(',')
		}
		switch v := v.(type) {
		case partition.Undefined:
			text.WriteString("{}")
			continue
		case string:
			size += len(v)
		case float64:
			values[i] = v + 0 // minus zero is zero
		}
		if err := encoder.Encode(values[i]); err != nil {
			return nil, status.BadRequest("Partition key component %d is invalid: %v.", i+1, err)
		}
		text.Truncate(text.Len() - 1) // the line feed that Encode appends
	}
	text.WriteByte(']')
	if size > maxKeyBytes {
		return nil, status.BadRequest("Partition key of %d bytes is too long: at most %d are allowed.", size, maxKeyBytes)
	}
	return &Key{Text: text.String(), Len: len(values)}, nil
}

// HasPrefix reports whether k begins with the components of prefix.
func (k *Key) HasPrefix(prefix *Key) bool {
	head := prefix.Text[:len(prefix.Text)-1] // without the bracket
	return prefix.Len <= k.Len && strings.HasPrefix(k.Text, head) && (k.Text[len(head)] == ',' || k.Text[len(head)] == ']')
}

// ItemKey reads the partition key of a request about one item, which
// must name a whole logical partition.
func (c *Container) ItemKey(header string) (*Key, error) {
	k, err := c.ParseKey(header)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, status.New(status.CodeBadRequest, status.KeyMismatch, "PartitionKey value must be supplied for this operation.")
	}
	return k, c.CheckComponents(k, false)
}

// CheckComponents refuses a key of more components than the container has
// paths, and, unless prefixes are allowed, of fewer.
func (c *Container) CheckComponents(k *Key, prefix bool) error {
	if k.Len == len(c.key.Paths) || prefix && k.Len < len(c.key.Paths) {
		return nil
	}
	return status.New(status.CodeBadRequest, status.KeyMismatch,
		"Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document: %d components for the paths %q.",
		k.Len, c.key.Paths)
}

// keyOf reads the key out of a document.
func (c *Container) keyOf(properties map[string]json.RawMessage) (*Key, error) {
	values, err := c.components(properties)
	if err != nil {
		return nil, err
	}
	return c.NewKey(values)
}

// extractKey reads the key out of a document, to compare its text.
func (c *Container) extractKey(properties map[string]json.RawMessage) (*Key, error) {
	values, err := c.components(properties)
	if err != nil {
		return nil, err
	}
	return newKey(values)
}

// components reads the components of its key out of a document.
func (c *Container) components(properties map[string]json.RawMessage) ([]any, error) {
	values := make([]any, len(c.Paths))
	for i, path := range c.Paths {
		v, err := extract(properties, path)
		if err != nil {
			return nil, status.BadRequest("The partition key property %s of the document must be a string, a number, a boolean or null.", c.key.Paths[i])
		}
		values[i] = v
	}
	return values, nil
}

// extract returns the value at a path of property names, or Undefined. It fails for
// an object and for an array.
func extract(properties map[string]json.RawMessage, path []string) (any, error) {
	raw, ok := properties[path[0]]
	if !ok {
		return partition.Undefined{}, nil
	}
	if len(path) > 1 {
		var inner map[string]json.RawMessage
		_ = json.Unmarshal(raw, &inner) // a value that is not an object has no properties
		return extract(inner, path[1:])
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	switch v.(type) {
	case []any, map[string]any:
		return nil, errNotScalar
	}
	return v, nil
}
