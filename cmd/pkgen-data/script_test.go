package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

func TestMain(m *testing.M) {
	testgc.Less()
	testscript.Main(m, map[string]func(){"pkgen-data": main})
}

// TestScript runs the command lines in testdata/script, in which the commands of
// account_script_test.go serve an account. Pkgen generates what doctor looks at.
func TestScript(t *testing.T) {
	clitest.Scripts{
		Folder: "testdata/script", Update: *update, Path: clitest.Build(t, "pkgen"),
		Commands: map[string]func(*testscript.TestScript, bool, []string){"account": serveAccount, "lines": makeLines},
	}.Run(t)
}
