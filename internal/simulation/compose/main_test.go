//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/combinations"
)

var update = flag.Bool("update", false, "write docs/combinations.md")

// TestPairs asks pkgen for each two features on one type: it takes the pair, or says what the
// table of combinations says.
func TestPairs(t *testing.T) {
	dir, err := os.MkdirTemp(".", "testdata-") //nolint:usetesting // it is to be in this module
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	o, sealed := generator.Options{Dir: dir}, generator.Options{Dir: dir, Seal: true}
	var names []string
	want := map[string]string{} // a part of the message; "" of a pair that works
	write := func(name string, on []feature) {
		if err := os.WriteFile(filepath.Join(dir, name, "t.go"), []byte(file("p", "", sources(typeName(on), on))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := map[string][]feature{} // of types that grow: the release after the one that is sealed
	for i, a := range features {
		for _, b := range features[i+1:] {
			if a.layout && b.layout {
				continue
			}
			on := []feature{a, b}
			if !a.layout {
				on = append([]feature{features[0]}, on...)
			}
			name := a.name + "_" + b.name
			names = append(names, name)
			if r := of(a, b); r != nil {
				want[name] = r.Message(other(r, a, b))
			}
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
		if at := filepath.Base(filepath.Dir(d.Pos.Filename)); d.Severity == generator.Error && said[at] == "" {
			said[at] = d.Message
		}
	}
	for _, name := range names {
		if (said[name] == "") != (want[name] == "") || !strings.Contains(said[name], want[name]) {
			t.Errorf("%s: pkgen says %q, want %q", name, said[name], want[name])
		}
	}
}

// other returns which of two features is not the one of a refusal.
func other(r *combinations.Refusal, a, b feature) combinations.Feature {
	if r.Feature == combinations.Feature(a.name) {
		return combinations.Feature(b.name)
	}
	return combinations.Feature(a.name)
}

// TestTriples counts the triples whose pairs pkgen accepts, and those that a type has, as
// docs/decisions/simulation.md says it. Types are written for pairs: most of the other triples have a place,
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
	if all != 3339 || covered != 2904 {
		t.Errorf("%d of %d triples are on a type: write that into docs/decisions/simulation.md", covered, all)
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

// TestCombinations writes docs/combinations.md from the table.
func TestCombinations(t *testing.T) {
	for i, f := range features {
		if i >= len(combinations.All) || string(combinations.All[i].Feature) != f.name {
			t.Fatalf("%s is not the feature of its place in the table of combinations", f.name)
		}
	}
	want := page()
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
