package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator"
)

var update = flag.Bool("update", false, "write pairs.txt")

// TestPairs asks pkgen for each two features on one type, and compares what it says with
// pairs.txt.
func TestPairs(t *testing.T) {
	dir, err := os.MkdirTemp(".", "testdata-") //nolint:usetesting // it is to be in this module
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	o, sealed := generator.Options{Dir: dir}, generator.Options{Dir: dir, Seal: true}
	var names []string
	write := func(name string, on []feature) {
		if err := os.WriteFile(filepath.Join(dir, name, "t.go"), []byte(file("p", "", sources(typeName(on), on))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := map[string][]feature{} // of types that grow: the release after the one that is sealed
	for i, a := range features {
		for _, b := range features[i+1:] {
			if a.layout && b.layout || a.place && b.place {
				continue
			}
			on := []feature{a, b}
			if !a.layout {
				on = append([]feature{features[0]}, on...)
			}
			name := a.name + "_" + b.name
			names = append(names, name)
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
			o.Patterns = append(o.Patterns, "./"+name)
			if a.sealed != "" {
				now[name], on = on, slices.Clone(on)
				on[0].vin = a.sealed
				sealed.Patterns = append(sealed.Patterns, "./"+name)
			}
			write(name, on)
		}
	}
	before, err := generator.Generate(context.Background(), sealed)
	if err == nil {
		err = before.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, on := range now {
		write(name, on)
	}
	result, err := generator.Generate(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, d := range result.Diagnostics {
		if d.Severity == generator.Error {
			at := filepath.Base(filepath.Dir(d.Pos.Filename))
			if said[at] == "" {
				said[at] = ": " + d.Message
			}
		}
	}
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s%s\n", strings.Replace(name, "_", " ", 1), said[name])
	}
	if *update {
		if err := os.WriteFile("pairs.txt", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(pairs, b.String()); diff != "" && !*update {
		t.Errorf("pairs.txt, and what pkgen says; run go test -update, then go generate:\n%s", diff)
	}
}

// TestTriples counts the triples whose pairs pkgen accepts, and those that a type has, as
// CONTRIBUTING.md says it. Types are written for pairs: most of the other triples have a place,
// or purged, and two further features.
func TestTriples(t *testing.T) {
	together := accepted()
	all, covered := 0, 0
	on := func(has []feature, name string) bool {
		return slices.ContainsFunc(has, func(f feature) bool { return f.name == name })
	}
	var made [][]feature
	for place := range entries {
		made = append(made, types(together, place)...)
	}
	for i, a := range features {
		for j, b := range features[i+1:] {
			for _, c := range features[i+j+2:] {
				if !together[[2]string{a.name, b.name}] || !together[[2]string{a.name, c.name}] || !together[[2]string{b.name, c.name}] {
					continue
				}
				all++
				if slices.ContainsFunc(made, func(has []feature) bool { return on(has, a.name) && on(has, b.name) && on(has, c.name) }) {
					covered++
				}
			}
		}
	}
	if all != 1656 || covered != 1376 {
		t.Errorf("%d of %d triples are on a type: write that into CONTRIBUTING.md", covered, all)
	}
}

// TestTypesHaveAllPairs looks at the types that are written.
func TestTypesHaveAllPairs(t *testing.T) {
	together := accepted()
	covered := map[[2]string]bool{}
	for place := range entries {
		for _, on := range types(together, place) {
			for _, a := range on {
				for _, b := range on {
					covered[[2]string{a.name, b.name}] = true
				}
			}
		}
	}
	for p := range together {
		if !covered[p] {
			t.Errorf("no type has %s and %s", p[0], p[1])
		}
	}
	if len(together) < 100 {
		t.Errorf("%d pairs", len(together)/2)
	}
}

// TestCombinations writes docs/combinations.md from pairs.txt: each pair that pkgen refuses has
// one reason.
func TestCombinations(t *testing.T) {
	want, err := combinations()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range features {
		if words[f.name][0] == "" {
			t.Errorf("%s has no words", f.name)
		}
	}
	const path = "../../../docs/combinations.md"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("docs/combinations.md (-), and what pkgen says (+); run go test -update:\n%s", diff)
	}
}
