package vet

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// TestApplyFixes makes fixes in the order of the file whatever order they come
// in, and of two that touch each other the first.
func TestApplyFixes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(path, []byte("one two three"), 0o600); err != nil {
		t.Fatal(err)
	}
	fix := func(message string, start, end int, text string) finding {
		return finding{token.Position{Filename: path}, message, []edit{{path, start, end, []byte(text)}}}
	}
	left, err := applyFixes([]finding{
		fix("last", 8, 13, "3"),
		fix("first", 0, 3, "1"),
		fix("touches the first", 3, 4, "_"),
		{token.Position{Filename: path}, "without a fix", nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 || left[0].message != "touches the first" || left[1].message != "without a fix" {
		t.Errorf("left %v", left)
	}
	if text, _ := os.ReadFile(path); string(text) != "1 two 3" {
		t.Errorf("the file is %q", text)
	}
	if _, err := applyFixes([]finding{{edits: []edit{{path: path + ".none"}}}}); err == nil {
		t.Error("no error for a file that is not there")
	}
}
