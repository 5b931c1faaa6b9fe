package generator

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestAmbiguity makes the keys of many small values by every layout of up to
// four components: a layout without a note gives no key twice, and the example
// of a note is one.
func TestAmbiguity(t *testing.T) {
	values := map[templates.Value][]string{
		templates.String: {"a", "-", "a-", "-a", "1", "a-1", "1-a", "--", "true", "true-a", "a-2018", "2018-a", ":", "a::1", "::a"},
		templates.Int:    {"-1", "1", "-11", "11"},
		templates.Uint:   {"1", "11"},
		templates.Bool:   {"true", "false"},
		templates.Time:   {"2018", "2019"},
	}
	kinds := []templates.Value{templates.String, templates.Int, templates.Uint, templates.Bool, templates.Time}
	var try func(m *templates.Type, sep string, n int)
	try = func(m *templates.Type, sep string, n int) {
		if n > 0 {
			for _, kind := range kinds {
				parts := m.Parts
				if len(parts) > 0 {
					parts = append(parts[:len(parts):len(parts)], templates.Part{Literal: sep})
				}
				field := templates.Field{Selector: "F", Name: "F", Value: kind}
				c := &templates.Component{Field: field}
				try(&templates.Type{Parts: append(parts[:len(parts):len(parts)], templates.Part{Component: c})}, sep, n-1)
			}
		}
		if len(m.Parts) == 0 {
			return
		}
		keys := []string{""}
		twice := false
		for _, p := range m.Parts {
			choices := []string{p.Literal}
			if p.Component != nil {
				choices = values[p.Component.Value]
			}
			var next []string
			for _, key := range keys {
				for _, choice := range choices {
					next = append(next, key+choice)
				}
			}
			keys = next
		}
		seen := make(map[string]bool, len(keys))
		for _, key := range keys {
			twice = twice || seen[key]
			seen[key] = true
		}
		note := ambiguity(m, sep)
		if twice && note == "" {
			t.Errorf("separator %q, %s: no note", sep, kindsOf(m))
		}
	}
	for _, sep := range []string{"-", ":", "::", "--", ":-"} {
		try(&templates.Type{}, sep, 3)
	}
}

func kindsOf(m *templates.Type) string {
	var out []string
	for _, p := range m.Parts {
		if p.Component != nil {
			out = append(out, [...]string{"string", "int", "uint", "bool", "float", "time"}[p.Component.Value])
		}
	}
	return strings.Join(out, " ")
}

func TestAmbiguityExample(t *testing.T) {
	kinds := func(all ...templates.Value) []templates.Component {
		out := make([]templates.Component, len(all))
		for i, v := range all {
			out[i] = templates.Component{Field: templates.Field{Name: "F", Value: v}, Layout: "2006"}
		}
		return out
	}
	for _, tt := range []struct {
		all []templates.Component
		sep string
	}{
		{kinds(templates.String, templates.String), "-"},
		{kinds(templates.String, templates.Text), "::"},
		{kinds(templates.String, templates.Int), "-"},
		{kinds(templates.String, templates.Int), "--"},
		{kinds(templates.String, templates.Uint, templates.String), "-"},
		{kinds(templates.String, templates.Time, templates.Bool, templates.TextPtr), "/"},
	} {
		one, other := example(tt.all, tt.sep)
		if a, b := strings.Join(one, tt.sep), strings.Join(other, tt.sep); a != b || strings.Join(one, "\n") == strings.Join(other, "\n") {
			t.Errorf("separator %q: %q and %q make %q and %q", tt.sep, one, other, a, b)
		}
		if len(one) != len(tt.all) || len(other) != len(tt.all) {
			t.Errorf("separator %q: %q and %q are not %d values each", tt.sep, one, other, len(tt.all))
		}
	}
}
