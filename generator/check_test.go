package generator

import (
	"errors"
	"go/ast"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// checked runs Check on one file.
func checked(t *testing.T, text string) ([]TypeInfo, []Diagnostic) {
	t.Helper()
	u := sourcetest.Unit(text)
	docs, found, err := Check(Package{
		Fset: u.Fset, Files: []*ast.File{u.Files[0].Syntax}, Types: u.Types, Info: u.Info,
		Read: func(string) ([]byte, error) { return []byte(text), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs, found
}

// TestCheckSeesPastGeneratedCode has what the generated file declares within the
// package, as it is when a package is analyzed.
func TestCheckSeesPastGeneratedCode(t *testing.T) {
	docs, found := checked(t, "package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n\n"+
		"const TKeyLayout = \"{id}\"\n\ntype TKey struct{ ID string }\n\nfunc (t *T) Key() TKey { return TKey{t.ID} }\n")
	if len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if len(docs) != 1 || docs[0].Model.Layout() != "{id}" || docs[0].Pos.Line != 3 || docs[0].Output != "t_cosmos.go" {
		t.Errorf("documents %+v", docs)
	}
}

func TestCheckReportsWhatGenerateDoes(t *testing.T) {
	const text = "package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pkk\"`\n}\n\ntype u struct {\n\tAt []int `json:\"at\" cosmos:\"pk\"`\n}\n"
	docs, found := checked(t, text)
	want := diagnosticsOf(generationOf(text).report.Sorted())
	if len(docs) != 0 || len(found) != len(want) || len(found) < 2 {
		t.Fatalf("documents %v, found %v, want %v", docs, found, want)
	}
	for i := range found {
		if found[i] != want[i] {
			t.Errorf("found %v, want %v", found[i], want[i])
		}
	}
}

// TestCheckLeavesBases has types that documents of other packages may embed.
func TestCheckLeavesBases(t *testing.T) {
	const bases = "type Base struct {\n\tETag string `json:\"_etag\" cosmos:\"etag\"`\n}\n\n" +
		"type Of[T any] struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tData T\n}\n"
	if docs, found := checked(t, "package x\n\n"+bases); len(docs) != 0 || len(found) != 0 {
		t.Errorf("documents %v, found %v", docs, found)
	}
	if _, found := checked(t, "package main\n\n"+bases); len(found) != 3 {
		t.Errorf("found %v, want that Base has neither id nor key, and that Of has type parameters", found)
	}
}

func TestCheckReturnsReadErrors(t *testing.T) {
	u := sourcetest.Unit("package x\n")
	gone := errors.New("gone")
	_, _, err := Check(Package{
		Fset: u.Fset, Files: []*ast.File{u.Files[0].Syntax}, Types: u.Types, Info: u.Info,
		Read: func(string) ([]byte, error) { return nil, gone },
	})
	if !errors.Is(err, gone) {
		t.Errorf("error %v, want one of Read", err)
	}
}

// TestCurrentOfDrafts sees that the file of a draft is up to date.
func TestCurrentOfDrafts(t *testing.T) {
	docs, _ := checked(t, "package x\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n")
	draft := *docs[0].Model
	draft.Draft = true
	for _, model := range []*templates.Type{docs[0].Model, &draft} {
		text, err := templates.Render(model)
		if err != nil {
			t.Fatal(err)
		}
		if current, _, err := Current(docs[0], text); !current || err != nil {
			t.Errorf("a draft is %v, and its file is not current: %v", model.Draft, err)
		}
		if current, _, _ := Current(docs[0], append(text, "// x\n"...)); current {
			t.Error("another file is current")
		}
	}
}
