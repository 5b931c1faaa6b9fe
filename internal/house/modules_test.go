package main

import (
	"os"
	"os/exec"
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
		if len(words) == 3 && words[2] == "tagged" {
			words = words[:2]
		}
		if len(words) != 2 || !slices.Contains([]string{"race", "plain", "none"}, words[1]) {
			t.Errorf(".ci/modules: %q is not a folder, one of race, plain and none, and perhaps tagged", line)
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

// TestNoDriver holds what all APIs share to the standard library and this repository:
// a program that uses one API must not get the driver of another.
func TestNoDriver(t *testing.T) {
	shared := []string{"repository/generated", "partition", "internal/documents", "internal/failure", "internal/condition", "internal/meter", "internal/flat"}
	arguments := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}
	for _, folder := range shared {
		if _, err := os.Stat(path.Join("../..", folder)); err == nil {
			arguments = append(arguments, modulePath+"/"+folder)
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for dependency := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(dependency, modulePath+"/") && dependency != "github.com/twmb/murmur3" {
			t.Errorf("what the APIs share imports %s", dependency)
		}
	}
}
