package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// loading holds the flags that say what is loaded.
type loading struct {
	types, tags *string
}

func loadFlags(flags *flag.FlagSet) loading {
	return loading{
		types: flags.String("type", "", "only these types, a comma-separated `list`"),
		tags:  flags.String("tags", "", "build tags, a comma-separated `list`"),
	}
}

// generate loads and renders packages and prints the diagnostics. The result is
// complete if the exit code is exitDone.
func (l loading) generate(ctx context.Context, patterns []string, acceptKeyChange bool, stderr io.Writer) (*generator.Result, int) {
	return l.generateBy(ctx, patterns, generator.Options{AcceptKeyChange: acceptKeyChange}, stderr)
}

// load loads and renders packages.
func (l loading) load(ctx context.Context, patterns []string, acceptKeyChange bool, stderr io.Writer) (*generator.Result, error) {
	return l.loadBy(ctx, patterns, generator.Options{AcceptKeyChange: acceptKeyChange}, stderr)
}

// generateBy is generate with options in addition to those of l.
func (l loading) generateBy(ctx context.Context, patterns []string, o generator.Options, stderr io.Writer) (*generator.Result, int) {
	result, err := l.loadBy(ctx, patterns, o, stderr)
	if err != nil {
		return nil, fail(stderr, err)
	}
	return result, report(textPrinter{stderr: stderr}, result.Diagnostics)
}

// loadBy is load with options in addition to those of l.
func (l loading) loadBy(ctx context.Context, patterns []string, o generator.Options, stderr io.Writer) (*generator.Result, error) {
	defer progress(stderr, "loading packages")()
	o.Patterns, o.Types, o.Tags, o.CacheDir = patterns, split(*l.types), *l.tags, cacheDir()
	return generator.Generate(ctx, o)
}

// report prints diagnostics and returns the exit code that they ask for.
func report(p printer, diagnostics []generator.Diagnostic) int {
	code := exitDone
	for _, d := range diagnostics {
		p.diagnostic(d)
		switch {
		case d.Severity == generator.Error:
			code = exitError
		case d.Severity == generator.Refused && code == exitDone:
			code = exitRefused
		}
	}
	return code
}

// shown returns a path as people want to read it: relative to the working
// directory where it is below that.
func shown(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return rel
}

// cacheVariable names the folder in which runs remember what they have formatted.
const cacheVariable = "PKGEN_CACHE"

// cacheDir returns that folder, or "" for no folder: the folder that the variable names,
// unless that is off, or else one among the user's caches.
func cacheDir() string {
	switch dir := os.Getenv(cacheVariable); dir {
	case "off":
		return ""
	case "":
	default:
		return dir
	}
	caches, err := os.UserCacheDir()
	if err != nil {
		return "" // a machine without a home has no caches either
	}
	return filepath.Join(caches, "pkgen")
}
