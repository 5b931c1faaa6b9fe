package model

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestAmbiguity makes the keys of many small values by every layout of up to
// three components: one in which two lists of values make one key has a note,
// and every note has an example, which ambiguity has tried.
func TestAmbiguity(t *testing.T) {
	values := map[pk.Value][]string{
		pk.String: {
			"a", "-", "a-", "-a", "1", "a-1", "1-a", "--", "true", "true-a", "a-true", "a-2018", "2018-a", ":", "a::1", "::a", "a-b", "b-a",
			"a-1-b", "b-1-a", "a:1", "1:a", "a-2018-b", "a-true-b", "a:b", "a:1:b", "a:2018:b", "a:true:b", "a-1:b", "a:1-b", "a-true:b", "a:true-b",
			"a-2018:b", "a:2018-b", "a::b", "a--b", "a:-b", "a-:b", "b",
		},
		pk.Int:  {"-1", "1", "-11", "11"},
		pk.Uint: {"1", "11"},
		pk.Bool: {"true", "false"},
		pk.Time: {"2018", "2019"},
	}
	kinds := []pk.Value{pk.String, pk.Int, pk.Uint, pk.Bool, pk.Time}
	names := []string{"A", "B", "C"}
	var try func(parts []pk.Part, n int)
	try = func(parts []pk.Part, n int) {
		if len(parts) > 0 {
			m := &templates.Type{Kind: templates.Synthetic, Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: parts}}}}
			note := noteOf(m)
			if note == "" && keyTwice(parts, values) {
				t.Errorf("%s: no note", layoutText(parts))
			}
			if example := valuesOf.FindStringSubmatch(note); note != "" && (example == nil || example[1] == example[2]) {
				t.Errorf("%s: no example: %s", layoutText(parts), note)
			}
		}
		if n == len(names) {
			return
		}
		for _, kind := range kinds {
			c := pk.Component{Field: pk.Field{Selector: names[n], Name: names[n], Property: names[n], Value: kind}}
			if kind == pk.Time {
				c.Layout = "2006"
			}
			if n == 0 {
				try([]pk.Part{{Component: &c}}, 1)
				continue
			}
			for _, separator := range []string{"-", ":", "--"} {
				try(append(parts[:len(parts):len(parts)], pk.Part{Literal: separator}, pk.Part{Component: &c}), n+1)
			}
		}
	}
	try(nil, 0)
}

// noteOf returns the note about an ambiguous key, or "".
func noteOf(m *templates.Type) string {
	a, found := ambiguous(m)
	if !found {
		return ""
	}
	return a.note()
}

// valuesOf finds the two lists of values in a note.
var valuesOf = regexp.MustCompile(`the values (\(.+\)) and (\(.+\)) of .+ make the same key`)

// keyTwice reports whether two lists of the values make one key.
func keyTwice(parts []pk.Part, values map[pk.Value][]string) bool {
	keys := []string{""}
	for _, p := range parts {
		choices := []string{p.Literal}
		if p.Component != nil {
			choices = values[p.Component.Value]
		}
		next := make([]string, 0, len(keys)*len(choices))
		for _, key := range keys {
			for _, choice := range choices {
				next = append(next, key+choice)
			}
		}
		keys = next
	}
	seen := make(map[string]bool, len(keys))
	for _, key := range keys {
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func layoutText(parts []pk.Part) string {
	return pk.Key{Levels: []pk.Level{{Parts: parts}}}.Layout() + " " + kindsOf(parts)
}

func kindsOf(parts []pk.Part) string {
	var out []string
	for _, p := range parts {
		if p.Component != nil {
			out = append(out, [...]string{"string", "int", "uint", "bool", "float", "time"}[p.Component.Value])
		}
	}
	return strings.Join(out, " ")
}

// TestAmbiguityExample expects examples also where buckets, hashed fields of the
// example, lower case and literal text at the ends are in the way.
func TestAmbiguityExample(t *testing.T) {
	component := func(name string, v pk.Value) pk.Component {
		return pk.Component{Field: pk.Field{Selector: name, Name: name, Value: v}, Layout: "2006"}
	}
	text := func(name string, v pk.Value) pk.Part {
		c := component(name, v)
		return pk.Part{Component: &c}
	}
	literal := func(s string) pk.Part { return pk.Part{Literal: s} }
	bucket := func(n int, names ...string) pk.Part {
		b := &pk.Bucket{Count: n}
		for _, name := range names {
			b.Hash = append(b.Hash, component(name, pk.String))
		}
		return pk.Part{Bucket: b}
	}
	for _, parts := range [][]pk.Part{
		{literal("x:"), text("A", pk.String), literal("-"), text("B", pk.Text), literal(":y")},
		{text("A", pk.String), literal("-"), text("B", pk.String), literal("."), bucket(400, "A", "B")},
		{text("A", pk.String), literal("-"), text("N", pk.Int), literal("."), bucket(400, "A")},
		{text("A", pk.String), literal("."), bucket(16, "A"), literal("-"), text("B", pk.String)},
		{text("A", pk.String), literal("-"), text("T", pk.Time), literal("/"), text("O", pk.Bool), literal("/"), text("B", pk.TextPtr)},
		{text("A", pk.String), literal("."), bucket(9), literal("-"), text("B", pk.String), literal("-"), text("N", pk.Int)},
	} {
		note := noteOf(&templates.Type{Kind: templates.Synthetic, Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: parts}}}})
		if !valuesOf.MatchString(note) {
			t.Errorf("%s: no example in %q", kindsOf(parts), note)
		}
	}
	if note := noteOf(&templates.Type{Kind: templates.Synthetic, Key: pk.Key{Escape: true, Levels: []pk.Level{{Made: true, Parts: []pk.Part{text("A", pk.String), literal("-"), text("B", pk.String)}}}}}); note != "" {
		t.Errorf("an escaped key is called ambiguous: %s", note)
	}
}
