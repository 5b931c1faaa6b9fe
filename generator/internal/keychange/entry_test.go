package keychange

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestLockEntry sees all in the lock that a stored key depends on.
func TestLockEntry(t *testing.T) {
	property := func(v pk.Value) []pk.Part {
		return []pk.Part{{Component: &pk.Component{Field: pk.Field{Selector: "ID", Property: "a", Value: v}}}}
	}
	for _, tt := range []struct {
		name  string
		model templates.Type
		want  string
	}{
		{"string", templates.Type{Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.String)}}}, "{a} /a Hash"},
		{"integer", templates.Type{Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.Int)}}}, "{a} values=number /a Hash"},
		{"unsigned", templates.Type{Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.Uint)}}}, "{a} values=number /a Hash"},
		{"float", templates.Type{Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.Float)}}}, "{a} values=number /a Hash"},
		{"bool", templates.Type{Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.Bool)}}}, "{a} values=boolean /a Hash"},
		{"id", templates.Type{Kind: templates.ItemID, Layout: "{id}", Levels: []pk.Level{{Path: "/id", Parts: property(pk.String)}}}, "{id} /id Hash"},
		{"text of an integer", templates.Type{Kind: templates.Synthetic, Layout: "{a}", Levels: []pk.Level{{Path: "/k", Made: true, Parts: property(pk.Int)}}}, "{a} /k Hash"},
		{"escaped", templates.Type{Kind: templates.Synthetic, Levels: []pk.Level{{Path: "/k", Made: true}}, Layout: "{a}-{b}", Escape: true}, "{a}-{b} escape /k Hash"},
		{"discriminator", templates.Type{
			Kind: templates.Synthetic, Levels: []pk.Level{{Path: "/k", Made: true}}, Layout: "{a}-{b}", Escape: true,
			Discriminator: &templates.Discriminator{Property: "type", Value: "t"},
		}, "{a}-{b} escape as=t /k Hash"},
		{"the one without", templates.Type{
			Layout: "{a}", Levels: []pk.Level{{Path: "/a", Parts: property(pk.String)}},
			Discriminator: &templates.Discriminator{Property: "type", Others: []string{"u"}},
		}, "{a} /a Hash"},
		{"levels", templates.Type{Kind: templates.Hierarchical, Layout: "{a},{b},{c}.{d%4}", Levels: []pk.Level{
			{Path: "/a", Parts: property(pk.String)},
			{Path: "/b", Parts: property(pk.Int)},
			{Path: "/partitionKey", Made: true, Parts: append(property(pk.Int), pk.Part{Literal: "."}, pk.Part{Bucket: &pk.Bucket{Count: 4}})},
		}}, "{a},{b},{c}.{d%4} values=string,number,string /a,/b,/partitionKey MultiHash"},
		{"levels of strings", templates.Type{Kind: templates.Hierarchical, Layout: "{a},{b}", Levels: []pk.Level{
			{Path: "/a", Parts: property(pk.String)}, {Path: "/b", Parts: property(pk.String)},
		}}, "{a},{b} /a,/b MultiHash"},
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
