package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Why a file is stale; scripts depend on them.
const (
	staleMissing = "missing" // it was never written, or is not checked in
	staleDiffers = "differs" // other tags, another pkgen, or somebody has changed it
	staleGone    = "gone"    // its type is gone, or all of its package
)

// staleFile is a file that generating would change.
type staleFile struct {
	path   string // absolute
	reason string
}

// why says the reason to people.
func (s staleFile) why() string {
	if s.reason != staleGone {
		return s.reason
	}
	if filepath.Ext(s.path) == ".go" {
		return "its type is gone"
	}
	return "the types of its package are gone"
}

// staleFiles returns the files that generating would change, by path.
func staleFiles(result *generator.Result) []staleFile {
	var files []staleFile
	for _, f := range result.Files {
		switch {
		case !f.Stale():
		case f.Old == nil:
			files = append(files, staleFile{f.Path, staleMissing})
		case f.New == nil:
			files = append(files, staleFile{f.Path, staleGone})
		default:
			files = append(files, staleFile{f.Path, staleDiffers})
		}
	}
	return files
}

// listStale is -check: a line for each file that is out of date, and at the end
// what to run.
func (g *generating) listStale(result *generator.Result, args []string, p printer, stdout io.Writer) int {
	files := staleFiles(result)
	if len(files) == 0 {
		return exitDone
	}
	for _, f := range files {
		p.stale(f)
	}
	if g.format.value != formatJSON {
		what := "1 file is"
		if len(files) > 1 {
			what = fmt.Sprintf("%d files are", len(files))
		}
		fmt.Fprintf(stdout, "%s out of date: run %s, and commit what changes\n", what, plain.Word(g.remedy(args)))
	}
	return exitStale
}

// remedy is the command line that brings up to date what this one has checked.
func (g *generating) remedy(args []string) string {
	words := []string{"pkgen"}
	if *g.load.tags != "" {
		words = append(words, "-tags", *g.load.tags)
	}
	if *g.load.types != "" {
		words = append(words, "-type", *g.load.types)
	}
	if g.accept {
		words = append(words, "-accept-key-change")
	}
	if g.ensure {
		words = append(words, "-ensure")
	}
	return strings.Join(append(words, args...), " ")
}
