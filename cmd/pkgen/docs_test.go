package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/cli.md and what scripts compare anew")

const manualPath = "../../docs/cli.md"

// TestManual compares docs/cli.md with what is made of the table of commands and
// of testdata/manual, which has what is too long for help.
func TestManual(t *testing.T) {
	want := manual(t)
	if *update {
		if err := os.WriteFile(manualPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(manualPath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/cli.md is out of date: run go test ./cmd/pkgen -run TestManual -update")
	}
}

func manual(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# The command\n\n" + section(t, "intro"))
	for _, c := range documented() {
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n\n%s\n\n```\n", c.title(), c.usage(), c.about)
		width := 0
		for _, e := range c.examples {
			width = max(width, len(e.line))
		}
		for _, e := range c.examples {
			if e.does == "" {
				fmt.Fprintf(&b, "%s\n", e.line)
			} else {
				fmt.Fprintf(&b, "%-*s  # %s\n", width, e.line, e.does)
			}
		}
		b.WriteString("```\n")
		if rows := c.flagRows(); len(rows) > 0 {
			b.WriteString("\n| flag | |\n|---|---|\n")
			for _, row := range rows {
				fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(row[0], "|", `\|`), row[1])
			}
		}
		name := c.name
		if name == "" {
			name = "pkgen"
		}
		if text := section(t, name); text != "" {
			b.WriteString("\n" + text)
		}
	}
	return b.String()
}

// section returns a file of testdata/manual, or "".
func section(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "manual", name+".md"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// TestManualSchemas finds every property of the JSON that is printed in a table
// of the manual.
func TestManualSchemas(t *testing.T) {
	text := manual(t)
	for _, value := range []any{explanation{}, method{}, cost{}, jsonDiagnostic{}, jsonFile{}} {
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

// TestExplainSchema compares what explain -json prints with the tables of the
// manual: no other properties, and all those that are not said to be left out.
func TestExplainSchema(t *testing.T) {
	_, text, _ := strings.Cut(manual(t), "### JSON\n\n`-json` prints an array")
	text, _, _ = strings.Cut(text, "\n### ")
	tables := strings.Split(text, "| property | |\n")[1:]
	if len(tables) != 3 {
		t.Fatalf("%d tables, want those of types, methods and costs", len(tables))
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
	if code := run(t.Context(), []string{"explain", "-json", "../../example/..."}, &stdout, &stderr); code != exitDone {
		t.Fatal(stderr.String())
	}
	var types []map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &types); err != nil || len(types) != 9 {
		t.Fatalf("%d types, %v", len(types), err)
	}
	for _, object := range types {
		check(object["type"].(string), object, 0)
	}
}

// TestEmulatorGuide finds every flag of the emulator in the guide's line of usage
// and in its table.
func TestEmulatorGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/emulator.md")
	if err != nil {
		t.Fatal(err)
	}
	usage, _, _ := strings.Cut(string(text), "\n```\n\n")
	c, _ := findCommand("emulator")
	flags, _ := c.flags()
	flags.VisitAll(func(f *flag.Flag) {
		name := "-" + f.Name
		if !strings.Contains(usage, "["+name) && !strings.Contains(usage, " "+name+" ") { // a needed one has no brackets
			t.Errorf("docs/emulator.md has no %s in its usage", name)
		}
		if !strings.Contains(string(text), "\n| `"+name) {
			t.Errorf("docs/emulator.md has no row for %s", name)
		}
	})
}
