package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// An sdk is a column of the table.
type sdk struct {
	name    string // of its folder and of its results
	title   string
	file    string         // names the version
	version *regexp.Regexp // finds the version in the file
}

var sdks = []sdk{
	{"javascript", "JavaScript", "package.json", regexp.MustCompile(`"@azure/cosmos": "([0-9.]+)"`)},
	{"python", "Python", "requirements.in", regexp.MustCompile(`(?m)^azure-cosmos==([0-9.]+)$`)},
	{"java", "Java", "pom.xml", regexp.MustCompile(`<artifactId>azure-cosmos</artifactId>\s*<version>([0-9.]+)</version>`)},
	{"rust", "Rust", "Cargo.toml", regexp.MustCompile(`(?m)^azure_data_cosmos = \{ version = "=([0-9.]+)"`)},
}

// An operation is a row of the table.
type operation struct{ area, name string }

// The rows of the table that are no operations.
var (
	versionRow = operation{"", "version"}
	checksRow  = operation{"", "checks"}
)

// cells are the texts of the table: by operation and by the name of an SDK.
type cells map[operation]map[string]string

func (c cells) set(o operation, sdk, text string) {
	if c[o] == nil {
		c[o] = make(map[string]string)
	}
	c[o][sdk] = text
}

// readOperations reads the list of operations: an area, and below it, after a tab,
// its operations.
func readOperations(text string) ([]operation, error) {
	var list []operation
	area := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		name, isOperation := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isOperation && area == "":
			return nil, fmt.Errorf("%s: operation %q is before the first area", operationsFile, name)
		case isOperation:
			list = append(list, operation{area, name})
		default:
			area = line
		}
	}
	return list, nil
}

// A result is what came of one check.
type result struct {
	SDK        string   `json:"sdk"`
	Area       string   `json:"area"`
	Operations []string `json:"operations"`
	Check      string   `json:"check"`
	Result     string   `json:"result"`
	Error      string   `json:"error"`
}

// outcomes are the texts of cells, the weakest first: an operation that some check
// found to work does work, whatever another one could not do with it.
var outcomes = []struct{ result, text string }{
	{"sdk", "not in the SDK"},
	{"refused", "400"},
	{"works", "yes"},
}

// read replaces the column of an SDK by its results. Without results it does
// nothing.
func (s sdk) read(folder string, operations []operation, table cells) error {
	text, err := os.ReadFile(filepath.Join(folder, s.name+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	best := make(map[operation]int)
	for _, o := range operations {
		best[o] = -1
	}
	count := 0
	for line := range bytes.Lines(text) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s.jsonl: line %d: %w", s.name, count+1, err)
		}
		if err := r.count(s.name, best); err != nil {
			return err
		}
		count++
	}
	version, err := s.readVersion()
	if err != nil {
		return err
	}
	table.set(versionRow, s.name, version)
	table.set(checksRow, s.name, fmt.Sprint(count))
	for o, i := range best {
		table.set(o, s.name, "")
		if i >= 0 {
			table.set(o, s.name, outcomes[i].text)
		}
	}
	return nil
}

// count raises the outcomes of the operations of a result.
func (r result) count(sdk string, best map[operation]int) error {
	outcome := -1
	for i, o := range outcomes {
		if o.result == r.Result {
			outcome = i
		}
	}
	if r.SDK != sdk || outcome < 0 || len(r.Operations) == 0 {
		return fmt.Errorf("%s: check %q of %s: result %q of %q: %s", sdk, r.Check, r.Area, r.Result, r.SDK, r.Error)
	}
	for _, name := range r.Operations {
		o := operation{r.Area, name}
		if _, ok := best[o]; !ok {
			return fmt.Errorf("%s: check %q: operation %q of area %q is not in %s: use its names, or add a line", sdk, r.Check, name, r.Area, operationsFile)
		}
		best[o] = max(best[o], outcome)
	}
	return nil
}

// readVersion returns the version of an SDK that its program pins.
func (s sdk) readVersion() (string, error) {
	file := filepath.Join("emulator/interop", s.name, s.file)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := s.version.FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s names no version of the SDK: it must match %s", file, s.version)
	}
	return string(found[1]), nil
}
