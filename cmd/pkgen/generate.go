package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cosmos-pkgen/pkgen/generator"
)

const generateUsage = `Usage: pkgen [flags] [packages]

Writes <type>_cosmos.go beside each struct type that has cosmos tags: its
partition key and a typed repository. Packages are named as for go build. How
keys are made is kept in pkgen.lock, one file for each package: check it in. A
key that would change is refused with exit code 3, since documents are found
under the key that they were stored with.

	pkgen                           the package in this folder
	pkgen ./...                     the whole module
	pkgen -check ./...              fail if something is out of date, for CI
	pkgen explain ./...             how keys are made and what methods cost
	pkgen keys -lang java -type T   the key of T in another language
	pkgen tags                      the words of the cosmos tag
	pkgen emulator                  Cosmos DB in memory, for tests

Flags:
`

// runGenerate is pkgen without a subcommand.
func runGenerate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := newFlags("pkgen", stderr, generateUsage)
	load := loadFlags(flags)
	check := flags.Bool("check", false, "write nothing; list the files that are out of date and exit with 1 if there are any")
	showDiff := flags.Bool("diff", false, "write nothing; print a unified diff and exit with 1 if it is not empty")
	toStdout := flags.Bool("stdout", false, "write nothing; print the Go files")
	accept := flags.Bool("accept-key-change", false, "let keys change, and write pkgen.lock anew: stored documents are not found any more")
	if code, done := parse(flags, args, stdout); done {
		return code
	}
	if modes := count(*check, *showDiff, *toStdout); modes > 1 {
		return fail(stderr, errors.New("-check, -diff and -stdout exclude each other: give one of them"))
	}
	result, code := load.generate(ctx, flags.Args(), *accept, stderr)
	if code != exitDone {
		return code
	}
	switch {
	case *check:
		return listStale(stdout, result)
	case *showDiff:
		return printDiff(stdout, result)
	case *toStdout:
		return printFiles(stdout, result)
	}
	if err := result.Commit(); err != nil {
		return fail(stderr, err)
	}
	if isTerminal(stderr) {
		for _, f := range result.Files {
			if f.Stale() {
				fmt.Fprintln(stderr, action(f), shown(f.Path))
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

// action says what Commit did to a file.
func action(f generator.File) string {
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
