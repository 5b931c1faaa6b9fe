package main

import (
	"flag"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write docs/cli.md anew")

// TestManual compares docs/cli.md with the table of commands.
func TestManual(t *testing.T) {
	clitest.Manual(t, program(), "../../docs/cli.md", "testdata/manual", *update)
}

// TestHelp holds each help to a screen. Analyze reads five sources, most with flags of
// their own.
func TestHelp(t *testing.T) { clitest.Help(t, program(), "analyze") }
