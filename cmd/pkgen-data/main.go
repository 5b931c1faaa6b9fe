// Pkgen-data looks after stored documents: it shows what keys do with them, compares them
// with pkgen.lock, and copies, moves and rewrites them.
//
// Its commands, their flags and the JSON that they print are in docs/cli.md. The command
// pkgen runs them too, if both have one version:
//
//	go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen-data
//	go tool pkgen-data verify ./...
//	go tool pkgen verify ./...
package main

import (
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/doctor"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/dump"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/migrate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/movetenant"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/simulate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/upgrade"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/verify"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

func main() {
	cli.SetGCPercent(cli.GCPercent)
	program().Main()
}

// program returns pkgen-data.
func program() *cli.Program {
	first := cli.Group("look after stored documents", "Shows how keys spread stored documents, compares documents with pkgen.lock, and copies, moves and rewrites them.",
		[2]string{"pkgen-data verify ./...", ""})
	return &cli.Program{
		Name: "pkgen-data",
		Commands: append(append([]cli.Command{first}, analyze.Commands()...),
			simulate.Command(), verify.Command(), migrate.Command(), movetenant.Command(),
			upgrade.Command(), dump.Command(), load.Command(), doctor.Command()),
	}
}
