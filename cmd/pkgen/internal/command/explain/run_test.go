package explain

import (
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/generate"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// run runs a program that has this command.
var run = (&cli.Program{Name: "pkgen", Commands: []cli.Command{generate.Command(), Command()}}).Run
