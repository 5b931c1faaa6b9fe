package containers

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// computing is a container with a computed property, and an order by it and another.
func computing() *Properties {
	return &Properties{
		IndexingPolicy: &IndexingPolicy{
			Automatic:        true,
			IncludedPaths:    []Path{{Path: "/*"}, {Path: "/lowerEmail/?"}},
			CompositeIndexes: [][]CompositeIndex{{{Path: "/lowerEmail"}, {Path: "/at"}}},
		},
		ComputedProperties: []ComputedProperty{{Name: "lowerEmail", Query: "SELECT VALUE LOWER(c.email) FROM c"}},
		SameQuery:          cosmossql.SameComputed,
	}
}

// TestComputedDifferences changes a container in one way, and expects the differences that
// Ensure names. Those that can be fixed are gone after that.
func TestComputedDifferences(t *testing.T) {
	t.Parallel()
	const computed, included = "computedProperties", "indexingPolicy.includedPaths"
	many := func(n int) (all []ComputedProperty) {
		for i := range n {
			all = append(all, ComputedProperty{Name: "p" + strconv.Itoa(i), Query: "SELECT VALUE c.a FROM c"})
		}
		return all
	}
	for name, test := range map[string]struct {
		change  func(*Properties)
		want    []string // "property: have" of each difference
		fixable bool
	}{
		"as wanted":         {func(*Properties) {}, nil, false},
		"spelled otherwise": {func(p *Properties) { p.ComputedProperties[0].Query = `select value lower(r["email"]) from root r` }, nil, false},
		"more":              {func(p *Properties) { p.ComputedProperties = append(p.ComputedProperties, many(19)...) }, nil, false},
		"another pattern":   {func(p *Properties) { p.IndexingPolicy.IncludedPaths[1].Path = "/lowerEmail/*" }, nil, false},
		"missing":           {func(p *Properties) { p.ComputedProperties = nil }, []string{computed + ": no computed property lowerEmail"}, true},
		"another case":      {func(p *Properties) { p.ComputedProperties[0].Name = "LowerEmail" }, []string{computed + ": no computed property lowerEmail"}, true},
		"no room":           {func(p *Properties) { p.ComputedProperties = many(20) }, []string{computed + ": no computed property lowerEmail"}, false},
		"another query":     {func(p *Properties) { p.ComputedProperties[0].Query = "SELECT VALUE UPPER(c.email) FROM c" }, []string{computed + ": lowerEmail by SELECT VALUE UPPER(c.email) FROM c"}, false},
		"no query":          {func(p *Properties) { p.ComputedProperties[0].Query = "" }, []string{computed + ": lowerEmail by "}, false},
		"no index":          {func(p *Properties) { p.IndexingPolicy.IncludedPaths = p.IndexingPolicy.IncludedPaths[:1] }, []string{included + ": no index of /lowerEmail"}, true},
		"excluded": {func(p *Properties) {
			p.IndexingPolicy.IncludedPaths = p.IndexingPolicy.IncludedPaths[:1]
			p.IndexingPolicy.ExcludedPaths = []Path{{Path: "/lowerEmail/?"}}
		}, []string{included + ": no index of /lowerEmail"}, true},
		"neither": {func(p *Properties) {
			p.ComputedProperties, p.IndexingPolicy.IncludedPaths = nil, p.IndexingPolicy.IncludedPaths[:1]
		}, []string{computed + ": no computed property lowerEmail", included + ": no index of /lowerEmail"}, true},
		"no policy": {func(p *Properties) { *p = Properties{ComputedProperties: p.ComputedProperties} }, []string{included + ": no index of /lowerEmail", "indexingPolicy.compositeIndexes: no such index"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			have, want := computing(), computing()
			test.change(have)
			found := Compare(have, want)
			if len(found) != len(test.want) {
				t.Fatalf("%d differences: %+v", len(found), found)
			}
			for i, f := range found {
				if got := f.Property + ": " + f.Have; got != test.want[i] || f.Want == "" || f.Why == "" {
					t.Errorf("%+v", f.Difference)
				}
				if test.fixable {
					f.Fix(have)
				} else if f.Fix != nil && f.Property == computed {
					t.Errorf("%+v can be fixed", f.Difference)
				}
			}
			if left := Compare(have, want); test.fixable && len(left) > 0 {
				t.Errorf("%+v is left", left)
			}
		})
	}
	if found := Compare(&Properties{ComputedProperties: many(3)}, &Properties{}); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	want := &Properties{ComputedProperties: many(22), SameQuery: cosmossql.SameComputed}
	found := Compare(&Properties{}, want)
	for i, f := range found {
		if (f.Fix != nil) != (i < 20) || i >= 20 && !strings.Contains(f.Why, "at most 20") {
			t.Errorf("%d: %+v", i, f.Difference)
		}
	}
	if len(found) != 22 {
		t.Errorf("%d differences", len(found))
	}
}
