package generator

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/generator/internal/goldentest"
	"github.com/cosmos-pkgen/pkgen/templates"
)

var update = flag.Bool("update", false, "record what the generator does as what it should do")

// goldenCase is a case with the checks of this package.
type goldenCase struct{ goldentest.Case }

// readCases reads a folder of testdata.
func readCases(t *testing.T, folder string) []goldenCase {
	t.Helper()
	var out []goldenCase
	for _, c := range goldentest.Read(t, filepath.Join("testdata", folder)) {
		out = append(out, goldenCase{c})
	}
	return out
}

// fewCases is an eighth of the cases in short tests, and all in others.
func fewCases(cases []goldenCase) []goldenCase {
	if !testing.Short() {
		return cases
	}
	var out []goldenCase
	for i := 0; i < len(cases); i += 8 {
		out = append(out, cases[i])
	}
	return out
}

// caseNamed reads one case of testdata/success.
func caseNamed(t *testing.T, name string) []goldenCase {
	t.Helper()
	return slices.DeleteFunc(readCases(t, "success"), func(c goldenCase) bool { return c.Name != name })
}

// module writes the sources of cases into one new module.
func module(t *testing.T, cases []goldenCase) string {
	t.Helper()
	plain := make([]goldentest.Case, len(cases))
	for i, c := range cases {
		plain[i] = c.Case
	}
	return goldentest.Module(t, "..", plain...)
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	goldentest.Write(t, path, text)
}

// generateAll runs the generator over cases, those with equal flags at once,
// and returns the results in the order of the cases.
func generateAll(t *testing.T, dir string, cases []goldenCase) []*Result {
	t.Helper()
	groups := make(map[string][]int)
	var order []string
	for i, c := range cases {
		key := fmt.Sprint(c.Tags, c.Types, c.Accept, c.Draft, c.Ensure, c.Admin)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	out := make([]*Result, len(cases))
	for _, key := range order {
		first := cases[groups[key][0]]
		o := Options{Dir: dir, Tags: first.Tags, Types: first.Types, AcceptKeyChange: first.Accept, Seal: !first.Draft, Ensure: first.Ensure, Admin: first.Admin, alone: true}
		for _, i := range groups[key] {
			o.Patterns = append(o.Patterns, "./"+cases[i].Name+"/...")
		}
		result, err := Generate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range groups[key] {
			out[i] = result.within(dir, cases[i].Name)
		}
	}
	return out
}

// within returns the part of a result that is about a folder of dir, and what
// is about no file.
func (r *Result) within(dir, name string) *Result {
	out := &Result{}
	for _, d := range r.Diagnostics {
		if rest, ok := strings.CutPrefix(d.Pos.Filename, name+string(filepath.Separator)); ok || d.Pos.Filename == "" {
			d.Pos.Filename = rest
			d.Message = strings.ReplaceAll(d.Message, "./"+name+"/...", "./...")
			out.Diagnostics = append(out.Diagnostics, d)
		}
	}
	below := filepath.Join(dir, name) + string(filepath.Separator)
	for _, f := range r.Files {
		if strings.HasPrefix(f.Path, below) {
			out.Files = append(out.Files, f)
		}
	}
	for _, typ := range r.Types {
		if strings.HasPrefix(typ.Output, below) {
			out.Types = append(out.Types, typ)
		}
	}
	return out
}

// wanted is what a result looks like in the archive of a case: the locks as they
// are, and the model in place of each generated file.
func (r *Result) wanted(t *testing.T, dir, name string) []txtar.File {
	t.Helper()
	models := make(map[string][]byte)
	for _, typ := range r.Types {
		models[typ.Output] = modelText(typ)
	}
	var out []txtar.File
	var diagnostics, removed bytes.Buffer
	for _, d := range r.Diagnostics {
		fmt.Fprintln(&diagnostics, d)
	}
	for _, f := range r.Files {
		rel, err := filepath.Rel(filepath.Join(dir, name), f.Path)
		if err != nil {
			t.Fatal(err)
		}
		rel = filepath.ToSlash(rel)
		switch text, generated := models[f.Path]; {
		case f.New == nil:
			fmt.Fprintln(&removed, rel)
		case generated:
			out = append(out, txtar.File{Name: goldentest.Wanted + strings.TrimSuffix(rel, ".go") + ".model", Data: text})
		case f.isLock(), filepath.Base(rel) == templates.EnsureContainers.Name, filepath.Base(rel) == templates.Administration.Name, filepath.Base(rel) == "main.go":
			out = append(out, txtar.File{Name: goldentest.Wanted + rel, Data: f.New})
		default:
			t.Errorf("%s is neither a lock nor the file of a type", rel)
		}
	}
	for _, list := range []struct {
		name string
		data *bytes.Buffer
	}{{"removed", &removed}, {"diagnostics", &diagnostics}} {
		if list.data.Len() > 0 {
			out = append(out, txtar.File{Name: goldentest.Wanted + list.name, Data: list.data.Bytes()})
		}
	}
	return out
}

// modelText is the text of a type in a golden case: its model, and the other facts
// of the result.
func modelText(t TypeInfo) []byte {
	text := goldentest.ModelText(t.Model)
	if t.Ambiguity != "" {
		text = fmt.Appendf(text, "Result.Ambiguity: %s\n", t.Ambiguity)
	}
	if t.Sealed {
		text = append(text, "Result.Sealed: true\n"...)
	}
	return text
}

// compare compares a result with what the case wants, or records it.
func (c goldenCase) compare(t *testing.T, dir string, r *Result) {
	t.Helper()
	got := r.wanted(t, dir, c.Name)
	source := c.Source()
	if *update {
		c.Archive.Files = slices.Concat(source, got)
		write(t, c.File, txtar.Format(c.Archive))
		return
	}
	asText := func(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }
	if diff := cmp.Diff(asText(c.Archive.Files[len(source):]), asText(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSuccess compares models, locks and diagnostics with the golden files. It
// writes what is generated, and lets the go command judge it: it type-checks, vet
// finds nothing, and a second run finds nothing to do. How a model is rendered is
// compared by the golden files of package templates.
func TestSuccess(t *testing.T) {
	cases := fewCases(readCases(t, "success"))
	dir := module(t, cases)
	results := generateAll(t, dir, cases)
	vet := make(map[string][]string)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			c.compare(t, dir, results[i])
			if err := results[i].Commit(); err != nil {
				t.Fatal(err)
			}
			vet[c.Tags] = append(vet[c.Tags], "./"+c.Name+"/...")
		})
	}
	for tags, patterns := range vet {
		if out, err := goIn(dir, append([]string{"vet", "-tags=" + tags}, patterns...)...); err != nil {
			t.Errorf("go vet -tags=%s: %v\n%s", tags, err, out)
		}
	}
	for i, r := range generateAll(t, dir, cases) {
		for _, f := range r.Files {
			if f.Stale() {
				t.Errorf("%s: %s is stale right after it was written", cases[i].Name, f.Path)
			}
		}
	}
}

// TestFailure compares the diagnostics of wrong source with the golden ones,
// and sees that nothing is written.
func TestFailure(t *testing.T) {
	cases := fewCases(readCases(t, "failure"))
	dir := module(t, cases)
	before := snapshot(t, dir)
	results := generateAll(t, dir, cases)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for j := range results[i].Files {
				results[i].Files[j].New = nil // the files of correct types do not matter here
			}
			kept := results[i].Files
			results[i].Files = nil
			c.compare(t, dir, results[i])
			results[i].Files = kept
			if err := results[i].Commit(); err == nil {
				t.Error("Commit did not refuse")
			}
		})
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("files have changed: -before +after:\n%s", diff)
	}
}

// snapshot returns the files below dir.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
