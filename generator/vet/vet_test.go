package vet_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/generator/vet"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// module copies folders of testdata into a module of their own, which uses this
// one as others do, and generates the code of some.
func module(t *testing.T, folders []string, generated ...string) string {
	t.Helper()
	dir := scratch.Dir(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const own = "github.com/cosmos-pkgen/pkgen"
	mod := strings.Replace(read(t, filepath.Join(root, "go.mod")), "module "+own, "module example.com/m", 1)
	write(t, filepath.Join(dir, "go.mod"), mod+"\nrequire "+own+" v0.0.0\n\nreplace "+own+" => "+root+"\n"+runTimes(t, dir))
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(root, "go.sum")))
	for _, folder := range folders {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join("testdata", folder))); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range generated {
		generate(t, filepath.Join(dir, folder))
	}
	return dir
}

// runTimes copies the packages of testdata that declare the run times of other APIs, as
// modules next to those of a folder, and returns what its go.mod says of them. The real ones
// need drivers that this module does not have.
func runTimes(t *testing.T, dir string) string {
	t.Helper()
	var lines strings.Builder
	for _, name := range []string{"table", "mongo", "gremlin"} {
		path := "github.com/cosmos-pkgen/pkgen/" + name
		to := filepath.Join(dir, "runtimes", name)
		if err := os.CopyFS(to, os.DirFS(filepath.Join("testdata", "runtimes", name))); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, "go.mod"), "module "+path+"\n\ngo 1.25.0\n")
		lines.WriteString("\nrequire " + path + " v0.0.0\n\nreplace " + path + " => ./runtimes/" + name + "\n")
	}
	return lines.String()
}

// generate generates the code of the package in a folder.
func generate(t *testing.T, dir string) {
	t.Helper()
	result, err := generator.Generate(context.Background(), generator.Options{Dir: dir})
	if err == nil {
		err = result.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAnalyzer runs the analyzer over the packages of testdata, which say in
// comments what it finds: about tags, about code in other packages than the tags,
// which are known there by facts alone, about constant ids, about code of other APIs
// than NoSQL, and about generated files that are stale. It is one test, since each
// would type-check all that generated code imports. Without -seeds 3 it takes the tags alone,
// which need none of it.
func TestAnalyzer(t *testing.T) {
	if seeds.Part(t, "findings for which all that generated code imports is type-checked") {
		analysistest.RunWithSuggestedFixes(t, module(t, []string{"tags"}), vet.Analyzer, "./...")
		return
	}
	dir := module(t, []string{"tags", "fleet", "use", "indirect", "handmade", "containers", "dropped", "ignored", "prefixes", "alone", "unindexed", "scoped", "stale", "merged", "apis"}, "fleet", "prefixes/sales", "alone/steps", "unindexed/pages", "scoped/shop", "stale", "merged", "apis/stock")
	// The analyzer is quiet about what does not compile, as where a run time lacks a name.
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "./apis/...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("testdata/apis with testdata/runtimes: %v\n%s", err, out)
	}
	makeStale(t, filepath.Join(dir, "stale"))
	makeMerged(t, filepath.Join(dir, "merged"))
	analysistest.RunWithSuggestedFixes(t, dir, vet.Analyzer, "./...")
}

// makeStale changes tags, properties and texts, and makes changes that make no
// difference, after the code was generated.
func makeStale(t *testing.T, dir string) {
	t.Helper()
	changeFile(t, filepath.Join(dir, "stale.go"), [][2]string{
		{"type Layout struct {", "type Layout struct { // want Layout:\"key of Day, ID, VIN\" `layout_cosmos.go was generated for the layout {day}.{vin%4}, and the tags of Layout now make {day}.{vin%8}`"},
		{"buckets=4", "buckets=8"},
		{"type Role struct {", "type Role struct { // want Role:\"key of ID, Month, Owner\" `role_cosmos.go was generated before the tags of Role gave field Version its role: run pkgen`"},
		{`json:"version"`, `json:"_etag"`},
		{"type Expires struct {", "type Expires struct { // want Expires:\"key of ID\" `expires_cosmos.go is not what pkgen writes for Expires: it has another ExpiresContainer; run pkgen`"},
		{"ttl=60", "ttl=90"},
		{"type Plain struct {", "type Plain struct { // want Plain:\"key of ID\" `plain_cosmos.go is not what pkgen writes for Plain: it has another PlainFields; run pkgen`"},
		{`json:"name"`, `json:"title"`},
		{"type Tagged struct {", "type Tagged struct { // want Tagged:\"key of ID\" `tagged_cosmos.go is not what pkgen writes for Tagged: it has another guard of Tagged; run pkgen`"},
		{"min=1", "min=2"},
		{"type Bound struct {", "type Bound struct { // want Bound:\"key of ID\" `bound_cosmos.go was generated when the layout of Bound was a draft, and pkgen.lock has sealed it: run pkgen`"},
		{"type Unbound struct {", "type Unbound struct { // want Unbound:\"key of ID\" `unbound_cosmos.go was generated when the layout of Unbound was sealed, but it is a draft in pkgen.lock, perhaps after a merge: restore its line`"},
		{"type Edited struct {", "type Edited struct { // want Edited:\"key of ID\" `edited_cosmos.go is not what pkgen writes for Edited: it still has Added; run pkgen`"},
	})
	changeLock(t, dir, func(e *lock.Entry) { e.Draft = e.Type != "Bound" })
	unbound := filepath.Join(dir, "unbound_cosmos.go")
	write(t, unbound, draftLine.ReplaceAllString(read(t, unbound), ""))
	edited := filepath.Join(dir, "edited_cosmos.go")
	write(t, edited, read(t, edited)+"\n// Added is by hand.\nconst Added = 1\n")
	lines := filepath.Join(dir, "lines_cosmos.go")
	write(t, lines, strings.ReplaceAll(read(t, lines), "\n", "\r\n"))
}

// draftLine is the line of generated code that says that a layout is a draft.
var draftLine = regexp.MustCompile(`\tDraft: +true,\n`)

// changeLock changes the entries of the lock in a folder.
func changeLock(t *testing.T, dir string, change func(*lock.Entry)) {
	t.Helper()
	path := filepath.Join(dir, lock.FileName)
	l, err := lock.Parse([]byte(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range l {
		change(&l[i])
	}
	write(t, path, string(l.Format()))
}

// makeMerged makes a lock that has the seal of other lines than it has.
func makeMerged(t *testing.T, dir string) {
	t.Helper()
	changeLock(t, dir, func(e *lock.Entry) { e.Draft = false })
	changeFile(t, filepath.Join(dir, lock.FileName), [][2]string{{"path /tenant", "path /pk"}})
	changeFile(t, filepath.Join(dir, "merged.go"), [][2]string{
		{"type Merged struct {", "type Merged struct { // want Merged:\"key of ID, Tenant\" `pkgen.lock does not show how stored keys are made: line 10: type Merged was sealed with a container`"},
	})
}

// changeFile replaces texts of a file, which it must have.
func changeFile(t *testing.T, path string, changes [][2]string) {
	t.Helper()
	text := read(t, path)
	for _, change := range changes {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("no %q in %s", change[0], path)
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	write(t, path, text)
}

// TestOwnCode finds nothing wrong with what this repository shows and tests.
func TestOwnCode(t *testing.T) {
	seeds.Gate(t, "type-checks this repository")
	patterns := []string{"./example/...", "./repository/...", "./emulator/...", "./cmd/..."}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: "../..", Tests: true}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	facts := 0
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Error(action.Err)
		}
		for _, d := range action.Diagnostics {
			t.Errorf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message)
		}
		facts += len(action.AllObjectFacts())
	}
	if facts == 0 {
		t.Error("no key of a document was found, so nothing was checked")
	}
}

func TestAnalyzerIsValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{vet.Analyzer}); err != nil {
		t.Error(err)
	}
}
