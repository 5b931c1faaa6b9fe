package generate

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// printDiff is -diff: it prints the changes of Commit as a patch.
func printDiff(stdout io.Writer, result *generator.Result) int {
	code := cli.Done
	colour := cli.IsTerminal(stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	for _, f := range result.Files {
		if !f.Stale() {
			continue
		}
		code = cli.Found
		text := patch(f)
		if cli.IsTerminal(stdout) { // otherwise the output is for a program, byte for byte
			text = []byte(plain.Text(string(text)))
		}
		if colour {
			text = coloured(text)
		}
		_, _ = stdout.Write(text)
	}
	return code
}

// patch returns a unified diff of a file.
func patch(f generator.File) []byte {
	name := plain.Word(filepath.ToSlash(cli.Shown(f.Path)))
	before, after := "a/"+name, "b/"+name
	if f.Old == nil {
		before = "/dev/null"
	}
	if f.New == nil {
		after = "/dev/null"
	}
	text := diff.Diff(before, f.Old, after, f.New)
	// The first line repeats the names, like a diff command.
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasPrefix(text, []byte("diff ")) {
		text = rest
	}
	return text
}

// The colours of git's diffs: SGR sequences of ECMA-48.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	cyan   = "\x1b[36m"
	normal = "\x1b[m"
)

// coloured returns the unified diff of one file in colours. They end with each line, so that a
// pager may cut anywhere.
func coloured(text []byte) []byte {
	var b bytes.Buffer
	header := true
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("@@")) {
			header = false
		}
		colour := ""
		switch {
		case header:
			colour = bold
		case line[0] == '-':
			colour = red
		case line[0] == '+':
			colour = green
		case line[0] == '@':
			colour = cyan
		}
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		if colour == "" {
			b.Write(body)
		} else {
			b.WriteString(colour)
			b.Write(body)
			b.WriteString(normal)
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
