package generator

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
)

// TestOtherBuilds has names of imports and parameters taken in files of other
// builds: what is generated is the same in all of them, and compiles.
func TestOtherBuilds(t *testing.T) {
	dir := module(t, nil)
	for name, text := range map[string]string{
		"doc.go": "package x\n\ntype Doc struct {\n\tID string `json:\"id\" cosmos:\"id\"`\n" +
			"\tDate string `json:\"date\" cosmos:\"pk,hashsuffix=VIN,buckets=8\"`\n\tVIN string `json:\"vin\"`\n}\n",
		"x_test.go":           "package x\n\nvar azcosmos int\n",
		"integration_test.go": "//go:build integration\n\npackage x\n\nvar (\n\trepository int\n\td, date = 1, 2\n)\n",
		"x_windows.go":        "package x\n\ntype partition int\n\nfunc context() {}\n",
		"external_test.go":    "//go:build integration\n\npackage x_test\n\nfunc generated() {}\n",
	} {
		write(t, filepath.Join(dir, "x", name), []byte(text))
	}
	first, err := Generate(context.Background(), Options{Dir: filepath.Join(dir, "x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	again, err := Generate(context.Background(), Options{Dir: filepath.Join(dir, "x"), Tags: "integration"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Files {
		if f.Stale() {
			t.Errorf("%s is stale in another build:\n%s", f.Path, f.New)
		}
	}
	reserved := first.Types[0].Model.Reserved
	for name, want := range map[string]bool{"azcosmos": true, "repository": true, "date": true, "partition": true, "context": true, "generated": false} {
		if slices.Contains(reserved, name) != want {
			t.Errorf("%s is taken: %t, want %t", name, !want, want)
		}
	}
}
