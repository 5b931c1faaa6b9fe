package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocs finds the Go of docs/apis.md in this program, line by line, and the page of
// TestPage.
func TestDocs(t *testing.T) {
	guide, err := os.ReadFile("../../docs/apis.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		program.WriteString(unindented(string(text)))
	}
	blocks := goBlock.FindAllStringSubmatch(string(guide), -1)
	if len(blocks) < 4 {
		t.Errorf("docs/apis.md has %d examples", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(program.String(), unindented(block[1])) {
			t.Errorf("docs/apis.md: the program does not have\n%s", block[1])
		}
	}
	if !strings.Contains(string(guide), "```\n"+wantPage[1:]+"```\n") {
		t.Error("docs/apis.md does not have the page of TestPage")
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
