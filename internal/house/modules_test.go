//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
		if len(words) == 4 && words[3] == "tagged" {
			words = words[:3]
		}
		if len(words) != 3 || !slices.Contains([]string{"race", "plain", "none"}, words[1]) || !slices.Contains([]string{"modules", "judges", "-"}, words[2]) {
			t.Errorf(".ci/modules: %q is not a folder, one of race, plain and none, a job, and perhaps tagged", line)
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

// nestedModules returns the folders below the root of the repository that have a
// go.mod of their own, with slashes. Folders that git or npm own are left out.
func nestedModules(root string) ([]string, error) {
	var folders []string
	err := walk(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if entry.Name() != "go.mod" {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err == nil && folder != "." {
			folders = append(folders, filepath.ToSlash(folder))
		}
		return err
	})
	return folders, err
}
