//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

//go:embed budgets.txt
var budgetList string

// budget is a line of budgets.txt.
type budget struct {
	line, most int
	reason     string
}

// parseBudgets reads budgets.txt.
func parseBudgets(text string) (map[string]budget, error) {
	all := map[string]budget{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 || all[words[0]].line > 0 {
			return nil, fmt.Errorf("budgets.txt:%d: a budget is a name, which no other has, a number and a reason", i+1)
		}
		most, err := strconv.Atoi(strings.ReplaceAll(words[1], ",", ""))
		if err != nil {
			return nil, fmt.Errorf("budgets.txt:%d: %w", i+1, err)
		}
		all[words[0]] = budget{line: i + 1, most: most, reason: strings.Join(words[2:], " ")}
	}
	return all, nil
}

// measures has how each number of budgets.txt is measured.
var measures = map[string]func(*testing.T) int{
	"pkgen-packages": func(t *testing.T) int {
		return len(strings.Fields(goCommand(t, "../..", "list", "-deps", "./cmd/pkgen")))
	},
	"pkgen-kilobytes": func(t *testing.T) int {
		if testing.Short() {
			t.Skip("links pkgen")
		}
		if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
			t.Skip("the budget is that of linux/amd64")
		}
		name := filepath.Join(t.TempDir(), "pkgen")
		goCommand(t, "../..", "build", "-o", name, "./cmd/pkgen")
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return int(info.Size() / 1000)
	},
	"go.sum-lines": func(t *testing.T) int {
		dir := t.TempDir()
		root, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		mod := "module example.com/generates\n\ngo 1.25.0\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + root + "\n\ntool " + modulePath + "/cmd/pkgen\n"
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
			t.Fatal(err)
		}
		goCommand(t, dir, "list", "-mod=mod", "-deps", "tool")
		return strings.Count(text(t, filepath.Join(dir, "go.sum")), "\n")
	},
	"repository-names": func(t *testing.T) int { return count(t, "repository", exportedNames) },
	"run-time-names":   func(t *testing.T) int { return count(t, runTimes, exportedNames) },
	"repository-lines": func(t *testing.T) int { return count(t, "repository/... -repository/internal/tests/...", codeLines) },
	"generator-lines":  func(t *testing.T) int { return count(t, generatorRooms, codeLines) },
	"go-lines": func(t *testing.T) int {
		return count(t, "./... -example/... -"+strings.ReplaceAll(harnesses, " ", " -"), codeLines)
	},
	"test-lines": func(t *testing.T) int { return count(t, "./...", testLines) + count(t, harnesses, codeLines) },
	"generated-lines": func(t *testing.T) int {
		return strings.Count(text(t, "../../example/fleet/vehicle_event_cosmos.go"), "\n")
	},
	"test-copies": func(t *testing.T) int {
		copies := 0
		for line := range strings.Lines(goCommand(t, "../..", "list", "-test", "-deps", "-f", "{{if .ForTest}}{{.ForTest}} {{.ImportPath}}{{end}}", "./...")) {
			if words := strings.Fields(line); len(words) > 1 && strings.TrimSuffix(words[1], "_test") != words[0] {
				copies++
				t.Log(line)
			}
		}
		return copies
	},
	"README-words":       func(t *testing.T) int { return words(t, "../../README.md") },
	"CONTRIBUTING-words": func(t *testing.T) int { return words(t, "../../CONTRIBUTING.md") },
	"docs-words":         func(t *testing.T) int { return words(t, "../../docs/*.md") + words(t, "../../README.md") },
	"decisions-words":    func(t *testing.T) int { return words(t, "../../docs/decisions/*.md") },
}

const (
	// runTimes are the packages that programs import.
	runTimes = "documents partition repository repository/feed repository/admin/... repository/tenancy repository/watch repository/generated table mongo gremlin otel"
	// generatorRooms make Go of tags.
	generatorRooms = "generator/... templates/... annotations internal/lock internal/layout internal/sourceload"
	// harnesses are packages for tests that are not test files.
	harnesses = "internal/harness/... internal/fixtures/... internal/simulation/... internal/stored/... internal/conformance/... internal/proxytest internal/testgc internal/cli/clitest internal/browser/... internal/house/... repository/internal/tests/... generator/internal/goldentest generator/internal/sourcetest cmd/pkgen-data/internal/rig"
)

func exportedNames(r room) int { return r.exported }
func codeLines(r room) int     { return r.lines }
func testLines(r room) int     { return r.testLines }

// count adds up a number of the packages that patterns name, which are written as in bans.txt.
func count(t *testing.T, patterns string, of func(room) int) int {
	t.Helper()
	g, n := graph{own: map[string]bool{}}, 0
	for _, r := range surveyed(t) {
		g.own[r.folder] = true
		if chosenBy(strings.Fields(patterns), r.folder, g) != "" {
			n += of(r)
		}
	}
	return n
}

// generatedText matches what tests write into pages, between marks, and pages that are written
// as a whole.
var generatedText = regexp.MustCompile(`(?s)<!-- (?:pkgen|pkgen-data|pkgen-emulator|functions|operations[^>]*|write regions) -->.*?<!-- (?:/|(?:the )?end of ).*?-->|^[^\n]*\n\n<!-- Written by .*`)

// words counts the words of pages: fields with a letter or a digit, outside of generated text.
func words(t *testing.T, pages string) int {
	t.Helper()
	names, err := filepath.Glob(pages)
	if err != nil || len(names) == 0 {
		t.Fatal(pages, err)
	}
	n := 0
	for _, name := range names {
		for field := range strings.FieldsSeq(generatedText.ReplaceAllString(text(t, name), "")) {
			if strings.ContainsFunc(field, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				n++
			}
		}
	}
	return n
}

func text(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// goCommand runs the go command in a folder, without network, and returns what it prints.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOSUMDB=off")
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// TestBudgets measures each number of budgets.txt.
func TestBudgets(t *testing.T) {
	budgets, err := parseBudgets(budgetList)
	if err != nil {
		t.Fatal(err)
	}
	for name := range measures {
		if budgets[name].line == 0 {
			t.Errorf("budgets.txt has no line for %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(budgets)) {
		b := budgets[name]
		t.Run(name, func(t *testing.T) {
			if measures[name] == nil {
				t.Fatalf("budgets.txt:%d: no test measures %s", b.line, name)
			}
			got := measures[name](t)
			t.Logf("%d of %d", got, b.most)
			if got > b.most {
				t.Errorf("internal/house/budgets.txt:%d: %s is %d, which is %d more than its budget of %d (%s): make it smaller, or raise the budget and say why", b.line, name, got, got-b.most, b.most, b.reason)
			}
		})
	}
}

// TestBudgetsBite reads lines that are no budgets.
func TestBudgetsBite(t *testing.T) {
	for _, line := range []string{"name 5", "name five reason", "name 5 reason\nname 6 reason"} {
		if _, err := parseBudgets(line); err == nil {
			t.Errorf("%q is a budget", line)
		}
	}
}
