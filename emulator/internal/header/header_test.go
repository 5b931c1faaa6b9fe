package header

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestNamesAreCanonical holds the form of the names of headers that the server reads.
func TestNamesAreCanonical(t *testing.T) {
	read := regexp.MustCompile(`(?:Header|h)\.Get\("([^"]+)"\)|IsTrue\([\w.]+, "([^"]+)"\)`)
	names := []string{PartitionKey, Continuation}
	for _, folder := range []string{".", "../query", "../../server"} {
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if matched, _ := filepath.Match("*_test.go", filepath.Base(file)); matched {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range read.FindAllSubmatch(text, -1) {
				names = append(names, string(m[1])+string(m[2]))
			}
		}
	}
	if len(names) < 20 {
		t.Errorf("only %d names were found: %q", len(names), names)
	}
	for _, name := range names {
		if want := http.CanonicalHeaderKey(name); name != want {
			t.Errorf("%s: write it as %s", name, want)
		}
	}
}
