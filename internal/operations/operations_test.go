package operations_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// runTimes are the folders of the run times.
var runTimes = map[operations.APIs]string{
	operations.NoSQL: "repository", operations.Table: "table", operations.Mongo: "mongo", operations.Gremlin: "gremlin",
}

// method is a method of Documents.
type method struct {
	parameters int // without the context and options
	result     string
}

// methods returns the exported methods of a type that a folder declares.
func methods(t *testing.T, folder, receiver string) map[string]method {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	text := func(n ast.Node) string {
		var b bytes.Buffer
		if err := format.Node(&b, set, n); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	found := map[string]method{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() || text(f.Recv.List[0].Type) != receiver {
				continue
			}
			var m method
			for _, p := range f.Type.Params.List {
				if typ := text(p.Type); typ != "context.Context" && (!strings.HasPrefix(typ, "...") || !strings.HasSuffix(typ, "Option")) {
					m.parameters += max(len(p.Names), 1)
				}
			}
			var results []string
			if f.Type.Results != nil {
				for _, r := range f.Type.Results.List {
					results = append(results, text(r.Type))
				}
			}
			if m.result = strings.Join(results, ", "); len(results) > 1 {
				m.result = "(" + m.result + ")"
			}
			found[f.Name.Name] = m
		}
	}
	return found
}

// TestRunTimes compares the table with the methods of the run times, in both directions.
func TestRunTimes(t *testing.T) {
	for api, folder := range runTimes {
		var have map[string]method
		if api != operations.NoSQL {
			have = methods(t, "documents", "*Collection[T, K]")
		} else { // also those of one tenant
			have = methods(t, folder, "*scope[T, K]")
		}
		maps.Copy(have, methods(t, folder, "*Documents[T, K]"))
		for _, o := range operations.Operations {
			if o.APIs&api == 0 || o.Generated() || o.Feed {
				continue
			}
			m, ok := have[o.Name]
			if !ok {
				t.Errorf("%s has no method %s", folder, o.Name)
				continue
			}
			if want := len(strings.Split(o.Parameters, ", ")); o.Parameters != "" && m.parameters != want || m.result != o.Result {
				t.Errorf("%s: %s has %d parameters and returns %s, and the table says %q and %s", folder, o.Name, m.parameters, m.result, o.Parameters, o.Result)
			}
		}
		for name := range have {
			if o := operations.Named(name); (o == nil || o.APIs&api == 0) && !slices.Contains(operations.Apart, name) {
				t.Errorf("%s: %s is not in the table", folder, name)
			}
		}
	}
}

// TestEvents looks for names that two operations have, and for what others refer to.
func TestEvents(t *testing.T) {
	names, events := map[string]bool{}, map[string]bool{}
	for _, o := range operations.Operations {
		if names[o.Name] || o.Event != "" && events[o.Event] {
			t.Errorf("two operations are called %s, or have the event %q", o.Name, o.Event)
		}
		names[o.Name], events[o.Event] = true, true
		if o.Bulk != strings.HasPrefix(o.Result, "Bulk[") {
			t.Errorf("%s is bulk: %t, and returns %s", o.Name, o.Bulk, o.Result)
		}
		if o.Event != "" && operations.OfEvent(o.Event).Name != o.Name {
			t.Errorf("%s is not the operation of %q", o.Name, o.Event)
		}
	}
	if operations.Named("Nothing") != nil || operations.OfEvent("") != nil {
		t.Error("an operation without a name, or of no table, was found")
	}
}

var update = flag.Bool("update", false, "write docs/apis.md")

// apis and needs are what docs call APIs and needs.
var (
	apis  = []string{"NoSQL", "Table", "MongoDB", "Gremlin"}
	needs = []string{"a field for the ETag", "`deleted`", "no `next=` and `was=`", "no `unique`", "no `own=`"}
)

// named returns the names of the bits that are set.
func named(bits uint8, names []string) string {
	var all []string
	for i, name := range names {
		if bits&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

// TestDocs compares the table in docs/apis.md, in which operations of the same APIs and needs
// share a line.
func TestDocs(t *testing.T) {
	lines := []string{"| methods | APIs | need |", "|---|---|---|"}
	seen := map[string]int{}
	for _, o := range operations.Operations {
		about := " | " + named(uint8(o.APIs), apis) + " | " + named(uint8(o.Needs), needs) + " |"
		if o.Cost == operations.Find {
			about = " | " + named(uint8(o.APIs), apis) + " | a random suffix |"
		}
		i, ok := seen[about]
		if !ok {
			i = len(lines)
			seen[about] = i
			lines = append(lines, "| `"+o.Shown()+"`"+about)
			continue
		}
		lines[i] = strings.TrimSuffix(lines[i], about) + ", `" + o.Shown() + "`" + about
	}
	const page, begin, end = "../../docs/apis.md", "<!-- operations -->\n", "<!-- end of operations -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("%s has no place for the table", page)
	}
	want := before + begin + strings.Join(lines, "\n") + "\n" + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s is not what the table of operations says: run go test ./internal/operations -update", page)
	}
}
