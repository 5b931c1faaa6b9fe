package goldentest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// Wanted is the folder of an archive with the expected output of a case.
const Wanted = "want/"

// Case is a golden case: a txtar archive with Go source and the expected output. The comment of the
// archive may have a line of flags: "-tags=a,b", "-type=T,U", "-draft", "-ensure", "-admin" or
// "-accept-key-change". Without -draft, the run seals new layouts.
//
// The files under want/ are the output: the locks; for each generated file x.go, its model as
// x.model; the files of whole packages; the diagnostics; and in removed the names of removed files.
// The other files are the source.
type Case struct {
	Name    string
	File    string // the path of the archive
	Archive *txtar.Archive
	Tags    string
	Types   []string
	Accept  bool
	Draft   bool
	Ensure  bool
	Admin   bool
}

// Read reads the cases in a folder.
func Read(t *testing.T, folder string) []Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	out := make([]Case, len(files))
	for i, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := Case{Name: strings.TrimSuffix(filepath.Base(file), ".txtar"), File: file, Archive: archive}
		for word := range strings.FieldsSeq(string(archive.Comment)) {
			if tags, ok := strings.CutPrefix(word, "-tags="); ok {
				c.Tags = tags
			}
			if types, ok := strings.CutPrefix(word, "-type="); ok {
				c.Types = strings.Split(types, ",")
			}
			c.Draft = c.Draft || word == "-draft"
			c.Ensure = c.Ensure || word == "-ensure"
			c.Admin = c.Admin || word == "-admin"
			c.Accept = c.Accept || word == "-accept-key-change"
		}
		out[i] = c
	}
	return out
}

// Source returns the files of a case that are not under want/.
func (c Case) Source() []txtar.File {
	var out []txtar.File
	for _, f := range c.Archive.Files {
		if !strings.HasPrefix(f.Name, Wanted) {
			out = append(out, f)
		}
	}
	return out
}

// Module writes the sources of cases into a new module example.com/cases, each in a folder of its
// name, and returns the folder of the module. The module replaces pkgen by the repository at root.
func Module(t *testing.T, root string, cases ...Case) string {
	t.Helper()
	const own = "github.com/cosmos-pkgen/pkgen"
	dir := scratch.Dir(t)
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := fs.ReadFile(os.DirFS(root), "go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module "+own, "module example.com/cases", 1)
	text += "\nrequire " + own + " v0.0.0\n\nreplace " + own + " => " + root + "\n"
	Write(t, filepath.Join(dir, "go.mod"), []byte(text))
	sum, err := fs.ReadFile(os.DirFS(root), "go.sum")
	if err != nil {
		t.Fatal(err)
	}
	Write(t, filepath.Join(dir, "go.sum"), sum)
	for _, c := range cases {
		for _, f := range c.Source() {
			Write(t, filepath.Join(dir, c.Name, f.Name), f.Data)
		}
	}
	return dir
}

// Write writes a file, and creates its folders.
func Write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
