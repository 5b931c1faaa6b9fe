//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// byHand is a model that is written by hand.
var byHand = regexp.MustCompile(`(^|[^*])generated\.Model\[[^]]*\]\{[^}]`)

// TestModelsByHand finds the models of tests that no generator has written. A type of
// internal/fixtures takes their place, or a comment that begins with "By hand:" says, in one
// of the four lines above, why pkgen cannot write the model.
func TestModelsByHand(t *testing.T) {
	err := walk("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2 || entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.Contains(filepath.ToSlash(path), "/tests/kit/"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if !byHand.MatchString(line+"\n") || strings.Contains(line, "regexp.") {
				continue
			}
			if !strings.Contains(strings.Join(lines[max(0, i-4):i], "\n"), "// By hand: ") {
				t.Errorf("%s:%d: a model is written by hand: use a type of internal/fixtures, or say above it why pkgen cannot write it: // By hand: …", path, i+1)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
