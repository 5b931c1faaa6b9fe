package main

import (
	"os"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/neighbor"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/explain"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/forget"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/generate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/initialize"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/keys"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/seal"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/tags"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/command/vet"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

func main() {
	cli.SetGCPercent(cli.GCPercent)
	if args := os.Args[1:]; vet.IsTool(args) {
		vet.RunTool()
	}
	program().Main()
}

// program returns pkgen.
func program() *cli.Program {
	return &cli.Program{
		Name: "pkgen",
		Commands: []cli.Command{
			generate.Command(), initialize.Command(), explain.Command(), seal.Command(), forget.Command(),
			keys.Command(), vet.Command(), tags.Command(),
		},
		Common: []string{"init", "explain"},
		Others: []cli.Other{neighbor.Data(), neighbor.Emulator()},
	}
}
