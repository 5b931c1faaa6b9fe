package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/explain"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/resources"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// unfit returns the first rune of a text that is not fit to be shown.
func unfit(text string) (rune, bool) {
	for _, r := range text {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return r, true
		}
	}
	return 0, false
}

// TestOddNames generates a type of a file whose name forges a line, colours the
// terminal and turns the direction of writing. Everything that is printed shows
// the name escaped, the comment of the generated file too.
func TestOddNames(t *testing.T) {
	const name = "a\n0 files are out of date\x1b[31m\u202e\u2029.go"
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv(load.CacheVariable, "off")
	source := "package x\n\ntype T struct {\n\t_  struct{} `cosmos:\"container=odd\u202eid\"`\n\tID string `json:\"id\"`\n\tA  string `json:\"a\" cosmos:\"pk\"`\n}\n"
	for path, text := range map[string]string{"go.mod": "module example.com/x\n\ngo 1.25.0\n", name: source} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Log("NOT RUN: the system has no such file names:", err)
			return
		}
	}
	show := func(code int, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), args, &stdout, &stderr); got != code {
			t.Errorf("%q: exit code %d, want %d\n%s", args, got, code, &stderr)
		}
		text := stdout.String() + stderr.String()
		if r, found := unfit(text); found {
			t.Errorf("%q prints %U in %q", args, r, text)
		}
		if strings.Contains(text, "\n0 files") {
			t.Errorf("%q prints a line of the file name: %q", args, text)
		}
		return text
	}
	show(cli.Found, "-check")
	show(cli.Found, "-check", "-format", "github")
	show(cli.Done, "seal")
	output, err := os.ReadFile("t_cosmos.go")
	if err != nil {
		t.Fatal(err)
	}
	if r, found := unfit(string(output)); found || !strings.Contains(string(output), `// Source: a\n0 files are out of date\x1b[31m\u202e\u2029.go`+"\n") {
		t.Errorf("the generated file has %U, or not the name of its source:\n%.300s", r, output)
	}
	show(cli.Done, "-check")
	show(cli.Done, "explain")
	for _, language := range []string{resources.Bicep, resources.Terraform, resources.AzureCLI} {
		show(cli.Done, "explain", "-container", language)
	}
	var types []explain.Explanation
	if err := json.Unmarshal([]byte(show(cli.Done, "explain", "-format", "json")), &types); err != nil || len(types) != 1 || types[0].Container != "odd\u202eid" {
		t.Errorf("the JSON holds %v, %v", types, err)
	}

	// A finding at a place in that file, and a message with a part of it.
	if err := os.WriteFile(name, []byte(strings.Replace(source, `"pk"`, `"pk\u202e"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{cli.FormatText, cli.FormatGitHub, cli.FormatJSON} {
		show(cli.Failed, "-format", format)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(source, "cosmos:", "other:")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "t_cosmos.go")); err != nil {
		t.Fatal(err)
	}
	text := new(bytes.Buffer)
	run(t.Context(), []string{"init"}, text, text)
	if r, found := unfit(text.String()); found || !strings.Contains(text.String(), `\x1b`) {
		t.Errorf("init prints %U in %q", r, text)
	}
}
