package vet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/vet"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// TestLoadConcerned knows the documents of packages that the patterns do not
// match, and reads of what is imported no more than those.
func TestLoadConcerned(t *testing.T) {
	t.Parallel()
	pkgs, err := loadConcerned(&packages.Config{Dir: "../../../../../example"}, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != 1 {
		t.Fatalf("%v are checked, want the package itself", pkgs)
	}
	read := make(map[string]bool)
	packages.Visit(pkgs, nil, func(p *packages.Package) { read[p.PkgPath] = len(p.Syntax) > 0 })
	const module = "github.com/cosmos-pkgen/pkgen/"
	for path, want := range map[string]bool{module + "example/fleet": true, module + "repository": false, "net/http": false} {
		if got, ok := read[path]; !ok || got != want {
			t.Errorf("%s is read: %v, want %v", path, got, want)
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if facts := graph.Roots[0].AllObjectFacts(); len(facts) < 3 {
		t.Errorf("facts %v, want those of the documents in three packages", facts)
	}
}

func TestLoadConcernedNothing(t *testing.T) {
	pkgs, err := loadConcerned(&packages.Config{Dir: "../../../../../internal/spelling", Tests: true}, []string{"."})
	if err != nil || len(pkgs) > 0 {
		t.Errorf("%v, %v: want nothing to check", pkgs, err)
	}
}

// TestLoadConcernedStale checks a package that only its guard keeps from being
// compiled, since the source has changed, and none with another error.
func TestLoadConcernedStale(t *testing.T) {
	seeds.Gate(t, "type-checks all that a package imports")
	t.Parallel()
	path, err := filepath.Abs("../../../../../example/fleet/vehicle_event.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(source), `json:"speed"`, `json:"haste"`, 1) // of one length: the checker reads positions from the file
	stale := &packages.Config{Dir: filepath.Dir(path), Overlay: map[string][]byte{path: []byte(changed)}}
	pkgs, err := loadConcerned(stale, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	root := graph.Roots[0]
	if root.Err != nil || len(root.Diagnostics) != 1 || !strings.Contains(root.Diagnostics[0].Message, "vehicle_event_cosmos.go is not what pkgen writes for VehicleEvent") {
		t.Errorf("found %v, %v: want the stale file", root.Diagnostics, root.Err)
	}
	broken := &packages.Config{Dir: filepath.Dir(path), Overlay: map[string][]byte{path: []byte(changed + "\nvar _ Missing\n")}}
	if _, err := loadConcerned(broken, []string{"."}); err == nil || !strings.Contains(err.Error(), "undefined: Missing") {
		t.Errorf("got %v, want the error that is not of a guard", err)
	}
}
