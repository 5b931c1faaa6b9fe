package doctor

import (
	"context"
	"io"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
)

// run runs a program that has this command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := cli.Program{Name: "pkgen-data", Commands: []cli.Command{cli.Group("", ""), Command()}}
	return p.Run(ctx, args, stdout, stderr)
}
