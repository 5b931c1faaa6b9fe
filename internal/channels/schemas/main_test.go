package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// written are the types of files that people write, with their places in schemas that are
// written by hand.
var written = []struct{ schema, place, typ string }{
	{"scenario", "", "cmd/pkgen-data/internal/simulate.Scenario"},
	{"scenario", "index", "cmd/pkgen-data/internal/simulate.Index"},
	{"scenario", "property", "cmd/pkgen-data/internal/simulate.Property"},
	{"scenario", "operation", "cmd/pkgen-data/internal/simulate.Operation"},
	{"scenario", "retries", "cmd/pkgen-data/internal/simulate.Retries"},
	{"calls", "call", "cmd/pkgen-data/internal/reads.Call"},
	{"calls", "details", "cmd/pkgen-data/internal/reads.Call"},
}

// TestSchemasAreOfTheTypes compares docs/schemas with the Go types: the files that this
// program writes, and the names of properties in the others.
func TestSchemasAreOfTheTypes(t *testing.T) {
	source, err := load(root, "./cmd/pkgen-data/internal/reads")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range all {
		want, err := source.schema(p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file(root, p.name)); err != nil || string(got) != string(want) {
			t.Errorf("docs/schemas/%s.schema.json is out of date: run go generate . in internal/channels (%v)", p.name, err)
		}
		names = append(names, p.name)
	}
	for _, w := range written {
		names = append(names, w.schema)
		text, err := os.ReadFile(file(root, w.schema))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]any
			Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		has := schema.Properties
		if w.place != "" {
			has = schema.Defs[w.place].Properties
		}
		named, err := source.named(w.typ)
		if err != nil {
			t.Fatal(err)
		}
		collector := &writer{source: source, defs: map[string]any{}}
		reference, err := collector.value(named)
		if err != nil {
			t.Fatal(err)
		}
		definition := strings.TrimPrefix(reference.(map[string]any)["$ref"].(string), "#/$defs/")
		want := collector.defs[definition].(*object).Properties
		if got, want := slices.Sorted(maps.Keys(has)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
			t.Errorf("%s of the schema %s has the properties %q, and its type %q", w.place, w.schema, got, want)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	files, err := filepath.Glob(file(root, "*"))
	if err != nil || len(files) != len(names) {
		t.Errorf("docs/schemas has %q, %v, and the schemas are %q", files, err, names)
	}
}
