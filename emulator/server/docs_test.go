package server

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

var update = flag.Bool("update", false, "write the table of functions into docs/emulator.md")

// TestFunctionsInTheDocs holds docs/emulator.md to the functions that exist.
func TestFunctionsInTheDocs(t *testing.T) {
	const file, begin, end = "../../docs/emulator.md", "<!-- functions -->\n", "<!-- /functions -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	want := functionTable()
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the table of functions in %s is out of date: run go test ./emulator/server -run %s -update", file, t.Name())
	}
}

// functionTable writes the functions as a table, a line for each.
func functionTable() string {
	var b strings.Builder
	b.WriteString("\n| kind | function | result |\n|---|---|---|\n")
	kind := ""
	for _, f := range cosmossql.Functions() {
		shown := ""
		if f.Category != kind {
			shown, kind = f.Category, f.Category
		}
		fmt.Fprintf(&b, "| %s | `%s(%s)` | %s |\n", shown, f.Name, f.Args, strings.ReplaceAll(f.Help, "|", `\|`))
	}
	b.WriteString("\n")
	return b.String()
}
