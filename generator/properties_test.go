package generator

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestFields runs testdata/fields on the golden case of the name, which looks
// for every field in what encoding/json writes, and looks into programs for the
// fields that they use and do not use.
func TestFields(t *testing.T) {
	cases := caseNamed(t, "fields")
	dir := module(t, cases)
	result, err := Generate(context.Background(), Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	test, err := os.ReadFile("testdata/fields/fields_test.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "fields", "fields_test.go"), test)
	if seeds.Part(t, "programs that are linked") {
		goTool(t, dir, "build", "./fields")
		return
	}
	goTool(t, dir, "test", "-vet=off", "-count=1", "./fields")
	const program = "package main\n\nimport \"example.com/cases/fields\"\n\nfunc main() { println(fields."
	write(t, filepath.Join(dir, "with", "main.go"), []byte(program+"VehicleFields.Engine.Oil.Kind) }\n"))
	write(t, filepath.Join(dir, "without", "main.go"), []byte(program+"VehicleKeyLayout, fields.NewVehicleRepository(nil)) }\n"))
	for _, name := range []string{"with", "without"} {
		goTool(t, dir, "build", "-o", name+".out", "./"+name)
		symbols := goTool(t, dir, "tool", "nm", name+".out")
		if got, want := strings.Contains(symbols, "fields.VehicleFields"), name == "with"; got != want {
			t.Errorf("the program %s has the fields: %t", name, got)
		}
		if strings.Contains(symbols, "cases/fields.init\n") {
			t.Errorf("the program %s runs code for the fields when it starts", name)
		}
	}
}

func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := goIn(dir, args...)
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TestAnotherProperty expects that a property which is no key adds lines of its
// own and changes no other but for blanks, wherever it is and however it is called.
func TestAnotherProperty(t *testing.T) {
	const (
		before = "package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n/*root*/\tPosition Position `json:\"position\"`\n\tEnd *Position `json:\"end\"`\n}\n\n" +
			"type Position struct {\n\tLat float64 `json:\"lat\"`\n/*nested*/}\n"
		field = "\tAVeryLongNameOfAField []string `json:\"a\"`\n"
	)
	old := unaligned(renderOne(t, before))
	for mark, want := range map[string][]string{
		"/*root*/": {
			"AVeryLongNameOfAField []string `json:\"a\"`", `AVeryLongNameOfAField documents.List[T, string]`,
			`AVeryLongNameOfAField repository.PatchList[T, string]`,
			`AVeryLongNameOfAField: "/a",`, `AVeryLongNameOfAField: "/a",`,
		},
		"/*nested*/": {
			"AVeryLongNameOfAField []string `json:\"a\"`",
			`AVeryLongNameOfAField documents.List[T, string]`, `AVeryLongNameOfAField documents.List[T, string]`,
			`AVeryLongNameOfAField repository.PatchList[T, string]`, `AVeryLongNameOfAField repository.PatchList[T, string]`,
			`AVeryLongNameOfAField: "/end/a",`, `AVeryLongNameOfAField: "/end/a",`, `AVeryLongNameOfAField: "/position/a",`, `AVeryLongNameOfAField: "/position/a",`,
		},
	} {
		added := unaligned(renderOne(t, strings.Replace(before, mark, field, 1)))
		for line := range strings.Lines(old) {
			_, rest, found := strings.Cut(added, line)
			if !found {
				t.Fatalf("%s: the line has changed: %s", mark, line)
			}
			added = rest
		}
		got := linesAdded(old, unaligned(renderOne(t, strings.Replace(before, mark, field, 1))))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: lines added, -want +got:\n%s", mark, diff)
		}
	}
}

// renderOne renders the only type of a source.
func renderOne(t *testing.T, text string) string {
	t.Helper()
	g := generationOf(text)
	if len(g.found) != 1 || g.found[0].Failed {
		t.Fatal(g.report.Sorted())
	}
	out, err := templates.Render(g.typeOf(g.found[0]))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// linesAdded returns the lines of one text that another, from which they are
// all that was added, does not have.
func linesAdded(old, text string) []string {
	rest := strings.Split(old, "\n")
	var added []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(rest) > 0 && rest[0] == line {
			rest = rest[1:]
			continue
		}
		added = append(added, strings.TrimSpace(line))
	}
	return added
}
