// Command schemas writes the JSON schemas of the output of each command with -format json. It
// derives them from the Go types: properties, their types, and their comments.
//
//	go run ./schemas ROOT
//
// writes ROOT/docs/schemas. Schemas of files that people write are not included.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// address is the beginning of the $id of a schema.
const address = "https://raw.githubusercontent.com/cosmos-pkgen/pkgen/main/docs/schemas/"

// printed is the output of a command.
type printed struct {
	name  string // the name of the schema
	title string
	array bool
	types []string // types such as internal/verify.Report; a value has one of them
}

// all are the outputs of commands with -format json.
var all = []printed{
	{"findings", "What pkgen, pkgen -check and pkgen vet print with -format json", true, []string{"cmd/internal/load.JSONDiagnostic", "cmd/internal/load.JSONFile"}},
	{"init", "What pkgen init -format json prints", false, []string{"cmd/pkgen/internal/command/initialize.proposals"}},
	{"explain", "What pkgen explain -format json prints", true, []string{"cmd/pkgen/internal/command/explain.Explanation"}},
	{"seal", "What pkgen seal -format json prints", true, []string{"cmd/pkgen/internal/command/seal.sealed"}},
	{"forget", "What pkgen forget -format json prints", false, []string{"cmd/pkgen/internal/command/forget.forgotten"}},
	{"tags", "What pkgen tags -format json prints", false, []string{"cmd/pkgen/internal/command/tags.words"}},
	{"analyze", "What analyze, calls, rulog and usage of pkgen-data print with -format json", false, []string{"cmd/pkgen-data/internal/analyze.Report"}},
	{"simulate", "What pkgen-data simulate -format json prints", false, []string{"cmd/pkgen-data/internal/simulate.Report"}},
	{"verify", "What pkgen-data verify -format json prints", true, []string{"internal/verify.Report"}},
	{"migrate", "What pkgen-data migrate -format json prints", false, []string{"cmd/pkgen-data/internal/command/migrate.migrationReport"}},
	{"move-tenant", "What pkgen-data move-tenant -format json prints", false, []string{"cmd/pkgen-data/internal/command/movetenant.moveTenantReport"}},
	{"upgrade", "What pkgen-data upgrade -format json prints", false, []string{"cmd/pkgen-data/internal/command/upgrade.upgradeReport"}},
	{"dump", "What pkgen-data dump -format json prints", false, []string{"cmd/pkgen-data/internal/command/dump.dumpReport"}},
	{"load", "What pkgen-data load -format json prints", false, []string{"cmd/pkgen-data/internal/command/load.loadReport"}},
	{"doctor", "What pkgen-data doctor -format json prints", false, []string{"cmd/pkgen-data/internal/doctor.Report"}},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schemas ROOT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(2)
	}
}

// write writes all schemas below a root.
func write(root string) error {
	source, err := load(root)
	if err != nil {
		return err
	}
	for _, p := range all {
		text, err := source.schema(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(file(root, p.name), text, 0o644); err != nil { //nolint:gosec // a page that all may read
			return err
		}
	}
	return nil
}

// file returns the path of a schema.
func file(root, name string) string {
	return filepath.Join(root, "docs", "schemas", name+".schema.json")
}

// schema returns the schema of an output.
func (s *source) schema(p printed) ([]byte, error) {
	w := &writer{source: s, defs: map[string]any{}}
	var values []any
	for _, name := range p.types {
		named, err := s.named(name)
		if err != nil {
			return nil, err
		}
		v, err := w.value(named)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	value := values[0]
	if len(values) > 1 {
		value = map[string]any{"anyOf": values}
	}
	schema := map[string]any{"$ref": value.(map[string]any)["$ref"]}
	if p.array {
		schema = map[string]any{"type": "array", "items": value}
	}
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["$id"] = address + p.name + ".schema.json"
	schema["title"] = p.title
	schema["$comment"] = "Written by internal/channels/schemas. Later versions may add properties."
	schema["$defs"] = w.defs
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	err := encoder.Encode(schema)
	return b.Bytes(), err
}

// folders returns the folders of all types, each once.
func folders() []string {
	var found []string
	for _, p := range all {
		for _, name := range p.types {
			folder, _ := cut(name)
			found = append(found, "./"+folder)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
