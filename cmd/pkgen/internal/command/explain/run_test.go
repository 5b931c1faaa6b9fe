package explain

import (
	"context"
	"io"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/generate"
)

// run runs a program that has this command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := cli.Program{Name: "pkgen", Commands: []cli.Command{generate.Command(), Command()}}
	return p.Run(ctx, args, stdout, stderr)
}
