package keychange

import (
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestLockEntry sees all in the lock that a stored key depends on.
func TestLockEntry(t *testing.T) {
	component := func(property string, v pk.Value) pk.Component {
		return pk.Component{Field: pk.Field{Selector: "ID", Property: property, Value: v}}
	}
	property := func(name string, v pk.Value) []pk.Part {
		c := component(name, v)
		return []pk.Part{{Component: &c}}
	}
	escaped := pk.Key{Escape: true, Levels: []pk.Level{{
		Path: "/k", Made: true, Parts: slices.Concat(property("a", pk.String), []pk.Part{{Literal: "-"}}, property("b", pk.String)),
	}}}
	for _, tt := range []struct {
		name  string
		model templates.Type
		want  string
	}{
		{"string", templates.Type{Key: pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.String)}}}}, "{a} /a Hash"},
		{"integer", templates.Type{Key: pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.Int)}}}}, "{a} values=number /a Hash"},
		{"unsigned", templates.Type{Key: pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.Uint)}}}}, "{a} values=number /a Hash"},
		{"float", templates.Type{Key: pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.Float)}}}}, "{a} values=number /a Hash"},
		{"bool", templates.Type{Key: pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.Bool)}}}}, "{a} values=boolean /a Hash"},
		{"id", templates.Type{Kind: templates.ItemID, Key: pk.Key{Levels: []pk.Level{{Path: "/id", Parts: property("id", pk.String)}}}}, "{id} /id Hash"},
		{"text of an integer", templates.Type{Kind: templates.Synthetic, Key: pk.Key{Levels: []pk.Level{{Path: "/k", Made: true, Parts: property("a", pk.Int)}}}}, "{a} /k Hash"},
		{"escaped", templates.Type{Kind: templates.Synthetic, Key: escaped}, "{a}-{b} escape /k Hash"},
		{"discriminator", templates.Type{
			Kind: templates.Synthetic, Key: escaped,
			Discriminator: &templates.Discriminator{Property: "type", Value: "t"},
		}, "{a}-{b} escape as=t /k Hash"},
		{"the one without", templates.Type{
			Key:           pk.Key{Levels: []pk.Level{{Path: "/a", Parts: property("a", pk.String)}}},
			Discriminator: &templates.Discriminator{Property: "type", Others: []string{"u"}},
		}, "{a} /a Hash"},
		{"levels", templates.Type{Kind: templates.Hierarchical, Key: pk.Key{Levels: []pk.Level{
			{Path: "/a", Parts: property("a", pk.String)},
			{Path: "/b", Parts: property("b", pk.Int)},
			{Path: "/partitionKey", Made: true, Parts: append(property("c", pk.Int), pk.Part{Literal: "."}, pk.Part{Bucket: &pk.Bucket{Count: 4, Hash: []pk.Component{component("d", pk.String)}}})},
		}}}, "{a},{b},{c}.{d%4} values=string,number,string /a,/b,/partitionKey MultiHash"},
		{"levels of strings", templates.Type{Kind: templates.Hierarchical, Key: pk.Key{Levels: []pk.Level{
			{Path: "/a", Parts: property("a", pk.String)}, {Path: "/b", Parts: property("b", pk.String)},
		}}}, "{a},{b} /a,/b MultiHash"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := runOf("package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n").Found[0]
			d.Model.Rendered = &tt.model
			d.Model.Rendered.Container = "c"
			e := entryOf(d.Model)
			if got := e.Summary() + " " + e.Path + " " + e.Kind; got != tt.want || e.Type != "T" || e.Container != "c" || e.Version != 2 {
				t.Errorf("got %q, %+v", got, e)
			}
			if _, err := lock.Parse(lock.Lock{e}.Format()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLockName(t *testing.T) {
	for _, tt := range []struct{ path, pkg, want string }{
		{"a.go", "p", "T"}, {"a_test.go", "p", "T"}, {"a_test.go", "p_test", "p_test.T"}, {"a.go", "p_test", "T"},
	} {
		if got := lockName(tt.path, tt.pkg, "T"); got != tt.want {
			t.Errorf("%s in package %s: got %s", tt.path, tt.pkg, got)
		}
	}
}
