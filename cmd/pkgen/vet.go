package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/vet"
)

// bindVet is pkgen vet.
func bindVet(flags *flag.FlagSet) action {
	v := &vetting{
		tags:  flags.String("tags", "", "build tags, a comma-separated `list`"),
		tests: flags.Bool("test", true, "check test files too"),
		fix:   flags.Bool("fix", false, "apply the fixes that are certain"),
	}
	return v.run
}

// vetting holds the flags of pkgen vet.
type vetting struct {
	tags       *string
	tests, fix *bool
}

// run analyzes packages, with the documents of those that they import.
func (v *vetting) run(ctx context.Context, patterns []string, _, stderr io.Writer) int {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	config := &packages.Config{Context: ctx, Tests: *v.tests}
	if *v.tags != "" {
		config.BuildFlags = []string{"-tags=" + *v.tags}
	}
	pkgs, err := loadConcerned(config, patterns)
	if err != nil {
		return fail(stderr, err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		return fail(stderr, err)
	}
	found, err := findings(graph)
	if err != nil {
		return fail(stderr, err)
	}
	if *v.fix {
		if found, err = applyFixes(found); err != nil {
			return fail(stderr, err)
		}
	}
	for _, f := range found {
		fmt.Fprintln(stderr, f)
	}
	if len(found) > 0 {
		return exitStale
	}
	return exitDone
}

// isVetTool reports whether the arguments are those of the go command to a tool
// of go vet: what are you, what flags have you, and the description of a
// package (golang.org/x/tools/go/analysis/unitchecker).
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// runVetTool answers the go command and ends the process, as the protocol wants
// it.
func runVetTool() {
	unitchecker.Main(vet.Analyzer)
}
