package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// defaultIndexing is the indexing policy of a container that is created without one.
const defaultIndexing = `{"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\"_etag\"/?"}]}`

// indexingPath is one of the included or excluded paths of an indexing policy.
type indexingPath struct {
	Path string `json:"path"`
}

// IndexPath is one path of a composite index.
type IndexPath struct {
	Path       []string
	Descending bool
}

// indexingPolicy reads an indexing policy. It makes the checks that the service
// makes, and fills in the same defaults ("Indexing policies in Azure Cosmos DB"). It
// returns the policy, other properties unchanged, and its composite indexes. Whatever a
// client sends for automatic, the service returns true with an index and false without
// (container_crud_simple in azure-sdk-for-rust).
func indexingPolicy(raw json.RawMessage) (json.RawMessage, [][]IndexPath, error) {
	if raw == nil || string(raw) == "null" {
		return json.RawMessage(defaultIndexing), nil, nil
	}
	var sent struct {
		Mode             string          `json:"indexingMode"`
		Automatic        bool            `json:"automatic"` // checked, and not stored as it is sent
		Included         json.RawMessage `json:"includedPaths"`
		Excluded         json.RawMessage `json:"excludedPaths"`
		CompositeIndexes json.RawMessage `json:"compositeIndexes"`
	}
	stored := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, nil, status.BadRequest("The indexing policy is invalid: %v.", err)
	}
	if err := json.Unmarshal(raw, &stored); err != nil {
		return nil, nil, status.BadRequest("The indexing policy is invalid: %v.", err)
	}
	composite, err := compositeIndexes(sent.CompositeIndexes)
	if err != nil {
		return nil, nil, err
	}
	switch mode := strings.ToLower(sent.Mode); mode {
	case "", "consistent":
		stored["indexingMode"], stored["automatic"] = json.RawMessage(`"consistent"`), json.RawMessage("true")
		none, err := checkIndexingPaths(sent.Included, sent.Excluded)
		if err != nil {
			return nil, nil, err
		}
		if none {
			stored["includedPaths"] = json.RawMessage(`[{"path":"/*"}]`)
			stored["excludedPaths"] = json.RawMessage(`[{"path":"/\"_etag\"/?"}]`)
		}
	case "none":
		stored["indexingMode"], stored["automatic"] = json.RawMessage(`"none"`), json.RawMessage("false")
		if composite != nil {
			return nil, nil, status.BadRequest("The indexing mode none allows no composite indexes.")
		}
	default:
		return nil, nil, status.BadRequest("The indexing mode %q is invalid: use consistent or none.", sent.Mode)
	}
	return MustJSON(stored), composite, nil
}

// checkIndexingPaths checks the included and excluded paths of a policy, and
// reports whether there are none.
func checkIndexingPaths(lists ...json.RawMessage) (none bool, err error) {
	var seen [][]string
	root := false
	for _, list := range lists {
		var paths []indexingPath
		if list != nil {
			if err := json.Unmarshal(list, &paths); err != nil {
				return false, status.BadRequest("The indexing policy is invalid: %v.", err)
			}
		}
		for _, p := range paths {
			names := splitPath(p.Path)
			if p.Path == "/" {
				names = []string{"*"}
			}
			if n := len(names); n == 0 || names[n-1] != "*" && names[n-1] != "?" {
				return false, status.BadRequest("The indexing path %q could not be accepted: it ends in /? or /*.", p.Path)
			}
			if slices.ContainsFunc(seen, func(other []string) bool { return slices.Equal(names, other) }) {
				return false, status.BadRequest("The indexing path %q is listed twice.", p.Path)
			}
			seen = append(seen, names)
			root = root || names[0] == "*"
		}
	}
	if len(seen) > 0 && !root {
		return false, status.BadRequest(`The special mandatory indexing path "/" is not provided in any of the path type sets. Please provide this path in one of the sets.`)
	}
	return len(seen) == 0, nil
}

// compositeIndexes reads the composite indexes of an indexing policy.
func compositeIndexes(raw json.RawMessage) ([][]IndexPath, error) {
	if raw == nil {
		return nil, nil
	}
	var sent [][]struct {
		Path  string `json:"path"`
		Order string `json:"order"`
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, status.BadRequest("The composite indexes are invalid: %v.", err)
	}
	var indexes [][]IndexPath
	for _, paths := range sent {
		if len(paths) < 2 {
			return nil, status.BadRequest("A composite index has %d paths: it needs two or more.", len(paths))
		}
		var index []IndexPath
		for _, p := range paths {
			names := splitPath(p.Path)
			if n := len(names); n == 0 || names[n-1] == "*" || names[n-1] == "?" {
				return nil, status.BadRequest("The path %q of a composite index is invalid: it names a property, without /? or /*.", p.Path)
			}
			descending := strings.EqualFold(p.Order, "descending")
			if !descending && p.Order != "" && !strings.EqualFold(p.Order, "ascending") {
				return nil, status.BadRequest("The order %q of a composite index is invalid: use ascending or descending.", p.Order)
			}
			index = append(index, IndexPath{names, descending})
		}
		indexes = append(indexes, index)
	}
	return indexes, nil
}
