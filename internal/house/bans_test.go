//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

//go:embed bans.txt
var banList string

// ban says which packages must not reach which others, and why.
type ban struct {
	line     int // of bans.txt
	why      string
	from     []string
	never    []string
	directly bool // reaching through others is allowed
}

// parseBans reads bans.txt.
func parseBans(text string) ([]ban, error) {
	var all []ban
	next := ban{}
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
			if next.why != "" {
				return nil, fmt.Errorf("bans.txt:%d: a ban ends without never", i+1)
			}
		case next.why == "":
			next = ban{line: i + 1, why: line}
		case next.from == nil && words[0] == "from" && len(words) > 1:
			next.from = words[1:]
		case next.from != nil && words[0] == "never":
			next.never = words[1:]
			if len(words) > 1 && words[1] == "directly" {
				next.directly, next.never = true, words[2:]
			}
			all = append(all, next)
			next = ban{}
		default:
			return nil, fmt.Errorf("bans.txt:%d: a ban is its reason, then a line from, then a line never", i+1)
		}
	}
	return all, nil
}

// names tells whether a pattern names a package of a graph.
func names(pattern, pkg string, g graph) bool {
	pattern = strings.TrimPrefix(pattern, "-")
	below, tree := strings.CutSuffix(pattern, "/...")
	switch {
	case pattern == "*.*":
		first, _, _ := strings.Cut(pkg, "/")
		return !g.own[pkg] && strings.Contains(first, ".")
	case pattern == "./...":
		return g.own[pkg]
	case tree:
		return pkg == below || strings.HasPrefix(pkg, below+"/")
	}
	return pkg == pattern
}

// chosenBy returns the last pattern that names a package, "" if there is none or if it
// takes the package out.
func chosenBy(patterns []string, pkg string, g graph) string {
	for _, pattern := range slices.Backward(patterns) {
		if names(pattern, pkg, g) {
			if strings.HasPrefix(pattern, "-") {
				return ""
			}
			return pattern
		}
	}
	return ""
}

// together tells whether a package is named by the pattern of another, so that both may reach
// each other.
func together(by, pkg string, g graph) bool { return by != "./..." && names(by, pkg, g) }

// graph has the imports of each package: of the repository, by its folder, and of all that
// it is linked with.
type graph struct {
	imports map[string][]string
	own     map[string]bool
}

// broken returns the ways by which packages of a graph break a ban. A package is left out
// if one that it imports breaks the ban already.
func (b *ban) broken(g graph) []string {
	ways := map[string][]string{}
	for pkg := range g.own {
		if by := chosenBy(b.from, pkg, g); by != "" {
			if way := b.way(g, pkg, by); way != nil {
				ways[pkg] = way
			}
		}
	}
	var all []string
	for _, way := range ways {
		if len(way) == 2 || ways[way[1]] == nil {
			all = append(all, strings.Join(way, " imports "))
		}
	}
	slices.Sort(all)
	return all
}

// way returns the shortest way from a package to one that it must not reach, nil if there
// is none.
func (b *ban) way(g graph, pkg, by string) []string {
	before := map[string]string{pkg: ""}
	for queue := []string{pkg}; len(queue) > 0; queue = queue[1:] {
		for _, to := range g.imports[queue[0]] {
			if _, seen := before[to]; seen {
				continue
			}
			before[to] = queue[0]
			if chosenBy(b.never, to, g) != "" && !together(by, to, g) {
				way := []string{to}
				for at := queue[0]; at != ""; at = before[at] {
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if !b.directly {
				queue = append(queue, to)
			}
		}
	}
	return nil
}

// importGraph returns what all modules import, and what the packages of the root are linked with.
func importGraph(t *testing.T) graph {
	t.Helper()
	g := graph{imports: map[string][]string{}, own: map[string]bool{}}
	out, err := exec.CommandContext(t.Context(), "go", "-C", "../..", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		// Internal packages of the standard library have the names of folders here.
		if words := strings.Fields(line); !strings.HasPrefix(words[0], modulePath) && !strings.HasPrefix(words[0], "internal/") {
			g.imports[words[0]] = slices.DeleteFunc(words[1:], func(path string) bool { return strings.HasPrefix(path, "internal/") })
		}
	}
	for _, r := range surveyed(t) {
		if r.files > 0 || len(r.imports) > 0 {
			g.own[r.folder] = true
			g.imports[r.folder] = r.imports
		}
	}
	return g
}

func readBans(t *testing.T) []ban {
	t.Helper()
	bans, err := parseBans(banList)
	if err != nil {
		t.Fatal(err)
	}
	return bans
}

// TestBans holds the packages of all modules to bans.txt.
func TestBans(t *testing.T) {
	g := importGraph(t)
	for _, b := range readBans(t) {
		for _, way := range b.broken(g) {
			t.Errorf("bans.txt:%d: %s\n\t%s", b.line, way, b.why)
		}
	}
}

// TestBansBite lets a package of each pattern of each ban import one of each pattern that
// the ban is against. Each such import must be refused, and each pattern must name a package.
func TestBansBite(t *testing.T) {
	g := importGraph(t)
	packages := slices.Sorted(maps.Keys(g.imports))
	for _, r := range surveyed(t) { // paths of modules that the root does not require
		packages = append(packages, r.imports...)
	}
	for _, b := range readBans(t) {
		for _, pattern := range slices.Concat(b.from, b.never) {
			if !slices.ContainsFunc(packages, func(pkg string) bool { return names(pattern, pkg, g) }) {
				t.Errorf("bans.txt:%d: %s names no package", b.line, pattern)
			}
		}
		for _, from := range b.from {
			at := slices.IndexFunc(packages, func(pkg string) bool { return g.own[pkg] && chosenBy(b.from, pkg, g) == from })
			if at < 0 {
				if !strings.HasPrefix(from, "-") {
					t.Errorf("bans.txt:%d: %s holds no package", b.line, from)
				}
				continue
			}
			for _, never := range b.never {
				to := slices.IndexFunc(packages, func(pkg string) bool {
					return chosenBy(b.never, pkg, g) == never && !together(from, pkg, g) && pkg != packages[at]
				})
				if to < 0 {
					if !strings.HasPrefix(never, "-") && !slices.Contains(b.from, never) {
						t.Errorf("bans.txt:%d: %s keeps nothing from %s", b.line, never, from)
					}
					continue
				}
				violated := graph{imports: maps.Clone(g.imports), own: g.own}
				violated.imports[packages[at]] = append(slices.Clone(g.imports[packages[at]]), packages[to])
				if b.way(violated, packages[at], from) == nil {
					t.Errorf("bans.txt:%d: %s may import %s", b.line, packages[at], packages[to])
				}
			}
		}
	}
}
