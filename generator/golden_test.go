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
)

var update = flag.Bool("update", false, "record what the generator does as what it should do")

// goldenCase is a txtar archive of testdata. Its comment may hold a line of
// flags, "-tags=a,b", "-type=T,U", "-draft" or "-accept-key-change". Without -draft, new
// layouts are sealed. Files under want/ are what is generated,
// where want/diagnostics holds the diagnostics and want/removed the names of
// files that are removed; the other files are the source, in the folder and
// package path example.com/cases/<name of the case>.
type goldenCase struct {
	name    string
	file    string
	archive *txtar.Archive
	tags    string
	types   []string
	accept  bool
	draft   bool
}

// readCases reads a folder of testdata.
func readCases(t *testing.T, folder string) []goldenCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	out := make([]goldenCase, 0, len(files))
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := goldenCase{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: file, archive: archive}
		for word := range strings.FieldsSeq(string(archive.Comment)) {
			if tags, ok := strings.CutPrefix(word, "-tags="); ok {
				c.tags = tags
			}
			if types, ok := strings.CutPrefix(word, "-type="); ok {
				c.types = strings.Split(types, ",")
			}
			c.draft = c.draft || word == "-draft"
			c.accept = c.accept || word == "-accept-key-change"
		}
		out = append(out, c)
	}
	return out
}

// module writes the sources of cases into one new module, which has this
// repository in place of the released one.
func module(t *testing.T, cases []goldenCase) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/cosmos-pkgen/pkgen", "module example.com/cases", 1)
	text += "\nrequire github.com/cosmos-pkgen/pkgen v0.0.0\n\nreplace github.com/cosmos-pkgen/pkgen => " + root + "\n"
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), sum)
	for _, c := range cases {
		for _, f := range c.archive.Files {
			if !strings.HasPrefix(f.Name, "want/") {
				write(t, filepath.Join(dir, c.name, f.Name), f.Data)
			}
		}
	}
	return dir
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// generateAll runs the generator over cases, those with equal flags at once,
// and returns the results in the order of the cases.
func generateAll(t *testing.T, dir string, cases []goldenCase) []*Result {
	t.Helper()
	groups := make(map[string][]int)
	var order []string
	for i, c := range cases {
		key := fmt.Sprint(c.tags, c.types, c.accept, c.draft)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	out := make([]*Result, len(cases))
	for _, key := range order {
		first := cases[groups[key][0]]
		o := Options{Dir: dir, Tags: first.tags, Types: first.types, AcceptKeyChange: first.accept, Seal: !first.draft, alone: true}
		for _, i := range groups[key] {
			o.Patterns = append(o.Patterns, "./"+cases[i].name+"/...")
		}
		result, err := Generate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range groups[key] {
			out[i] = result.within(dir, cases[i].name)
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
	for _, f := range r.Files {
		if strings.HasPrefix(f.Path, filepath.Join(dir, name)+string(filepath.Separator)) {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// wanted is what a result looks like in the archive of a case.
func (r *Result) wanted(t *testing.T, dir, name string) []txtar.File {
	t.Helper()
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
		if f.New == nil {
			fmt.Fprintln(&removed, filepath.ToSlash(rel))
			continue
		}
		out = append(out, txtar.File{Name: "want/" + filepath.ToSlash(rel), Data: f.New})
	}
	for _, list := range []struct {
		name string
		data *bytes.Buffer
	}{{"want/removed", &removed}, {"want/diagnostics", &diagnostics}} {
		if list.data.Len() > 0 {
			out = append(out, txtar.File{Name: list.name, Data: list.data.Bytes()})
		}
	}
	return out
}

// compare compares a result with what the case wants, or records it.
func (c goldenCase) compare(t *testing.T, dir string, r *Result) {
	t.Helper()
	got := r.wanted(t, dir, c.name)
	source := slices.DeleteFunc(slices.Clone(c.archive.Files), func(f txtar.File) bool {
		return strings.HasPrefix(f.Name, "want/")
	})
	if *update {
		c.archive.Files = slices.Concat(source, got)
		write(t, c.file, txtar.Format(c.archive))
		return
	}
	asText := func(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }
	if diff := cmp.Diff(asText(c.archive.Files[len(source):]), asText(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSuccess compares what is generated with the golden files, writes it, and
// lets the go command judge it: it type-checks, vet finds nothing, and a second
// run finds nothing to do.
func TestSuccess(t *testing.T) {
	cases := readCases(t, "success")
	dir := module(t, cases)
	results := generateAll(t, dir, cases)
	vet := make(map[string][]string)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.compare(t, dir, results[i])
			if err := results[i].Commit(); err != nil {
				t.Fatal(err)
			}
			vet[c.tags] = append(vet[c.tags], "./"+c.name+"/...")
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
				t.Errorf("%s: %s is stale right after it was written", cases[i].name, f.Path)
			}
		}
	}
}

// TestFailure compares the diagnostics of wrong source with the golden ones,
// and sees that nothing is written.
func TestFailure(t *testing.T) {
	cases := readCases(t, "failure")
	dir := module(t, cases)
	before := snapshot(t, dir)
	results := generateAll(t, dir, cases)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for j := range results[i].Files {
				results[i].Files[j].New = nil // what is right beside it is not the point
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
