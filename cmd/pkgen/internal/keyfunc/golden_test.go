package keyfunc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// goldens are the types whose function in every language is recorded: the three
// examples, and what those leave out.
var goldens = []string{"VehicleEvent", "Reading", "Click", "Discount", "Signed", "Trip", "Usage"}

// written writes the function of a type in a language.
func written(language string, t *templates.Type) (string, error) {
	l, err := Lookup(language)
	if err != nil {
		return "", err
	}
	return l.Write(t)
}

// caseOf returns the case of a name.
func caseOf(t *testing.T, name string) *templates.Type {
	t.Helper()
	i := slices.IndexFunc(cases, func(c *templates.Type) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no case is called %s", name)
	}
	return cases[i]
}

// TestGolden compares with testdata/<type>.txtar, which has a file for each
// language; what is refused is recorded with the reason.
func TestGolden(t *testing.T) {
	for _, name := range goldens {
		t.Run(name, func(t *testing.T) {
			archive := &txtar.Archive{}
			for _, l := range Languages() {
				source, err := l.Write(caseOf(t, name))
				file := l.Name
				if err != nil {
					file, source = file+" refused", err.Error()+"\n"
				}
				archive.Files = append(archive.Files, txtar.File{Name: file, Data: []byte(source)})
			}
			got := txtar.Format(archive)
			path := filepath.Join("testdata", strings.ToLower(name)+".txtar")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s differs: look at it, and run go test -update if it is right; got:\n%s", path, got)
			}
		})
	}
}
