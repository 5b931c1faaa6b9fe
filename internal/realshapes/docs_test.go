package realshapes

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestEvolution finds the Go of docs/evolution.md in a package that TestServices
// generates, compiles and runs.
func TestEvolution(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	source := unindented(read("testdata/service/evolving/evolving.go"))
	blocks := goBlock.FindAllStringSubmatch(read("../../docs/evolution.md"), -1)
	if len(blocks) < 2 {
		t.Errorf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(source, unindented(block[1])) {
			t.Errorf("package evolving does not have\n%s", block[1])
		}
	}
}

// unindented returns text without the space before its lines.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, "\t "))
	}
	return b.String()
}
