package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/explain"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write docs/cli.md and what scripts compare anew")

// manualPath is the page that is made of the tables of commands.
const manualPath = "../../docs/cli.md"

// TestManual compares docs/cli.md with the table of commands.
func TestManual(t *testing.T) { manual(t) }

func manual(t *testing.T) string {
	t.Helper()
	return clitest.Manual(t, program(), manualPath, "testdata/manual", *update)
}

// TestHelp holds each help to a screen.
func TestHelp(t *testing.T) { clitest.Help(t, program()) }

// TestManualSchemas finds every property of the JSON that is printed in a table
// of the manual.
func TestManualSchemas(t *testing.T) {
	text := manual(t)
	for _, value := range []any{explain.Explanation{}, explain.Method{}, explain.Cost{}, explain.Index{}, load.JSONDiagnostic{}, load.JSONFile{}} {
		typ := reflect.TypeOf(value)
		for i := range typ.NumField() {
			if !typ.Field(i).IsExported() {
				continue
			}
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(text, "\n| `"+name+"` |") {
				t.Errorf("docs/cli.md has no row for %s of %s", name, typ.Name())
			}
		}
	}
}

// TestExplainSchema compares what explain -format json prints with the tables of the
// manual: no other properties, and all those that are not said to be left out.
func TestExplainSchema(t *testing.T) {
	_, text, _ := strings.Cut(manual(t), "### JSON\n\n`-format json` prints an array")
	text, _, _ = strings.Cut(text, "\n### ")
	tables := strings.Split(text, "| property | |\n")[1:]
	if len(tables) != 4 {
		t.Fatalf("%d tables, want those of types, methods, costs and indexes", len(tables))
	}
	var check func(where string, object map[string]any, level int)
	check = func(where string, object map[string]any, level int) {
		for line := range strings.Lines(tables[level]) {
			cells := strings.Split(line, "|")
			if len(cells) != 4 || !strings.HasPrefix(cells[1], " `") {
				continue
			}
			name := strings.Trim(cells[1], " `")
			value, ok := object[name]
			if !ok && !strings.Contains(cells[2], "absent") {
				t.Errorf("%s has no %s", where, name)
			}
			delete(object, name)
			if list, isList := value.([]any); isList && (name == "methods" || name == "costs") {
				for _, inner := range list {
					check(where+"."+name, inner.(map[string]any), level+1)
				}
			}
		}
		for name := range object {
			t.Errorf("%s has %s, which docs/cli.md does not tell of", where, name)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"explain", "-format", "json", "../../example/..."}, &stdout, &stderr); code != cli.Done {
		t.Fatal(stderr.String())
	}
	var types []map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &types); err != nil || len(types) != 10 {
		t.Fatalf("%d types, %v", len(types), err)
	}
	for _, object := range types {
		check(object["type"].(string), object, 0)
	}
}
