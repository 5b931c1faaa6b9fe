package server

import (
	"bytes"
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// maxKeyBytes is how long a partition key value may be ("Azure Cosmos DB service
// quotas").
const maxKeyBytes = 2048

// key is the value of a partition key: a component for each path of the container,
// or fewer for a prefix of a hierarchical key. Keys are equal if their texts are.
type key struct {
	// values are string, float64, bool, nil for null, or partition.Undefined
	// for a property that the document lacks.
	values []any
	// text is the key as canonical JSON; an undefined component is {}.
	text string
	// epk is the effective partition key of these components.
	epk string
}

// parseKey reads a partition key header. It returns nil for an empty header and for an
// empty array.
func parseKey(header string) (*key, error) {
	if header == "" {
		return nil, nil
	}
	var values []any
	if err := json.Unmarshal([]byte(header), &values); err != nil {
		return nil, badRequest("Partition key %s is invalid: it is not a JSON array of values.", header)
	}
	if len(values) == 0 {
		return nil, nil
	}
	for i, v := range values {
		switch v := v.(type) {
		case map[string]any:
			if len(v) > 0 {
				return nil, badRequest("Partition key %s is invalid: component %d is an object.", header, i+1)
			}
			values[i] = partition.Undefined{}
		case []any:
			return nil, badRequest("Partition key %s is invalid: component %d is an array.", header, i+1)
		}
	}
	return newKey(values)
}

// newKey returns the key with these components.
func newKey(values []any) (*key, error) {
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
			return nil, badRequest("Partition key component %d is invalid: %v.", i+1, err)
		}
		text.Truncate(text.Len() - 1) // the line feed that Encode appends
	}
	text.WriteByte(']')
	if size > maxKeyBytes {
		return nil, badRequest("Partition key of %d bytes is too long: at most %d are allowed.", size, maxKeyBytes)
	}
	epk, err := partition.EPK(values...)
	if err != nil {
		return nil, badRequest("Partition key %s is invalid: %v.", text.String(), err)
	}
	return &key{values: values, text: text.String(), epk: epk}, nil
}

// hasPrefix reports whether k begins with the components of prefix.
func (k *key) hasPrefix(prefix *key) bool {
	if len(prefix.values) > len(k.values) {
		return false
	}
	for i, v := range prefix.values {
		if k.values[i] != v {
			return false
		}
	}
	return true
}

// itemKey reads the partition key of a request about one item, which
// must name a whole logical partition.
func (c *container) itemKey(header string) (*key, error) {
	k, err := parseKey(header)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, fail(statusBadRequest, substatusKeyMismatch, "PartitionKey value must be supplied for this operation.")
	}
	return k, c.checkComponents(k, false)
}

// checkComponents refuses a key of more components than the container has
// paths, and, unless prefixes are allowed, of fewer.
func (c *container) checkComponents(k *key, prefix bool) error {
	if n := len(k.values); n == len(c.key.Paths) || prefix && n < len(c.key.Paths) {
		return nil
	}
	return fail(statusBadRequest, substatusKeyMismatch,
		"Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document: %d components for the paths %q.",
		len(k.values), c.key.Paths)
}

// extractKey reads the key out of a document.
func (c *container) extractKey(properties map[string]json.RawMessage) (*key, error) {
	values := make([]any, len(c.paths))
	for i, path := range c.paths {
		v, err := extract(properties, path)
		if err != nil {
			return nil, badRequest("The partition key property %s of the document must be a string, a number, a boolean or null.", c.key.Paths[i])
		}
		values[i] = v
	}
	return newKey(values)
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
