package templates

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOperators finds operators as text: the functions of gocode.go have names for them.
func TestOperators(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || files == nil {
		t.Fatalf("%v, %v", files, err)
	}
	operator := regexp.MustCompile(`\bOp\(`)
	for _, file := range files {
		if file == "gocode.go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if operator.MatchString(line) {
				t.Errorf("%s:%d: an operator as text: %s", file, i+1, strings.TrimSpace(line))
			}
		}
	}
}
