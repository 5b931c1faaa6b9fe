package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesOfTheReadme counts lines of code, and compares them with the README.
func TestLinesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%d lines in [example/shop/orders](example/shop/orders), %d in [example/shop/byhand](example/shop/byhand)", linesIn(t, "orders"), linesIn(t, "byhand"))
	if !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not say: %s", want)
	}
}

// linesIn counts the lines of a folder, besides empty ones, comments and generated code.
func linesIn(t *testing.T, folder string) (n int) {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_cosmos.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				n++
			}
		}
	}
	return n
}
