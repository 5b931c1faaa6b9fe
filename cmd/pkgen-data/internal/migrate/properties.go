package migrate

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// namesOf returns the names in a container's partition key paths.
func namesOf(c *account.Container) [][]string {
	all := make([][]string, len(c.PartitionKey.Paths))
	for i, path := range c.PartitionKey.Paths {
		for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
			if len(name) > 1 && name[0] == '"' {
				name = strings.Trim(name, `"`)
			}
			all[i] = append(all[i], name)
		}
	}
	return all
}

// arrayAt returns the values at paths as a JSON array, in the service's form of a partition key: a
// missing value is {}.
func arrayAt(properties map[string]json.RawMessage, paths [][]string) string {
	values := make([]any, len(paths))
	for i, names := range paths {
		values[i] = struct{}{}
		object := properties
		for j, name := range names {
			value := object[name]
			if value == nil {
				break
			}
			if j == len(names)-1 {
				_ = json.Unmarshal(value, &values[i]) // part of a document
				break
			}
			object = nil
			if json.Unmarshal(value, &object) != nil {
				break
			}
		}
	}
	return string(encode(values))
}

// set sets a property at a path, and reports whether that is possible.
func set(object map[string]json.RawMessage, names []string, value json.RawMessage) bool {
	if len(names) == 1 {
		object[names[0]] = value
		return true
	}
	inner := map[string]json.RawMessage{}
	if raw := object[names[0]]; raw != nil && json.Unmarshal(raw, &inner) != nil || inner == nil {
		return false
	}
	if !set(inner, names[1:], value) {
		return false
	}
	object[names[0]] = encode(inner)
	return true
}

// encode returns JSON on one line. Its input never fails to marshal.
func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
