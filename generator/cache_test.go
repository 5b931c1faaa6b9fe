package generator

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/formatted"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestCacheDir compares runs that remember what they have formatted with one that
// does not.
func TestCacheDir(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.25.0\n"))
	write(t, filepath.Join(dir, "a.go"), []byte("package x\n\ntype T struct {\n\tID string `json:\"id\"`\n\tA  string `json:\"a\" cosmos:\"pk\"`\n}\n"))
	run := func(cache string) *Result {
		t.Helper()
		result, err := Generate(context.Background(), Options{Dir: dir, CacheDir: cache})
		if err != nil || result.Err() != nil {
			t.Fatal(err, result)
		}
		return result
	}
	output := func(r *Result) File {
		t.Helper()
		if len(r.Files) != 2 || filepath.Base(r.Files[1].Path) != "t_cosmos.go" {
			t.Fatalf("files %v", r.Files)
		}
		return r.Files[1]
	}
	want := run("")
	for range 2 { // formats and learns, then remembers
		got := run(cache)
		if !bytes.Equal(output(got).New, output(want).New) {
			t.Fatalf("with a cache:\n%s", output(got).New)
		}
		if err := got.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if output(run(cache)).Stale() {
		t.Error("what was written is stale")
	}
	edited := append(bytes.Clone(output(want).New), "\n"...)
	write(t, output(want).Path, edited)
	if f := output(run(cache)); !f.Stale() || !bytes.Equal(f.New, output(want).New) {
		t.Errorf("an edited file is taken for right: %q", f.New)
	}

	// A run believes what it remembers of spaces, and so formats nothing.
	edited = bytes.Replace(output(want).New, []byte("return "), []byte("return  "), 1)
	write(t, output(want).Path, edited)
	memory := formatted.Open(cache)
	draft, err := templates.Draft(want.Types[0].Model)
	if err != nil {
		t.Fatal(err)
	}
	memory.Learn(draft, edited)
	if err := memory.Save(); err != nil {
		t.Fatal(err)
	}
	if output(run(cache)).Stale() {
		t.Error("what is remembered was formatted again")
	}

	// It believes nothing of code, whoever has written that.
	forged := bytes.Replace(output(want).New, []byte("return "), []byte("println(); return "), 1)
	write(t, output(want).Path, forged)
	memory.Learn(draft, forged)
	if err := memory.Save(); err != nil {
		t.Fatal(err)
	}
	if f := output(run(cache)); !f.Stale() || !bytes.Equal(f.New, output(want).New) {
		t.Errorf("a forged memory is believed: %q", f.New)
	}

	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	write(t, cache, nil) // not a folder
	if f := output(run(cache)); !bytes.Equal(f.New, output(want).New) {
		t.Errorf("without a place for the cache: %q", f.New)
	}
}
