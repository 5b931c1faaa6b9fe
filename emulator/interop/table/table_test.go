package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pinned finds a word in the list of operations, in place of the version of an SDK.
var pinned = regexp.MustCompile(`docs/(interop)`)

const given = `# a comment
items
	create
	read
queries
	ORDER BY
	GROUP BY
`

// page returns a page with a table.
func page(table string) string {
	return "# Title\n\n" + beginLine + "\n" + table + "\n" + endLine + "\nThe end.\n"
}

// build returns the page that results in JSON lines of SDKs make of another one.
func build(t *testing.T, before string, results map[string]string) (string, error) {
	t.Helper()
	operations, err := readOperations(given)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readTable(before)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for sdk, text := range results {
		if err := os.WriteFile(filepath.Join(folder, sdk+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range sdks {
		s.version, s.file = pinned, "../operations.txt"
		if err := s.read(folder, operations, c); err != nil {
			return "", err
		}
	}
	return replaceTable(before, table(operations, c))
}

const python = `{"sdk":"python","area":"items","operations":["create","read"],"check":"create, read","result":"works"}
{"sdk":"python","area":"queries","operations":["GROUP BY"],"check":"GROUP BY","result":"sdk"}
`

func TestTable(t *testing.T) {
	t.Chdir("../../..")
	want := page(`| | operation | JavaScript | Python | Java | Rust |
|---|---|---|---|---|---|
| | version | | interop | | |
| | checks | | 2 | | |
| items | create | | yes | | |
| | read | | yes | | |
| queries | GROUP BY | | not in the SDK | | |
`)
	got, err := build(t, page(""), map[string]string{"python": python})
	if diff := cmp.Diff(got, want); err != nil || diff != "" {
		t.Errorf("%v, got (-), want (+):\n%s", err, diff)
	}
}

// TestOtherColumnsStay runs one SDK after the other, and the first again.
func TestOtherColumnsStay(t *testing.T) {
	t.Chdir("../../..")
	before, err := build(t, page(""), map[string]string{"python": python})
	if err != nil {
		t.Fatal(err)
	}
	javascript := `{"sdk":"javascript","area":"items","operations":["create"],"check":"one","result":"refused"}
{"sdk":"javascript","area":"items","operations":["create"],"check":"two","result":"works"}
{"sdk":"javascript","area":"queries","operations":["ORDER BY"],"check":"three","result":"refused"}
`
	want := page(`| | operation | JavaScript | Python | Java | Rust |
|---|---|---|---|---|---|
| | version | interop | interop | | |
| | checks | 3 | 2 | | |
| items | create | yes | yes | | |
| | read | | yes | | |
| queries | ORDER BY | 400 | | | |
| | GROUP BY | | not in the SDK | | |
`)
	for range 2 {
		before, err = build(t, before, map[string]string{"javascript": javascript})
		if diff := cmp.Diff(before, want); err != nil || diff != "" {
			t.Fatalf("%v, got (-), want (+):\n%s", err, diff)
		}
	}
}

func TestBadResults(t *testing.T) {
	t.Chdir("../../..")
	for name, line := range map[string]string{
		"a check that fails":     `{"sdk":"python","area":"items","operations":["create"],"check":"c","result":"fail","error":"why"}`,
		"an unknown operation":   `{"sdk":"python","area":"items","operations":["invent"],"check":"c","result":"works"}`,
		"an unknown area":        `{"sdk":"python","area":"","operations":["create"],"check":"c","result":"works"}`,
		"no operation":           `{"sdk":"python","area":"items","operations":[],"check":"c","result":"works"}`,
		"results of another SDK": `{"sdk":"java","area":"items","operations":["create"],"check":"c","result":"works"}`,
		"text":                   `text`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := build(t, page(""), map[string]string{"python": line}); err == nil || !strings.Contains(err.Error(), "python") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestPageWithoutTable(t *testing.T) {
	for _, text := range []string{"", beginLine, endLine + beginLine} {
		if _, err := readTable(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestPage compares the page of the repository with the operations and the versions
// that the programs pin: a run has written it after the last change of either.
func TestPage(t *testing.T) {
	t.Chdir("../../..")
	text, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(operationsFile)
	if err != nil {
		t.Fatal(err)
	}
	operations, err := readOperations(string(list))
	if err != nil {
		t.Fatal(err)
	}
	c, err := readTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	again, err := replaceTable(string(text), table(operations, c))
	if diff := cmp.Diff(string(text), again); err != nil || diff != "" {
		t.Errorf("%v, the page (-) is not what its cells and %s make (+): run emulator/interop/run.sh all\n%s", err, operationsFile, diff)
	}
	for _, s := range sdks {
		if c[versionRow][s.name] == "" {
			continue
		}
		version, err := s.readVersion()
		if err != nil || c[versionRow][s.name] != version {
			t.Errorf("%s: the table is of version %s, the program of %s, %v: run emulator/interop/run.sh %[1]s", s.name, c[versionRow][s.name], version, err)
		}
	}
}
