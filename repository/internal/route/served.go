package route

import (
	"encoding/json"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// headerPartitionKey is where a request has its partition key, as a JSON array.
const headerPartitionKey = "x-ms-documentdb-partitionkey"

// Served returns the one physical partition of m to which a request with these
// headers goes, and nil if that is not known or there are several.
func (c *Cache) Served(m *Map, header http.Header) []Range {
	if m == nil {
		return nil
	}
	if id := header.Get(HeaderRange); id != "" {
		for _, in := range m.Ranges {
			if in.ID == id {
				return []Range{in}
			}
		}
		return nil
	}
	var levels []any
	if json.Unmarshal([]byte(header.Get(headerPartitionKey)), &levels) != nil || !c.complete(len(levels)) {
		return nil
	}
	for i, level := range levels {
		if _, ok := level.(map[string]any); ok { // {}, as the SDK writes an absent property
			levels[i] = partition.Undefined{}
		}
	}
	epk, err := partition.EPK(levels...)
	if err != nil {
		return nil
	}
	return []Range{m.Find(epk)}
}

// complete reports whether a partition key of so many levels is a whole one of the
// container, whose effective partition key can be computed here.
func (c *Cache) complete(levels int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.definition != nil && c.definition.Version == 2 && len(c.definition.Paths) == levels
}
