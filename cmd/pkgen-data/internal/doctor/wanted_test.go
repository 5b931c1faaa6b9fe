package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// typeIn returns a type of package shop in a container, with the partition key /pk.
func typeIn(name, container string, more func(*templates.Type)) generator.TypeInfo {
	m := &templates.Type{Package: "shop", Name: name, Container: container, Key: pk.Key{Levels: []pk.Level{{Path: "/pk"}}}}
	if more != nil {
		more(m)
	}
	return generator.TypeInfo{Model: m, Output: filepath.Join("shop", strings.ToLower(name)+"_cosmos.go")}
}

// TestElements has the paths of elements: of structs that another type's file has, of a type that
// contains itself, and of texts.
func TestElements(t *testing.T) {
	node := pk.GoType{Name: "Node"}
	list := func(name string, of pk.GoType) templates.Property {
		return templates.Property{Pointer: "/" + name, Kind: templates.FieldKind{Name: "List", Value: of}}
	}
	text := func(name string) templates.Property {
		return templates.Property{Pointer: name, Kind: templates.FieldKind{Name: "String"}}
	}
	tags := list("tags", pk.GoType{Name: "string"})
	inner := templates.Property{Pointer: ".", Kind: templates.FieldKind{Name: "List", Value: pk.GoType{Name: "any"}}}
	element := text(".")
	inner.Element, tags.Element = &element, &inner
	all, err := Wanted([]generator.TypeInfo{
		typeIn("Order", "orders", func(m *templates.Type) {
			m.Properties = []templates.Property{list("tree", node), list("untold", pk.GoType{Name: "Other"}), tags}
		}),
		typeIn("Owner", "others", func(m *templates.Type) {
			m.Elements = []templates.Element{{Name: "Node", Type: node, Properties: []templates.Property{text("/name"), text("/_etag"), list("children", node)}}}
		}),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`/"tree"/[]/"name"`, `/"tree"/[]/"_etag"`, `/"tags"/[]/[]`}
	if diff := cmp.Diff(want, all[0].queried); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	policy := &containers.IndexingPolicy{Automatic: true, IndexingMode: "consistent", IncludedPaths: []containers.Path{{Path: "/*"}}, ExcludedPaths: []containers.Path{{Path: "/tree/[]/name/?"}}}
	for i, indexed := range []bool{false, true, true} {
		if containers.Indexes(policy, want[i]) != indexed {
			t.Errorf("%s is indexed: %v", want[i], !indexed)
		}
	}
}

// TestWanted has types that share a container, one whose tenants have containers of their
// own, one of another API, and one whose containers a template makes.
func TestWanted(t *testing.T) {
	ttl := 60
	lower, upper := templates.Computed{Name: "lower", Query: "SELECT VALUE LOWER(c.a) FROM c"}, templates.Computed{Name: "upper", Query: "SELECT VALUE UPPER(c.a) FROM c"}
	types := []generator.TypeInfo{
		typeIn("Order", "orders", func(m *templates.Type) {
			m.TTL = &ttl
			m.Stamps = &templates.Stamps{Version: &pk.Field{}}
			m.Composites = [][]templates.IndexPath{{{Path: "/a"}, {Path: "/b", Descending: true}}}
			m.Computed = []templates.Computed{lower, upper}
			m.Properties = []templates.Property{
				{Pointer: "/a~1b", Kind: templates.FieldKind{Name: "String"}},
				{Pointer: "/_etag", Kind: templates.FieldKind{Name: "String"}},
				{Pointer: "/meta", Kind: templates.FieldKind{Name: "Object"}, Properties: []templates.Property{{Pointer: "/meta/n", Kind: templates.FieldKind{Name: "Number"}}}},
				{Pointer: "/list", Kind: templates.FieldKind{Name: "List"}},
			}
		}),
		typeIn("Line", "orders", func(m *templates.Type) {
			m.TTL = &ttl
			m.Unique = []templates.Unique{{}}
			m.Leases = "leases"
			m.Computed = []templates.Computed{lower}
			m.Vectors = []templates.Vector{{Path: "/v", DataType: "float32", Metric: "cosine", Index: "diskANN", Dimensions: 3, SearchList: 200, ShardKey: "/pk"}}
			m.Texts = []templates.FullText{{Path: "/text", Language: "en-US"}}
		}),
		typeIn("Invoice", "invoices", func(m *templates.Type) {
			m.Kind = templates.Hierarchical
			m.Conflict, m.Stamps = "/revision", &templates.Stamps{Created: &pk.Field{}}
			m.Own = []pk.Part{{Literal: "invoices-"}, {Component: &pk.Component{Field: pk.Field{Property: "tenant"}}}}
			m.Leases, m.Directory = "leases", "tenants"
		}),
		typeIn("Session", "session", func(m *templates.Type) { m.API = templates.Table }),
	}
	locks := map[string]lock.Lock{"shop": {{Type: "Invoice", Container: "invoices", Own: "invoices-{tenant}", Kinds: []lock.PropertyKind{{Property: "tenant", Kind: lock.Text}}}}}
	all, err := Wanted(types, locks)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"invoices", "invoices-{tenant}", "leases", "orders", "tenants"}, ids); diff != "" {
		t.Fatal(diff)
	}
	if all[0].Template != nil || all[1].Template == nil || !all[1].Template.Hold("invoices-contoso") || all[1].Want.PartitionKeyDefinition.Kind != containers.MultiHash || all[0].Want.ConflictPolicy.Path != "/revision" {
		t.Errorf("got %+v", all[:2])
	}
	if r := all[0].relies; len(r) != 1 || r[0].use != writeregions.Tenancy {
		t.Errorf("Invoice relies on %v", r) // conflict= resolves its stamps and conditions
	}
	if l := all[2]; strings.Join(l.Types, "+") != "the leases of shop.Line+the leases of shop.Invoice" || *l.Want.DefaultTimeToLive != -1 || !l.accepts("defaultTtl", "off") {
		t.Errorf("got %+v", l)
	}
	if d := all[4]; strings.Join(d.Types, "+") != "the directory of shop.Invoice" || d.Want.DefaultTimeToLive != nil || d.accepts != nil {
		t.Errorf("got %+v", d)
	}
	seconds := int32(60)
	want := Container{
		ID: "orders", Types: []string{"shop.Order", "shop.Line"}, queried: []string{`/"a/b"`, `/"meta"/"n"`},
		relies: []reliance{{"shop.Order", writeregions.Stamps}, {"shop.Order", writeregions.Conditions}, {"shop.Line", writeregions.Unique}, {"shop.Line", writeregions.Conditions}},
		Want: containers.Properties{
			PartitionKeyDefinition: containers.PartitionKeyDefinition{Paths: []string{"/pk"}, Kind: containers.Hash, Version: 2},
			DefaultTimeToLive:      &seconds,
			IndexingPolicy: &containers.IndexingPolicy{
				Automatic: true, IndexingMode: "consistent",
				IncludedPaths:    []containers.Path{{Path: "/*"}, {Path: "/lower/?"}, {Path: "/upper/?"}},
				ExcludedPaths:    []containers.Path{{Path: `/"_etag"/?`}, {Path: "/v/*"}},
				CompositeIndexes: [][]containers.CompositeIndex{{{Path: "/a", Order: containers.Ascending}, {Path: "/b", Order: containers.Descending}}},
				VectorIndexes:    []containers.VectorIndex{{Path: "/v", Type: "diskANN", VectorTuning: containers.VectorTuning{IndexingSearchListSize: 200, ShardKey: []string{"/pk"}}}},
				FullTextIndexes:  []containers.Path{{Path: "/text"}},
			},
			VectorEmbeddingPolicy: &containers.VectorEmbeddingPolicy{VectorEmbeddings: []containers.VectorEmbedding{{Path: "/v", DataType: "float32", DistanceFunction: "cosine", Dimensions: 3}}},
			FullTextPolicy:        &containers.FullTextPolicy{DefaultLanguage: "en-US", FullTextPaths: []containers.FullTextPath{{Path: "/text", Language: "en-US"}}},
			ComputedProperties:    []containers.ComputedProperty{{Name: lower.Name, Query: lower.Query}, {Name: upper.Name, Query: upper.Query}},
		},
	}
	if diff := cmp.Diff(want, all[3], cmp.AllowUnexported(Container{}, reliance{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	all[3].Want.SameQuery = cosmossql.SameComputed
	if found := containers.Compare(&want.Want, &all[3].Want); len(found) > 0 {
		t.Errorf("a container differs from itself: %+v", found)
	}
	for _, other := range []func(*templates.Type){
		func(m *templates.Type) { m.Levels[0].Path = "/other" },
		func(m *templates.Type) { m.TTL, m.Conflict = &ttl, "/revision" },
	} {
		_, err = Wanted(append(types, typeIn("Other", "orders", other)), locks)
		if err == nil || !strings.Contains(err.Error(), `container "orders" differs between databases`) {
			t.Errorf("got %v", err)
		}
	}
}
