package main

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/neighbor"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write docs/cli.md anew")

// TestManual compares docs/cli.md with the table of commands.
func TestManual(t *testing.T) {
	clitest.Manual(t, program(), "../../docs/cli.md", "testdata/manual", *update)
}

// TestHelp holds each help to a screen. Analyze reads five sources, most with flags of
// their own.
func TestHelp(t *testing.T) { clitest.Help(t, program(), "analyze", "calls", "rulog") }

// TestNeighbor compares the commands that pkgen runs with those that there are.
func TestNeighbor(t *testing.T) {
	var want []cli.Summary
	for _, c := range program().Commands[1:] {
		want = append(want, cli.Summary{Name: c.Name, Help: c.Help})
	}
	if diff := cmp.Diff(want, neighbor.Data().Commands); diff != "" {
		t.Errorf("package neighbor lacks (-), or has too much (+):\n%s", diff)
	}
}
