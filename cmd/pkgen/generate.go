package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// generating holds the flags of pkgen without a subcommand.
type generating struct {
	load                          loading
	check, diff, toStdout, accept bool
}

// bindGenerate is pkgen without a subcommand.
func bindGenerate(flags *flag.FlagSet) action {
	g := &generating{load: loadFlags(flags)}
	flags.BoolVar(&g.check, "check", false, "write nothing; list stale files, exit with 1 if any")
	flags.BoolVar(&g.diff, "diff", false, "write nothing; print a diff, exit with 1 if not empty")
	flags.BoolVar(&g.toStdout, "stdout", false, "write nothing; print the Go files")
	flags.BoolVar(&g.accept, "accept-key-change", false, "let keys change: stored documents get lost")
	return g.run
}

func (g *generating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if modes := count(g.check, g.diff, g.toStdout); modes > 1 {
		return fail(stderr, errors.New("-check, -diff and -stdout exclude each other: give one of them"))
	}
	result, code := g.load.generate(ctx, args, g.accept, stderr)
	if code != exitDone {
		return code
	}
	switch {
	case g.check:
		return listStale(stdout, result)
	case g.diff:
		return printDiff(stdout, result)
	case g.toStdout:
		return printFiles(stdout, result)
	}
	if err := result.Commit(); err != nil {
		return fail(stderr, err)
	}
	if isTerminal(stderr) {
		for _, f := range result.Files {
			if f.Stale() {
				fmt.Fprintln(stderr, done(f), shown(f.Path))
			}
		}
	}
	return exitDone
}

func count(flags ...bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// listStale prints the path of each file that is out of date.
func listStale(stdout io.Writer, result *generator.Result) int {
	code := exitDone
	for _, f := range result.Files {
		if f.Stale() {
			fmt.Fprintln(stdout, shown(f.Path))
			code = exitStale
		}
	}
	return code
}

// printDiff prints what Commit would change.
func printDiff(stdout io.Writer, result *generator.Result) int {
	code := exitDone
	for _, f := range result.Files {
		if !f.Stale() {
			continue
		}
		code = exitStale
		name := filepath.ToSlash(shown(f.Path))
		before, after := "a/"+name, "b/"+name
		if f.Old == nil {
			before = "/dev/null"
		}
		if f.New == nil {
			after = "/dev/null"
		}
		text := diff.Diff(before, f.Old, after, f.New)
		// The first line repeats the names as a diff command would.
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasPrefix(text, []byte("diff ")) {
			text = rest
		}
		_, _ = stdout.Write(text)
	}
	return code
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
			fmt.Fprintf(stdout, "-- %s --\n", filepath.ToSlash(shown(f.Path)))
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
