package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of CONTRIBUTING.md")

// TestTableOfImports compares the table of CONTRIBUTING.md with what the packages
// import.
func TestTableOfImports(t *testing.T) {
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	table := importTable(string(page))
	if len(table) < 10 {
		t.Fatalf("the table has %d lines", len(table))
	}
	found := make(map[string][]string)
	for _, r := range modulesRooms(t) {
		row := rowOf(table, r.folder)
		if row == "" {
			t.Errorf("%s has no line in the table of CONTRIBUTING.md", r.folder)
			continue
		}
		found[row] = append(found[row], "") // also where it imports nothing
		for _, path := range r.imports {
			if to := rowOf(table, path); to != row {
				found[row] = append(found[row], to)
			}
		}
	}
	for row := range found {
		slices.Sort(found[row])
		found[row] = slices.Compact(found[row])[1:]
	}
	if *update {
		text := tableLine.ReplaceAllStringFunc(string(page), func(line string) string {
			parts := tableLine.FindStringSubmatch(line)
			names := "none"
			if all := found[parts[1]]; len(all) > 0 {
				names = "`" + strings.Join(all, "` `") + "`"
			}
			return strings.Replace(line, parts[2], names, 1)
		})
		if err := os.WriteFile("../../CONTRIBUTING.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(found, table); diff != "" {
		t.Errorf("what packages import (-) is not what CONTRIBUTING.md says (+), which -update writes:\n%s", diff)
	}
}

// TestNoTypeIsAnAlias holds public types to what go doc can show: of an alias it
// shows neither fields nor methods, so that it must name a type that has a page of its own.
func TestNoTypeIsAnAlias(t *testing.T) {
	for _, r := range modulesRooms(t) {
		for _, name := range r.aliases {
			if r.folder == seam {
				continue // plain data of the SDK, for the rooms of the run time alone
			}
			t.Errorf("%s.%s is an internal package's type, of which go doc shows nothing: declare it, and convert it in one place", r.folder, name)
		}
	}
}

// seam is the room in whose terms the rooms of the run time send requests.
const seam = "repository/internal/wire"

// importsSDK lists the rooms below the face that import the SDK, and why. Others hold its
// plain data, under the names in wire/sdk.go: a second SDK touches these two and the face.
var importsSDK = map[string]string{
	seam:                        "the terms of requests and answers",
	"repository/internal/route": "the physical partitions of a container",
}

// TestRoomsImportNoSDK compares importsSDK with the rooms below the face.
func TestRoomsImportNoSDK(t *testing.T) {
	found := make(map[string]bool)
	for _, r := range modulesRooms(t) {
		if !strings.HasPrefix(r.folder, "repository/internal/") || strings.HasPrefix(r.folder, "repository/internal/tests/") || !r.sdk {
			continue
		}
		found[r.folder] = true
		if importsSDK[r.folder] == "" {
			t.Errorf("%s imports %s: take what it needs from %s", r.folder, sdk, seam)
		}
	}
	for folder := range importsSDK {
		if !found[folder] {
			t.Errorf("%s does not import %s: remove its line from importsSDK", folder, sdk)
		}
	}
}

func TestFewestUp(t *testing.T) {
	for _, test := range []struct {
		name   string
		arrows string // "from to" pairs
		want   int
	}{
		{"nothing", "", 0},
		{"a chain", "a b, b c", 0},
		{"two that refer to each other", "a b, b a", 1},
		{"a ring of three", "a b, b c, c a", 1},
		{"two rings of a common node", "a b, b a, a c, c a", 2},
	} {
		arrows := make(map[string]map[string]bool)
		for pair := range strings.SplitSeq(test.arrows, ", ") {
			from, to, _ := strings.Cut(pair, " ")
			for _, node := range []string{from, to} {
				if arrows[node] == nil {
					arrows[node] = make(map[string]bool)
				}
			}
			if to != "" {
				arrows[from][to] = true
			}
		}
		if got := fewestUp(arrows); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// surveyed is what modulesRooms found first. Tests run one after the other.
var surveyed []room

func modulesRooms(t *testing.T) []room {
	t.Helper()
	if surveyed != nil {
		return surveyed
	}
	rooms, err := survey("../..", "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(rooms) < 20 {
		t.Fatalf("found %d packages", len(rooms))
	}
	modules, err := nestedModules("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range modules {
		if strings.HasPrefix(module, ".") || strings.Contains(module, "testdata") {
			continue
		}
		nested, err := surveyNested("../..", module)
		if err != nil {
			t.Fatal(err)
		}
		rooms = append(rooms, nested...)
	}
	surveyed = rooms
	return rooms
}

var (
	tableLine = regexp.MustCompile("(?m)^\\| `([^`]+)/` \\|[^|]*\\| ([^|]*) \\|$")
	quoted    = regexp.MustCompile("`([^`]+)`")
)

// importTable returns the folders of the table and what each imports, sorted.
func importTable(page string) map[string][]string {
	table := make(map[string][]string)
	for _, line := range tableLine.FindAllStringSubmatch(page, -1) {
		imports := []string{}
		for _, name := range quoted.FindAllStringSubmatch(line[2], -1) {
			imports = append(imports, name[1])
		}
		table[line[1]] = imports
	}
	return table
}

// rowOf returns the line of the table that a folder belongs to, "" for none.
func rowOf(table map[string][]string, folder string) string {
	for ; folder != "."; folder = filepath.ToSlash(filepath.Dir(folder)) {
		if _, ok := table[folder]; ok {
			return folder
		}
	}
	return ""
}
