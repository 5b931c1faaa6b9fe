package main

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestModulesOfTheGate finds each module of the tree in .ci/modules, and the other
// way round: ./... ends where a module of its own begins, so a module that the list
// does not have would never be tested.
func TestModulesOfTheGate(t *testing.T) {
	list, err := os.ReadFile("../../.ci/modules")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) != 2 || !slices.Contains([]string{"race", "plain", "none"}, words[1]) {
			t.Errorf(".ci/modules: %q is not a folder and one of race, plain, none", line)
			continue
		}
		listed[words[0]] = true
	}
	found, err := nestedModules("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range found {
		if !listed[folder] {
			t.Errorf("%s has a go.mod, so go test ./... leaves it out: add a line to .ci/modules", path.Join(folder, "go.mod"))
		}
		delete(listed, folder)
	}
	for folder := range listed {
		t.Errorf(".ci/modules has a line for %s, which has no go.mod: remove the line", folder)
	}
}
