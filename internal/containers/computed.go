package containers

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// ComputedProperty is a top-level property whose value the service computes from the document when
// a query reads it.
type ComputedProperty struct {
	Name  string `json:"name"`
	Query string `json:"query"` // SELECT VALUE expression FROM c
}

// Path is the path of the property in indexing policies.
func (p ComputedProperty) Path() string { return "/" + p.Name }

// compareComputed compares the wanted computed properties. Missing ones can be added. A changed
// query is not fixable: the service does not rebuild the index of such a property, so orders and
// conditions would use the old values.
func compareComputed(have, want *Properties) []Finding {
	var found []Finding
	n := len(have.ComputedProperties)
	for _, wanted := range want.ComputedProperties {
		i := slices.IndexFunc(have.ComputedProperties, func(p ComputedProperty) bool { return p.Name == wanted.Name })
		d := Difference{Property: "computedProperties", Have: "no computed property " + wanted.Name, Want: wanted.Name + " by " + wanted.Query}
		switch {
		case i >= 0 && want.SameQuery(have.ComputedProperties[i].Query, wanted.Query):
		case i >= 0:
			d.Have = wanted.Name + " by " + have.ComputedProperties[i].Query
			d.Why = "its index would keep the old values: give the property another name, or exclude it from the index by az, Bicep or in the portal, wait until the index is built, and change it there"
			found = append(found, Finding{Difference: d})
		case n == cosmossql.MaxComputed:
			d.Why = fmt.Sprintf("a container has at most %d computed properties: remove one that no program uses", n)
			found = append(found, Finding{Difference: d})
		default:
			n++
			d.Why = "queries by it find no document without it"
			found = append(found, Finding{d, func(p *Properties) {
				p.ComputedProperties = append(slices.Clip(p.ComputedProperties), wanted)
			}})
		}
	}
	return found
}

// compareComputedIndex finds computed properties that want indexes and have does not.
func compareComputedIndex(have, want *Properties) []Finding {
	var found []Finding
	for _, wanted := range want.ComputedProperties {
		path := wanted.Path()
		if !IndexesComputed(want.IndexingPolicy, path) || IndexesComputed(have.IndexingPolicy, path) {
			continue
		}
		found = append(found, Finding{
			Difference{
				Property: "indexingPolicy.includedPaths", Have: "no index of " + path, Want: indexPattern(path),
				Why: "an order by it fails without it; " + inBackground,
			},
			func(p *Properties) { include(p.IndexingPolicy, path) },
		})
	}
	return found
}

// IndexesComputed reports whether a policy indexes the computed property at path. Wildcards above
// it do not count ("Computed properties in Azure Cosmos DB for NoSQL", index computed properties).
func IndexesComputed(p *IndexingPolicy, path string) bool {
	return Indexes(p, path) && p != nil && slices.ContainsFunc(p.IncludedPaths, func(x Path) bool { return precision(x.Path, path) > 0 })
}
