package realshapes

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestEvolution finds the Go of docs/evolution.md in a package that TestServices
// generates, and with -seeds 3 compiles and runs.
func TestEvolution(t *testing.T) {
	found(t, "evolution.md", "evolving/evolving.go", 2)
}

// TestContainers finds the Go of docs/containers.md in another such package.
func TestContainers(t *testing.T) {
	found(t, "containers.md", "metering/metering.go", 8)
}

// found finds the Go of a page, so many blocks at least, in a package of the services.
func found(t *testing.T, page, file string, least int) {
	t.Helper()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	source := unindented(read("testdata/service/" + file))
	blocks := goBlock.FindAllStringSubmatch(read("../../docs/"+page), -1)
	if len(blocks) < least {
		t.Errorf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(source, unindented(block[1])) {
			t.Errorf("%s does not have\n%s", file, block[1])
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
