package templates

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestGolden(t *testing.T) {
	for _, c := range goldenTypes {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join("testdata", c.name+".txtar")
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, typ := range c.types {
				got, err := Render(typ)
				if err != nil {
					t.Fatal(err)
				}
				if *update {
					setFile(archive, typ.FileName(), got)
					continue
				}
				if diff := cmp.Diff(string(getFile(archive, typ.FileName())), string(got)); diff != "" {
					t.Errorf("%s: expected output (-) and output (+) differ:\n%s", typ.FileName(), diff)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func getFile(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setFile(archive *txtar.Archive, name string, data []byte) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = data
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: data})
}

// TestRenderTwice expects the same output from the same type.
func TestRenderTwice(t *testing.T) {
	for _, c := range goldenTypes {
		for _, typ := range c.types {
			first, err := Render(typ)
			if err != nil {
				t.Fatal(err)
			}
			second, err := Render(typ)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, second) {
				t.Errorf("%s: two renderings differ", typ.Name)
			}
		}
	}
}
