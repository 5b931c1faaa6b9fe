package generator

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
)

// TestExamplesAreFresh regenerates the examples of this repository.
func TestExamplesAreFresh(t *testing.T) {
	result, err := Generate(context.Background(), Options{Dir: "../example", Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	keys := make(map[string]string)
	for _, typ := range result.Types {
		keys[typ.Model.Package+"."+typ.Model.Name] = typ.Model.ExampleKey
	}
	for name, want := range map[string]string{"fleet.VehicleEvent": "2018-08-09.126", "telemetry.Reading": "abc-123-2018", "clickstream.Click": "2018-08-09.217"} {
		if keys[name] != want {
			t.Errorf("the example key of %s is %q, want %q", name, keys[name], want)
		}
	}
	for _, f := range result.Files {
		if f.Stale() {
			t.Errorf("%s is stale: run go generate ./...", f.Path)
		}
	}
}

func TestGenerateErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.25.0\n"))
	for _, tt := range []struct{ name, source, pattern, want string }{
		{"none", "", "./none", "directory not found"},
		{"empty", "", "./empty", "no Go files"},
		{"mixed", "package a\n-- second\npackage b\n", "./mixed", "found packages a (a.go) and b (b.go)"},
		{"garbage", "what is this\n", "./garbage", "garbage/a.go:1:1: syntax error: expected 'package', found what"},
		{"encoding", "package a\n\ntype T struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n\tN  N[i\x83t]\n}\n", "./encoding", "encoding/a.go:5:8: syntax error: illegal UTF-8 encoding"},
		{"import", "package a\n\nimport \"example.com/none\"\n\ntype T struct {\n\tID string `json:\"id\"`\n\tA  none.T `json:\"a\" cosmos:\"pk\"`\n}\n",
			"./import", "import/a.go:7:30: field A cannot be a partition key: its type cannot be resolved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first, second, two := strings.Cut(tt.source, "-- second\n")
			switch {
			case two:
				write(t, filepath.Join(dir, tt.name, "b.go"), []byte(second))
				fallthrough
			case first != "":
				write(t, filepath.Join(dir, tt.name, "a.go"), []byte(first))
			case tt.name == "empty":
				write(t, filepath.Join(dir, tt.name, "README"), nil)
			}
			result, err := Generate(context.Background(), Options{Dir: dir, Patterns: []string{tt.pattern}})
			if err != nil {
				t.Fatal(err)
			}
			if err := result.Err(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Generate(canceled, Options{Dir: dir, Patterns: []string{"./..."}}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v", err)
	}
	if _, err := Generate(context.Background(), Options{Dir: filepath.Join(dir, "nowhere")}); err == nil {
		t.Error("a folder that does not exist: no error")
	}
}

// BenchmarkGenerate measures a package that imports little, nearly all of it in
// the go command.
func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Generate(context.Background(), Options{Dir: "../example/clickstream"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnit measures what is done between loading and writing.
func BenchmarkUnit(b *testing.B) {
	u := sourcetest.Unit("package x\n\ntype T struct {\n\tID string `json:\"id\"`\n\tDate string `json:\"date\" cosmos:\"pk,hashsuffix=VIN,buckets=400\"`\n\tVIN string `json:\"vin\"`\n}\n")
	b.ReportAllocs()
	for b.Loop() {
		g := newGeneration(Options{})
		g.unit(u, model.Find(u, g.report, g.selected), nil)
		if len(g.found) != 1 || g.found[0].Failed {
			b.Fatal("no model")
		}
	}
}
