package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// ComputedProperty is a property that queries compute from a document. It is immutable.
type ComputedProperty struct {
	Name  string
	Query *cosmossql.Query
	// Indexed is whether ORDER BY may name this property alone.
	Indexed bool
}

// computedProperties reads the computed properties of a container, and checks them as the service
// documents ("Computed properties in Azure Cosmos DB for NoSQL"). The texts of most refusals are
// those in the tests of the .NET SDK (ContainerNegativeComputedPropertyTest).
func computedProperties(sent map[string]json.RawMessage, paths [][]string) ([]ComputedProperty, error) {
	var list []struct{ Name, Query *string }
	if err := readPolicy(sent["computedProperties"], &list); err != nil {
		return nil, status.BadRequest("The computed properties are invalid: %v.", err)
	}
	if len(list) > cosmossql.MaxComputed {
		return nil, status.BadRequest("The collection has %d computed properties, and at most %d are allowed.", len(list), cosmossql.MaxComputed)
	}
	var policy struct {
		Included []indexingPath `json:"includedPaths"`
		Spatial  []indexingPath `json:"spatialIndexes"`
	}
	if err := readPolicy(sent["indexingPolicy"], &policy); err != nil {
		return nil, status.BadRequest("The indexing policy is invalid: %v.", err)
	}
	names := func(p indexingPath) string { return strings.Join(splitPath(p.Path), "\x00") }
	var all []ComputedProperty
	for i, p := range list {
		switch {
		case p.Name == nil || p.Query == nil:
			return nil, status.BadRequest("One of the specified inputs is invalid")
		case *p.Name == "":
			return nil, status.BadRequest("Computed property 'name' is either empty or unspecified.")
		case *p.Query == "":
			return nil, status.BadRequest("Computed property 'query' is either empty or unspecified.")
		case *p.Name == "id" || slices.Contains(systemProperties, *p.Name):
			return nil, status.BadRequest("The system property name '%s' cannot be used as a computed property name.", *p.Name)
		case slices.ContainsFunc(all, func(other ComputedProperty) bool { return other.Name == *p.Name }):
			return nil, status.BadRequest("Computed property name '%s' cannot be used in multiple definitions.", *p.Name)
		case slices.ContainsFunc(policy.Spatial, func(x indexingPath) bool { return strings.HasPrefix(names(x)+"\x00", *p.Name+"\x00") }):
			return nil, status.BadRequest("Computed property '%s' at index (%d) has a spatial index. Remove the spatial index on this path.", *p.Name, i)
		case slices.ContainsFunc(paths, func(path []string) bool { return path[0] == *p.Name }):
			return nil, status.Unsupported("the computed property %s, which is in the path of the partition key", *p.Name)
		}
		q, err := cosmossql.ParseComputed(*p.Query)
		if err != nil {
			return nil, malformed(i, *p.Query, err)
		}
		for _, read := range cosmossql.References(q.Main.Items[0].Expr) {
			if first := read.Steps[0].Name; slices.ContainsFunc(list, func(other struct{ Name, Query *string }) bool { return other.Name != nil && *other.Name == first }) {
				return nil, status.BadRequest("Computed property at index (%d) reads the computed property '%s': it can be made of stored properties only.", i, first)
			}
		}
		indexed := slices.ContainsFunc(policy.Included, func(x indexingPath) bool {
			return names(x) == *p.Name+"\x00?" || names(x) == *p.Name+"\x00*"
		})
		all = append(all, ComputedProperty{*p.Name, q, indexed})
	}
	return all, nil
}

// malformed refuses the query of a computed property.
func malformed(i int, query string, err error) error {
	var e *cosmossql.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Code == cosmossql.CodeUnsupported && !strings.Contains(strings.ToUpper(query), "VALUE") {
		return status.BadRequest("Required VALUE expression missing from computed property query '%s' at index (%d).", query, i)
	}
	details := jsontext.Encode(map[string]any{"errors": []map[string]string{{"severity": "Error", "code": e.Code, "message": e.Message}}})
	return status.BadRequest("Computed property at index (%d) has a malformed query: '%s' Error details: '%s'", i, query, details)
}

// checkRecomputed refuses a new query for a computed property that stays in the index. The
// service does not rebuild the index, so its answers would mix both queries.
func checkRecomputed(old, all []ComputedProperty) error {
	for _, p := range all {
		for _, was := range old {
			if was.Name == p.Name && was.Indexed && p.Indexed && !cosmossql.SameComputed(was.Query.Text, p.Query.Text) {
				return status.Unsupported("another query for the computed property %s, which is indexed: the service would not index it anew; remove it from the index first", p.Name)
			}
		}
	}
	return nil
}
