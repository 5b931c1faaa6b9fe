package generator

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// modelsOf returns the models of a golden case by the names of their types.
func modelsOf(t *testing.T, name string, types ...string) map[string]*templates.Type {
	t.Helper()
	cases := caseNamed(t, name)
	result, err := Generate(t.Context(), Options{Dir: module(t, cases), Patterns: []string{"./..."}, Types: types})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]*templates.Type)
	for _, typ := range result.Types {
		out[typ.Model.Name] = typ.Model
	}
	return out
}

// TestShared sees that types of one container are told apart, and describe one
// container; that types of tests change nothing for those of the package; and
// that types which are not asked for, or not part of the build, count.
func TestShared(t *testing.T) {
	type shared struct {
		Discriminator *templates.Discriminator
		TTL           int // 0 for none
		Composites    [][]templates.IndexPath
	}
	up := func(path string) templates.IndexPath { return templates.IndexPath{Path: path} }
	down := func(path string) templates.IndexPath { return templates.IndexPath{Path: path, Descending: true} }
	indexes := [][]templates.IndexPath{
		{up("/at"), up("/vin")},
		{up("/vin"), up(`/meta/"speed-kmh"`)},
		{down("/vin"), up("/id")},
		{up("/vin"), down("/meta")},
		{down(`/meta/"speed-kmh"`), up("/vin")},
	}
	want := map[string]shared{
		"Alarm":   {&templates.Discriminator{Property: "type", Value: "alarm"}, 86400, indexes},
		"Reading": {&templates.Discriminator{Property: "type", Value: "reading"}, 86400, indexes},
		"Trip":    {&templates.Discriminator{Property: "type", Others: []string{"alarm", "reading", "special"}}, 86400, indexes},
		"Later": {
			&templates.Discriminator{Property: "type", Value: "later"}, 86400,
			slices.Insert(slices.Clone(indexes), 2, []templates.IndexPath{up("/id"), up("/vin")}),
		},
		"Alone": {&templates.Discriminator{Property: "type", Value: "alone"}, 0, nil},
	}
	for _, types := range [][]string{nil, {"Trip"}, {"Alarm", "Later"}} {
		models := modelsOf(t, "shared", types...)
		for name, want := range want {
			m := models[name]
			if len(types) > 0 && !slices.Contains(types, name) {
				if m != nil {
					t.Errorf("-type=%v: there is a %s", types, name)
				}
				continue
			}
			got := shared{Discriminator: m.Discriminator, Composites: m.Composites}
			if m.TTL != nil {
				got.TTL = *m.TTL
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-type=%v: %s: -want +got:\n%s", types, name, diff)
			}
		}
	}
}

// TestContainer sees what types that have a container of their own say of it.
func TestContainer(t *testing.T) {
	const fields = "\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tA int `json:\"a\"`\n\tB int `json:\"b,string\"`\n"
	type container struct {
		TTL        int
		Composites [][]templates.IndexPath
	}
	for _, tt := range []struct {
		options, field string
		want           container
	}{
		{"type=t", "", container{}},
		{"ttl=60", "", container{TTL: 60}},
		{"ttl=-1", "", container{TTL: -1}},
		{"type=t", "TTL int `json:\"ttl,omitempty\"`", container{TTL: -1}},
		{"type=t", "TTL uint32 `json:\"ttl,omitzero\"`", container{TTL: -1}},
		{"type=t", "TTL *int `json:\"ttl\"`", container{TTL: -1}},
		{"type=t", "Live *int `json:\"ttl,omitempty\" cosmos:\"ttl\"`", container{TTL: -1}},
		{"ttl=60", "TTL int `json:\"ttl,omitempty\"`", container{TTL: 60}},
		{"type=t", "TTL string `json:\"ttl\"`", container{}}, // a note
		{"type=t", "TS float64 `json:\"_ts\"`", container{}},
		{"type=t", "TS int64 `json:\"_ts\" cosmos:\"ts\"`", container{}},
		{"orders=A+B", "", container{Composites: [][]templates.IndexPath{{{Path: "/a"}, {Path: "/b"}}}}},
		{"orders=A+B;A:desc+B:desc;A+B", "", container{Composites: [][]templates.IndexPath{{{Path: "/a"}, {Path: "/b"}}}}},
		{"orders=A+B:desc;B:desc+A", "", container{Composites: [][]templates.IndexPath{
			{{Path: "/a"}, {Path: "/b", Descending: true}},
			{{Path: "/b", Descending: true}, {Path: "/a"}},
		}}},
		{"orders=ID+F", "F string `json:\"größe\"`", container{Composites: [][]templates.IndexPath{{{Path: "/id"}, {Path: `/"größe"`}}}}},
		{"orders=ID+F", "F string `json:\"a/b.c\"`", container{Composites: [][]templates.IndexPath{{{Path: "/id"}, {Path: `/"a/b.c"`}}}}},
	} {
		g := generationOf("package x\n\ntype T struct {\n\t_ struct{} `cosmos:\"" + tt.options + "\"`\n" + fields + "\t" + tt.field + "\n}\n")
		if len(g.found) != 1 || g.found[0].Failed {
			t.Errorf("%s, %s: %v", tt.options, tt.field, g.report.Sorted())
			continue
		}
		m := g.found[0].Model.Rendered
		got := container{Composites: m.Composites}
		if m.TTL != nil {
			got.TTL = *m.TTL
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s, %s: -want +got:\n%s", tt.options, tt.field, diff)
		}
	}
}
