//go:build !race

// What the race detector would watch here are other processes.

package vet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/generator/internal/goldentest"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// generatedCases generates the code of the generator's golden cases of some build
// tags, writes source and code into a module, and returns its folder. Each case is
// generated in a module of its own, since those of one module may not define one
// container differently.
func generatedCases(t *testing.T, tags string) string {
	t.Helper()
	dir := goldentest.Module(t, "../..")
	for _, c := range goldentest.Read(t, "../testdata/success") {
		if c.Tags != tags {
			continue
		}
		one := goldentest.Module(t, "../..", c)
		result, err := generator.Generate(t.Context(), generator.Options{
			Dir: one, Patterns: []string{"./..."}, Tags: c.Tags, Types: c.Types, AcceptKeyChange: c.Accept, Seal: !c.Draft,
		})
		if err == nil {
			err = result.Commit()
		}
		if err == nil {
			err = os.Rename(filepath.Join(one, c.Name), filepath.Join(dir, c.Name))
		}
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
	}
	return dir
}

// TestDrivers runs the two drivers that people have over all that the golden
// cases of the generator end with: what is fresh is silent in both, also where
// the types of what is imported come from export data. A file that is edited is
// found by both.
func TestDrivers(t *testing.T) {
	seeds.Gate(t, "builds a command and a module")
	tool := filepath.Join(t.TempDir(), "pkgen.exe")
	if out, err := exec.Command("go", "build", "-o", tool, "../../cmd/pkgen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := generatedCases(t, "")
	withCgo(t, filepath.Join(dir, "cgo"))
	vet, ours := []string{"go", "vet", "-vettool=" + tool}, []string{tool, "vet"}
	for _, line := range findings(t, dir, append(vet, "./...")) {
		if !strings.Contains(line, `unknown word "pkk"`) { // of a type that its case leaves out
			t.Errorf("go vet: %s", line)
		}
	}
	// This one compiles all that it loads: these have what makes a difference.
	for _, line := range findings(t, dir, append(ours, "./cgo", "./tests/...", "./bases/...", "./shared/...")) {
		t.Errorf("pkgen vet: %s", line)
	}
	edited := filepath.Join(dir, "cgo", "doc_cosmos.go")
	changeFile(t, edited, [][2]string{{"DocContainer describes", "DocContainer is"}})
	for _, args := range [][]string{vet, ours} {
		const want = "doc_cosmos.go is not what pkgen writes for Doc: it has another DocContainer; run pkgen"
		if found := findings(t, dir, append(args, "./cgo")); len(found) != 1 || !strings.HasSuffix(found[0], want) {
			t.Errorf("%v finds %q in an edited file", args, found)
		}
	}
	dir = module(t, []string{"fleet", "dropped"}, "fleet")
	for _, args := range [][]string{vet, ours} {
		found := findings(t, dir, append(args, "./dropped"))
		if len(found) != strings.Count(read(t, filepath.Join(dir, "dropped", "dropped.go")), "// want ") {
			t.Errorf("%v finds %q in bulk operations and transactions", args, found)
		}
	}
	dir = generatedCases(t, "integration")
	for _, line := range findings(t, dir, append(vet, "-tags=integration", "./...")) {
		t.Errorf("go vet -tags=integration: %s", line)
	}
}

// withCgo writes a package that uses cgo, whose types share a container with one
// of another build. The go command hands drivers what cgo makes of it, from a
// folder of its own.
func withCgo(t *testing.T, dir string) {
	t.Helper()
	doc := func(name, options string) string {
		return "package cgo\n\ntype " + name + " struct {\n\t_ struct{} `cosmos:\"container=c" + options + "\"`\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n"
	}
	write(t, filepath.Join(dir, "c.go"), "package cgo\n\n// int x;\nimport \"C\"\n\nvar x = C.x\n")
	write(t, filepath.Join(dir, "doc.go"), doc("Doc", ""))
	write(t, filepath.Join(dir, "other.go"), "//go:build never\n\n"+doc("Other", ",type=other"))
	generate(t, dir)
}

// finding is what drivers print about a place.
var finding = regexp.MustCompile(`^(\S+\.go):\d+:\d+: `)

// findings runs a driver, and returns the findings that it prints.
func findings(t *testing.T, dir string, args []string) []string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var found []string
	for line := range strings.Lines(string(out)) {
		switch line = strings.TrimSpace(line); {
		case finding.MatchString(line):
			found = append(found, line)
		case !strings.HasPrefix(line, "#"):
			t.Errorf("%v: %s", args, line)
		}
	}
	if err != nil && len(found) == 0 {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
	return found
}
