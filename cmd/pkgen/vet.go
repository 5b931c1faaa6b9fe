package main

import (
	"context"
	"errors"
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

// run analyzes packages with all that they import.
func (v *vetting) run(ctx context.Context, patterns []string, _, stderr io.Writer) int {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	config := &packages.Config{Context: ctx, Mode: packages.LoadAllSyntax, Tests: *v.tests}
	if *v.tags != "" {
		config.BuildFlags = []string{"-tags=" + *v.tags}
	}
	pkgs, err := packages.Load(config, patterns...)
	if err == nil {
		err = loadErrors(pkgs)
	}
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

// loadErrors returns what keeps packages from being analyzed: one that does not
// compile has no types to go by.
func loadErrors(pkgs []*packages.Package) error {
	var errs []error
	for _, p := range pkgs {
		for _, e := range p.Errors {
			if path, place, ok := strings.Cut(e.Pos, ".go:"); ok {
				e.Pos = shown(path+".go") + ":" + place
			}
			errs = append(errs, e)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("vet needs packages that compile; if generated code is missing or out of date, run pkgen first:\n%w", errors.Join(errs...))
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
