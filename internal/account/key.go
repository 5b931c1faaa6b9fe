package account

import (
	"bytes"
	"encoding/json"
	"strings"
)

// KeyOf returns the partition key of a document as the JSON array that requests carry. Values are
// copied byte for byte from the document; a missing property is {}.
func (c *Container) KeyOf(document json.RawMessage) string {
	var b bytes.Buffer
	for i, path := range c.PartitionKey.Paths {
		b.WriteByte("[,"[min(i, 1)])
		if value := rawAt(document, NamesOf(path)); value == nil || json.Compact(&b, value) != nil {
			b.WriteString("{}")
		}
	}
	b.WriteByte(']')
	return b.String()
}

// rawAt returns the value at a path, or nil.
func rawAt(document json.RawMessage, names []string) json.RawMessage {
	for _, name := range names {
		var object map[string]json.RawMessage
		if json.Unmarshal(document, &object) != nil || object[name] == nil {
			return nil
		}
		document = object[name]
	}
	return document
}

// NamesOf splits a partition key path, such as /a/b or /"a/b"/c, into names.
func NamesOf(path string) []string {
	var names []string
	for path != "" {
		path = strings.TrimPrefix(path, "/")
		if quoted, ok := strings.CutPrefix(path, `"`); ok {
			name, rest, _ := strings.Cut(quoted, `"`)
			names, path = append(names, name), rest
			continue
		}
		name, rest, _ := strings.Cut(path, "/")
		names, path = append(names, name), rest
	}
	return names
}
