package load

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// NoTypes is the message about packages without tags.
const NoTypes = "no struct type has cosmos tags: tag a field, for example `cosmos:\"pk\"`, or let pkgen init propose tags"

// Flags select types and build tags; both are lists.
type Flags struct {
	Types, Tags *string
}

// NewFlags declares the flags.
func NewFlags(flags *flag.FlagSet) Flags {
	return Flags{
		Types: flags.String("type", "", "only these types, a comma-separated `list`"),
		Tags:  flags.String("tags", "", "build tags, a comma-separated `list`"),
	}
}

// Generate loads and renders packages and prints the diagnostics. The result is complete if the
// exit code is [cli.Done].
func (l Flags) Generate(ctx context.Context, patterns []string, o generator.Options, stderr io.Writer) (*generator.Result, int) {
	result, err := l.Load(ctx, patterns, o, stderr)
	if err != nil {
		return nil, cli.Fail(stderr, err)
	}
	return result, Report(TextPrinter{Stderr: stderr}, result.Diagnostics)
}

// Load loads and renders packages, with the flags added to the options.
func (l Flags) Load(ctx context.Context, patterns []string, o generator.Options, stderr io.Writer) (*generator.Result, error) {
	defer cli.Progress(stderr, "loading packages")()
	o.Patterns, o.Types, o.Tags, o.CacheDir = patterns, cli.SplitList(*l.Types), *l.Tags, cacheDir()
	return generator.Generate(ctx, o)
}

// Report prints diagnostics and returns the resulting exit code.
func Report(p Printer, diagnostics []generator.Diagnostic) int {
	code := cli.Done
	for _, d := range diagnostics {
		p.Diagnostic(d)
		switch {
		case d.Severity == generator.Error:
			code = cli.Failed
		case d.Severity == generator.Refused && code == cli.Done:
			code = cli.Refused
		}
	}
	return code
}

// CacheVariable is the environment variable with the folder for facts about formatted files.
const CacheVariable = "PKGEN_CACHE"

// cacheDir returns that folder, or "" for none: the variable's value, unless it is off, or a folder
// in the user's caches.
func cacheDir() string {
	switch dir := os.Getenv(CacheVariable); dir {
	case "off":
		return ""
	case "":
	default:
		return dir
	}
	caches, err := os.UserCacheDir()
	if err != nil {
		return "" // without a home folder there are no caches
	}
	return filepath.Join(caches, "pkgen")
}
