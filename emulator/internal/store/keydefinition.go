package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Kinds of partition keys.
const (
	kindHash      = "Hash"
	kindMultiHash = "MultiHash"
)

// maxLevels is the maximum number of levels of a hierarchical key ("Hierarchical partition
// keys in Azure Cosmos DB"). A key that ends in the id may have one more.
const maxLevels = 3

// KeyDefinition is the partition key definition of a container.
type KeyDefinition struct {
	Paths   []string `json:"paths"`
	Kind    string   `json:"kind"`
	Version int      `json:"version"`
}

// ParseKeyDefinition reads and checks a definition. Unless lenient, it refuses key version 1,
// which is also the version of a definition that names none. Version 1 hashes only the first
// 100 characters of a string, and some clients compute it incorrectly, so a new container has
// it only by mistake.
func ParseKeyDefinition(raw json.RawMessage, lenient bool) (KeyDefinition, error) {
	d := KeyDefinition{Kind: kindHash}
	if raw == nil {
		return d, status.BadRequest(`The collection has no partition key: send "partitionKey":{"paths":["/…"],"kind":"Hash","version":2}.`)
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, status.BadRequest("The partition key definition is invalid: %v.", err)
	}
	most := 1
	switch d.Kind {
	case kindHash:
	case kindMultiHash:
		most = maxLevels
		if n := len(d.Paths); n > 0 && slices.Equal(splitPath(d.Paths[n-1]), []string{"id"}) {
			most++
		} else if n == maxLevels+1 {
			return d, status.BadRequest("The partition key definition of kind MultiHash has 4 paths, and the last is %s: it needs 1 to 3, or a fourth that is /id.", d.Paths[n-1])
		}
	default:
		return d, status.BadRequest("The partition key kind %q is invalid: use Hash, or MultiHash for a hierarchical key.", d.Kind)
	}
	if len(d.Paths) < 1 || len(d.Paths) > most {
		return d, status.BadRequest("The partition key definition of kind %s has %d paths: it needs 1 to %d.", d.Kind, len(d.Paths), most)
	}
	for _, path := range d.Paths {
		if len(splitPath(path)) == 0 {
			return d, status.BadRequest("The partition key path %q is invalid: it is a slash and a property name, for each level.", path)
		}
	}
	if d.Version < 0 || d.Version > 2 {
		return d, status.BadRequest("The partition key definition has version %d: use 2, or 1 for the older hash.", d.Version)
	}
	if d.Version != 2 && !lenient {
		return d, status.BadRequest("The partition key definition has version %d: set \"version\":2 (in azcosmos, PartitionKeyDefinition.Version). Without it the service makes a container of version 1, whose hash looks at the first 101 bytes of a key only, and which clients route wrongly.", d.Version)
	}
	return d, nil
}

// equal reports whether two definitions have the same effect.
func (d KeyDefinition) equal(other KeyDefinition) bool {
	return d.Kind == other.Kind && max(d.Version, 1) == max(other.Version, 1) && slices.Equal(d.Paths, other.Paths)
}

// names returns the paths as lists of property names.
func (d KeyDefinition) names() [][]string {
	names := make([][]string, len(d.Paths))
	for i, path := range d.Paths {
		names[i] = splitPath(path)
	}
	return names
}

// splitPath returns the property names in a path such as /a/b or /"a-b"/c. It returns
// nil if the path is invalid.
func splitPath(path string) []string {
	var names []string
	for path != "" {
		rest, ok := strings.CutPrefix(path, "/")
		if !ok {
			return nil
		}
		var name string
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			if name, path, ok = strings.Cut(quoted, `"`); !ok {
				return nil
			}
		} else {
			end := strings.IndexByte(rest, '/')
			if end < 0 {
				end = len(rest)
			}
			name, path = rest[:end], rest[end:]
		}
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// uniqueKeys reads a unique key policy as paths of property names.
func uniqueKeys(raw json.RawMessage) ([][][]string, error) {
	if raw == nil {
		return nil, nil
	}
	var policy struct {
		UniqueKeys []struct {
			Paths []string `json:"paths"`
		} `json:"uniqueKeys"`
	}
	if err := json.Unmarshal(raw, &policy); err != nil {
		return nil, status.BadRequest("The unique key policy is invalid: %v.", err)
	}
	var keys [][][]string
	for _, k := range policy.UniqueKeys {
		var paths [][]string
		for _, path := range k.Paths {
			names := splitPath(path)
			if names == nil {
				return nil, status.BadRequest("The unique key path %q is invalid.", path)
			}
			paths = append(paths, names)
		}
		if len(paths) == 0 {
			return nil, status.BadRequest("The unique key policy has a key without paths.")
		}
		keys = append(keys, paths)
	}
	return keys, nil
}
