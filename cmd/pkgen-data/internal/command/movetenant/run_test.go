package movetenant

import (
	"context"
	"io"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
)

// run runs a program that has this command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := cli.Program{Name: "pkgen-data", Commands: []cli.Command{cli.Group("", ""), Command()}}
	return p.Run(ctx, args, stdout, stderr)
}

// testRig is an account, and a package with a lock.
type testRig struct{ *rig.Rig }

func newRig(t *testing.T) *testRig {
	t.Helper()
	return &testRig{rig.New(t)}
}
