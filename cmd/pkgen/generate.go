package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// generating holds the flags of pkgen without a subcommand.
type generating struct {
	load                                  loading
	check, diff, toStdout, accept, ensure bool
	format                                *choice
}

// bindGenerate is pkgen without a subcommand.
func bindGenerate(flags *flag.FlagSet) action {
	g := &generating{load: loadFlags(flags)}
	flags.BoolVar(&g.check, "check", false, "write nothing; exit with 1 if stale or a draft")
	flags.BoolVar(&g.diff, "diff", false, "write nothing; print a diff, exit with 1 if any")
	flags.BoolVar(&g.toStdout, "stdout", false, "write nothing; print the Go files")
	flags.BoolVar(&g.accept, "accept-key-change", false, "let keys change; stored documents are not found")
	flags.BoolVar(&g.ensure, "ensure", false, "write EnsureContainers; later runs keep it current")
	g.format = newChoice(flags, "format", formatText, "how findings are printed", formatText, formatGitHub, formatJSON)
	return g.run
}

func (g *generating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if modes := count(g.check, g.diff, g.toStdout); modes > 1 {
		return fail(stderr, errors.New("-check, -diff and -stdout exclude each other: give one of them"))
	}
	if g.format.value == formatJSON && (g.diff || g.toStdout) {
		return fail(stderr, errors.New("-format json takes standard output, which -diff and -stdout print to: use -check"))
	}
	p := newPrinter(g.format.value, stdout, stderr)
	result, err := g.load.loadBy(ctx, args, generator.Options{AcceptKeyChange: g.accept, Ensure: g.ensure}, stderr)
	code := exitError
	if err == nil {
		code = report(p, result.Diagnostics)
	}
	if code == exitDone {
		if len(result.Types) == 0 && len(result.Files) == 0 && g.format.value == formatText {
			fmt.Fprintln(stderr, "pkgen:", noTypes)
		}
		code, err = g.finish(result, args, p, stdout, stderr)
	}
	if err != nil {
		code = exitError
		p.failure(err)
	}
	if err := p.flush(); err != nil {
		return fail(stderr, err)
	}
	return code
}

// finish does what the flags ask for with a result that has no errors.
func (g *generating) finish(result *generator.Result, args []string, p printer, stdout, stderr io.Writer) (int, error) {
	switch {
	case g.check:
		return max(g.listStale(result, args, p, stdout), g.listDrafts(result, args, p, stdout)), nil
	case g.diff:
		return printDiff(stdout, result), nil
	case g.toStdout:
		return printFiles(stdout, result), nil
	}
	if err := result.Commit(); err != nil {
		return exitError, err
	}
	if isTerminal(stderr) {
		for _, f := range result.Files {
			if f.Stale() {
				fmt.Fprintln(stderr, done(f), plain.Word(shown(f.Path)))
			}
		}
		if drafts, command := g.draftTypes(result, args); len(drafts) > 0 {
			fmt.Fprintf(stderr, "%d of the layouts are drafts, which stay on this machine: %s binds them\n", len(drafts), command)
		}
	}
	return exitDone, nil
}

// count returns how many flags are set.
func count(flags ...bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// printFiles prints the Go files, each below a line with its path if there are
// several, as in a txtar archive.
func printFiles(stdout io.Writer, result *generator.Result) int {
	var files []generator.File
	for _, f := range result.Files {
		if f.New != nil && filepath.Ext(f.Path) == ".go" {
			files = append(files, f)
		}
	}
	for _, f := range files {
		if len(files) > 1 {
			fmt.Fprintf(stdout, "-- %s --\n", plain.Word(filepath.ToSlash(shown(f.Path))))
		}
		_, _ = stdout.Write(f.New)
	}
	return exitDone
}

// done says what Commit did to a file.
func done(f generator.File) string {
	if f.New == nil {
		return "removed"
	}
	return "wrote"
}

// split cuts a comma-separated list.
func split(list string) []string {
	var words []string
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}
