package simulate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// rushHour is the scenario of the README.
const rushHour = "../../../../../example/fleet/rush-hour.json"

// indexed is the scenario with indexes of docs/simulate.md.
const indexed = "../../../../../example/shop/indexes.json"

// simulated runs pkgen-data simulate.
func simulated(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	code = run(t.Context(), append([]string{"simulate"}, args...), &out, &problems)
	return code, out.String(), problems.String()
}

// TestSimulateFigure draws the figure of the README again, and compares it to the last
// byte.
func TestSimulateFigure(t *testing.T) {
	seeds.Gate(t, "the figure of the README")
	const figure = "../../../../../docs/simulate.svg"
	path := filepath.Join(t.TempDir(), "simulate.svg")
	if *update {
		path = figure
	}
	code, _, problems := simulated(t, "-o", path, rushHour)
	if code != cli.Done || problems != "" {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(figure)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/simulate.svg is out of date: run go test ./cmd/pkgen-data/internal/command/simulate -run TestSimulateFigure -seeds 3 -update")
	}
}

// TestSimulateExamples runs the scenarios of docs/simulate.md, and compares what is
// printed with the page.
func TestSimulateExamples(t *testing.T) {
	seeds.Gate(t, "the scenarios of docs/simulate.md")
	page, err := os.ReadFile("../../../../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	const perPartition, ofIndexes = "\nRU/s of each", "\n  queries/s"
	for _, path := range []string{rushHour, "../../../../../example/shop/tenants.json", indexed} {
		code, printed, problems := simulated(t, path)
		if code != cli.Done || problems != "" {
			t.Fatalf("exit code %d: %s", code, problems)
		}
		parts := []string{printed}
		if path != rushHour { // its table of layouts alone, and that of indexes
			table, rest, _ := strings.Cut(printed, perPartition)
			parts = []string{table}
			if _, table, found := strings.Cut(rest, ofIndexes); found {
				parts = append(parts, strings.TrimPrefix(ofIndexes, "\n")+table)
			}
		}
		for _, part := range parts {
			if !strings.Contains(string(page), "```\n"+part+"```\n") {
				t.Errorf("docs/simulate.md does not have what is printed:\n%s", part)
			}
		}
	}
	scenario, err := os.ReadFile(rushHour)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```json\n"+string(scenario)+"```\n") {
		t.Errorf("docs/simulate.md does not have the scenario:\n%s", scenario)
	}
	// The page also says what the container does without its indexes.
	if scenario, err = os.ReadFile(indexed); err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(scenario), `"indexes": [`)
	_, after, _ := strings.Cut(rest, "],")
	path := filepath.Join(t.TempDir(), "without.json")
	writeFile(t, path, before+after)
	code, printed, problems := simulated(t, path)
	table, _, cut := strings.Cut(printed, perPartition)
	if code != cli.Done || problems != "" || !cut {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	if !strings.Contains(string(page), "```\n"+table+"```\n") {
		t.Errorf("docs/simulate.md does not have what is printed without indexes:\n%s", table)
	}
}

// TestSimulatePage finds every property of scenarios, and of the first level of
// reports, in docs/simulate.md, and no others. The schema has the rest.
func TestSimulatePage(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	scenario, report, _ := strings.Cut(string(text), "\n## JSON\n")
	if !strings.Contains(report, "(schemas/simulate.schema.json)") {
		t.Error("docs/simulate.md does not link the schema of reports")
	}
	for page, types := range map[string][]reflect.Type{
		scenario: {reflect.TypeFor[simulate.Scenario](), reflect.TypeFor[simulate.Index](), reflect.TypeFor[simulate.Property](), reflect.TypeFor[simulate.Operation](), reflect.TypeFor[simulate.Retries]()},
		report:   {reflect.TypeFor[simulate.Report]()},
	} {
		names := make(map[string]bool)
		for _, typ := range types {
			for i := range typ.NumField() {
				if f := typ.Field(i); f.IsExported() {
					name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
					names[name] = true
					if !strings.Contains(page, "`"+name+"`") {
						t.Errorf("docs/simulate.md does not have %s of %s", name, typ.Name())
					}
				}
			}
		}
		for line := range strings.Lines(page) {
			if !strings.HasPrefix(line, "| `") {
				continue
			}
			cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
			for word := range strings.SplitSeq(cell, ", ") {
				if name := strings.Trim(word, "`"); !names[name] {
					t.Errorf("docs/simulate.md has %s, which nothing is called", name)
				}
			}
		}
	}
}

// TestSimulateJSON reads what is printed as JSON, and a picture.
func TestSimulateJSON(t *testing.T) {
	dir := t.TempDir()
	scenario, picture := filepath.Join(dir, "s.json"), filepath.Join(dir, "s.svg")
	writeFile(t, scenario, `{"seconds": 2, "partitions": 2, "throughput": 100, "layouts": ["{id}", "{a}"], "properties": {"a": {"constant": "x"}},
		"operations": [{"method": "create", "rate": 15}, {"method": "get", "rate": 5}]}`)
	code, printed, problems := simulated(t, "-format", "json", "-seed", "5", "-o", picture, scenario)
	if code != cli.Done || problems != "" {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	decoder := json.NewDecoder(strings.NewReader(printed))
	decoder.DisallowUnknownFields()
	var r simulate.Report
	if err := decoder.Decode(&r); err != nil || r.Seed != 5 || len(r.Layouts) != 2 || len(r.Layouts[1].BySeconds) != 2 {
		t.Errorf("%v: %s", err, printed)
	}
	if drawn, err := os.ReadFile(picture); err != nil || !bytes.Contains(drawn, []byte("<svg ")) {
		t.Errorf("%v: the picture is %.80q", err, drawn)
	}
	_, again, _ := simulated(t, "-format", "json", "-seed", "5", scenario)
	if again != printed {
		t.Error("the same seed has other figures")
	}
	if _, text, _ := simulated(t, scenario); !strings.Contains(text, "create {a}") || !strings.Contains(text, "operations arrive by their rates") {
		t.Errorf("got %s", text)
	}
}

// TestSimulateRefuses tells what is wrong, in one line.
func TestSimulateRefuses(t *testing.T) {
	dir := t.TempDir()
	scenario := filepath.Join(dir, "s.json")
	writeFile(t, scenario, `{"secconds": 2}`)
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "name one scenario file"},
		{[]string{rushHour, rushHour}, "name one scenario file"},
		{[]string{filepath.Join(dir, "no.json")}, "no such file"},
		{[]string{scenario}, `s.json: secconds: there is no "secconds": did you mean "seconds"?`},
		{[]string{"-o", "a.gif", rushHour}, "a.gif ends in none of .svg, .html"},
		{[]string{"-o", filepath.Join(dir, "none", "a.svg"), scenario}, "secconds"},
		{[]string{"-format", "github", rushHour}, "use one of text, json"},
	} {
		code, stdout, problems := simulated(t, test.args...)
		if code != cli.Failed || stdout != "" || !strings.Contains(problems, test.want) {
			t.Errorf("%q: exit code %d, %q, want %q", test.args, code, problems, test.want)
		}
	}
}

// writeFile writes a file.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
