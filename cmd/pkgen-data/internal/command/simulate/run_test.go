package simulate

import (
	"flag"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

var update = flag.Bool("update", false, "record what tests compare")

// run runs a program that has this command.
var run = (&cli.Program{Name: "pkgen-data", Commands: []cli.Command{cli.Group("", ""), Command()}}).Run
