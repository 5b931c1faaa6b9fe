package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
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
	clitest.Scripts{Folder: "testdata/script", Long: longScripts, Update: *update, Path: clitest.Build(t, "pkgen-data", "pkgen-emulator")}.Run(t)
}

// longScripts call the command often, or wait for a second.
var longScripts = []string{
	"apis.txtar", "broken.txtar", "cache.txtar", "check.txtar", "container.txtar", "diff.txtar", "draft.txtar", "ensure.txtar",
	"flags.txtar", "format.txtar", "help.txtar", "init.txtar", "keys.txtar", "lock.txtar", "neighbours.txtar",
	"progress.txtar", "properties.txtar", "tiers.txtar", "vet.txtar", "words.txtar",
}
