package vet

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

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/generator/vet"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Command is pkgen vet.
func Command() cli.Command {
	return cli.Command{
		Name: "vet", Arguments: "[packages]",
		Help: "find mistakes in tags and in the use of generated code",
		About: "Finds tags that pkgen would refuse, generated code that does not match the tags, key fields that are changed " +
			"before a document is stored again, partition keys made by hand for the container of a repository, bulk operations and " +
			"transactions that never run, and conditions and errors of queries that are ignored. Vet writes nothing without -fix. The exit code is 1 if there are findings.",
		Examples: [][2]string{{"pkgen vet ./...", ""}, {"go vet -vettool=$(go tool -n pkgen) ./...", "caches results"}},
		Bind:     bindVet,
	}
}

// bindVet declares the flags of pkgen vet.
func bindVet(flags *flag.FlagSet) cli.Action {
	v := &vetting{
		format: cli.NewChoice(flags, "format", cli.FormatText, "how findings are printed", cli.FormatText, cli.FormatGitHub, cli.FormatJSON),
		tags:   flags.String("tags", "", "build tags, a comma-separated `list`"),
		tests:  flags.Bool("test", true, "check test files too"),
		fix:    flags.Bool("fix", false, "apply the fixes that are certain"),
	}
	return v.run
}

// vetting holds the flags of pkgen vet.
type vetting struct {
	tags       *string
	tests, fix *bool
	format     *cli.Choice
}

// run analyzes packages, with the documents of their imports.
func (v *vetting) run(ctx context.Context, patterns []string, stdout, stderr io.Writer) int {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	config := &packages.Config{Context: ctx, Tests: *v.tests}
	if *v.tags != "" {
		config.BuildFlags = []string{"-tags=" + *v.tags}
	}
	pkgs, err := loadConcerned(config, patterns)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	found, err := findings(graph)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if *v.fix {
		if found, err = applyFixes(found); err != nil {
			return cli.Fail(stderr, err)
		}
	}
	if err := v.print(found, stdout, stderr); err != nil {
		return cli.Fail(stderr, err)
	}
	if len(found) > 0 {
		return cli.Found
	}
	return cli.Done
}

// print prints findings in the format of the flags; text goes to standard error.
func (v *vetting) print(found []finding, stdout, stderr io.Writer) error {
	if v.format.Value == cli.FormatText {
		for _, f := range found {
			fmt.Fprintln(stderr, f)
		}
		return nil
	}
	p := load.NewPrinter(v.format.Value, stdout, stderr)
	for _, f := range found {
		pos := f.pos
		pos.Filename = cli.Shown(pos.Filename)
		p.Diagnostic(generator.Diagnostic{Pos: pos, Severity: generator.Error, Message: f.message})
	}
	return p.Flush()
}

// IsTool reports whether the arguments come from the go command to a tool of go vet: a query of its
// version or flags, or the description of a package (golang.org/x/tools/go/analysis/unitchecker).
func IsTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// RunTool answers the go command and exits, as the protocol requires.
func RunTool() {
	unitchecker.Main(vet.Analyzer)
}
