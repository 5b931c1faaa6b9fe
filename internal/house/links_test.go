//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s:]*)\)`) // to another file, or within a page
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inFences = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inCode   = regexp.MustCompile("`[^`\n]*`")
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestLinks follows each link of each page to a file of this repository and to a heading.
func TestLinks(t *testing.T) {
	anchors := map[string]map[string]bool{}
	for name := range strings.FieldsSeq(gitFiles(t, "*.md")) {
		page := inFences.ReplaceAllString(text(t, filepath.Join("../..", name)), "")
		anchors[name] = map[string]bool{}
		for _, h := range heading.FindAllStringSubmatch(page, -1) {
			anchors[name][strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
		}
	}
	for name := range anchors {
		if strings.Contains(name, "/testdata/manual/") {
			continue // parts of docs/cli.md
		}
		page := inCode.ReplaceAllString(inFences.ReplaceAllString(text(t, filepath.Join("../..", name)), ""), "")
		for _, l := range link.FindAllStringSubmatch(page, -1) {
			file, anchor, _ := strings.Cut(l[1], "#")
			to := name
			if file != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := filepath.EvalSymlinks(filepath.Join("../..", to)); err != nil {
				t.Errorf("%s: there is no %s", name, l[1])
			} else if anchor != "" && anchors[to] != nil && !anchors[to][anchor] {
				t.Errorf("%s: %s has no heading #%s", name, to, anchor)
			}
		}
	}
}

// gitFiles returns the files of the tree that git would commit and that a pattern names.
func gitFiles(t *testing.T, pattern string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "--cached", "--others", "--exclude-standard", pattern).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
