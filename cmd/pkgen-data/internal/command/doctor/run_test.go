package doctor

import (
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// run runs a program that has this command.
var run = (&cli.Program{Name: "pkgen-data", Commands: []cli.Command{cli.Group("", ""), Command()}}).Run
