package generate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen without a subcommand.
func Command() cli.Command {
	return cli.Command{
		Arguments: "[packages]", Help: "write keys and repositories",
		About:    "Writes a partition key and a typed repository for each type with cosmos tags.",
		Examples: [][2]string{{"pkgen ./...", "the whole module"}, {"pkgen -check ./...", "fail if a file is out of date, for CI"}},
		Bind:     bindGenerate,
	}
}

// generating holds the flags of pkgen without a subcommand.
type generating struct {
	load                                         load.Flags
	check, diff, toStdout, accept, ensure, admin bool
	format                                       *cli.Choice
}

// bindGenerate declares the flags of pkgen without a subcommand.
func bindGenerate(flags *flag.FlagSet) cli.Action {
	g := &generating{load: load.NewFlags(flags)}
	flags.BoolVar(&g.check, "check", false, "write nothing; exit with 1 on stale files or drafts")
	flags.BoolVar(&g.diff, "diff", false, "write nothing; print a diff, and exit with 1 if any")
	flags.BoolVar(&g.toStdout, "stdout", false, "write nothing; print the Go files")
	flags.BoolVar(&g.accept, "accept-key-change", false, "let keys change, and make them drafts")
	flags.BoolVar(&g.ensure, "ensure", false, "write EnsureContainers; later runs keep it current")
	flags.BoolVar(&g.admin, "admin", false, "write a program for operators")
	g.format = cli.NewChoice(flags, "format", cli.FormatText, "how findings are printed", cli.FormatText, cli.FormatGitHub, cli.FormatJSON)
	return g.run
}

func (g *generating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if modes := cli.Count(g.check, g.diff, g.toStdout); modes > 1 {
		return cli.Fail(stderr, errors.New("-check, -diff and -stdout exclude each other: give one of them"))
	}
	if g.format.Value == cli.FormatJSON && (g.diff || g.toStdout) {
		return cli.Fail(stderr, errors.New("-format json and -diff or -stdout both print to standard output: use -check"))
	}
	p := load.NewPrinter(g.format.Value, stdout, stderr)
	result, err := g.load.Load(ctx, args, generator.Options{AcceptKeyChange: g.accept, Ensure: g.ensure, Admin: g.admin}, stderr)
	code := cli.Failed
	if err == nil {
		code = load.Report(p, result.Diagnostics)
	}
	if code == cli.Done {
		if len(result.Types) == 0 && len(result.Files) == 0 && g.format.Value == cli.FormatText {
			fmt.Fprintln(stderr, "pkgen:", load.NoTypes)
		}
		code, err = g.finish(result, args, p, stdout, stderr)
	}
	if err != nil {
		code = cli.Failed
		p.Failure(err)
	}
	if err := p.Flush(); err != nil {
		return cli.Fail(stderr, err)
	}
	return code
}

// finish acts on a result without errors according to the flags.
func (g *generating) finish(result *generator.Result, args []string, p load.Printer, stdout, stderr io.Writer) (int, error) {
	switch {
	case g.check:
		return max(g.listStale(result, args, p, stdout), g.listDrafts(result, args, p, stdout)), nil
	case g.diff:
		return printDiff(stdout, result), nil
	case g.toStdout:
		return printFiles(stdout, result), nil
	}
	if err := result.Commit(); err != nil {
		return cli.Failed, err
	}
	if cli.IsTerminal(stderr) {
		for _, f := range result.Files {
			if f.Stale() {
				fmt.Fprintln(stderr, done(f), plain.Word(cli.Shown(f.Path)))
			}
		}
		if drafts, command := g.draftTypes(result, args); len(drafts) > 0 {
			fmt.Fprintln(stderr, toSeal(len(drafts), command))
		}
	}
	return cli.Done, nil
}

// printFiles prints the Go files. If there are several, each follows a line with its path, as in a
// txtar archive.
func printFiles(stdout io.Writer, result *generator.Result) int {
	var files []generator.File
	for _, f := range result.Files {
		if f.New != nil && filepath.Ext(f.Path) == ".go" {
			files = append(files, f)
		}
	}
	for _, f := range files {
		if len(files) > 1 {
			fmt.Fprintf(stdout, "-- %s --\n", plain.Word(filepath.ToSlash(cli.Shown(f.Path))))
		}
		_, _ = stdout.Write(f.New)
	}
	return cli.Done
}

// done returns what Commit did to a file.
func done(f generator.File) string {
	if f.New == nil {
		return "removed"
	}
	return "wrote"
}
