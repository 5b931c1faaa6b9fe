package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

func TestMain(m *testing.M) {
	testgc.Less()
	testscript.Main(m, map[string]func(){"pkgen": main})
}

// run runs pkgen without the process around it.
var run = program().Run

// TestScript runs the command lines in testdata/script. Some of them have pkgen run
// pkgen-data and pkgen-emulator.
func TestScript(t *testing.T) {
	harness.Unraced(t) // a process a command
	var without []string
	if !*update && seeds.Part(t, "scripts that call the command often, or wait for a second") {
		without = longestScripts
	}
	if testing.Short() {
		without = append(without, longScripts...)
	}
	clitest.Scripts{Folder: "testdata/script", Without: without, Update: *update, Path: clitest.Build(t, "pkgen-data", "pkgen-emulator")}.Run(t)
}

// longestScripts are for the gate.
var longestScripts = []string{
	"draft.txtar", "ensure.txtar", "forms.txtar", "init.txtar", "left.txtar", "lock.txtar", "merge.txtar", "neighbours.txtar",
	"progress.txtar", "properties.txtar", "twice.txtar", "unseen.txtar", "vet.txtar",
}

// longScripts are left out by -short, too.
var longScripts = []string{
	"apis.txtar", "broken.txtar", "cache.txtar", "check.txtar", "container.txtar", "diff.txtar",
	"flags.txtar", "format.txtar", "help.txtar", "keys.txtar", "tiers.txtar", "words.txtar",
}
