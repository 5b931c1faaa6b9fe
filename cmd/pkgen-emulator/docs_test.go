package main

import (
	"flag"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-emulator/internal/serve"
	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write docs/cli.md anew")

// TestManual compares docs/cli.md with the table of commands.
func TestManual(t *testing.T) {
	clitest.Manual(t, serve.Program(), "../../docs/cli.md", "testdata/manual", *update)
}

// TestHelp holds each help to a screen; that of the server may be a few lines longer.
func TestHelp(t *testing.T) { clitest.Help(t, serve.Program(), "") }
