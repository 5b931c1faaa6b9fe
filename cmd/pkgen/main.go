package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Exit codes; scripts depend on them.
const (
	exitDone    = 0
	exitStale   = 1 // the command found something, or left something undone
	exitError   = 2
	exitRefused = 3 // the key of stored documents would change
)

// gcPercent is the value of GOGC: how far the heap may grow before a collection, in
// percent of the live heap. With 400 the first collection is at 16 MiB, so most runs
// have none, and a run over 500 types takes a sixth less time. The emulator, which
// runs for long, uses adaptGC.
const gcPercent = 400

func main() {
	setGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// setGCPercent sets GOGC to percent, unless the environment sets it.
func setGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// run is the command without the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if isVetTool(args) {
		runVetTool()
	}
	out := &output{to: stdout}
	code := dispatch(ctx, args, out, stderr)
	if out.err != nil && code != exitError {
		return fail(stderr, out.err)
	}
	return code
}

// dispatch runs the command that the first argument names, or pkgen itself.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if c, ok := findCommand(args[0]); ok {
			return c.run(ctx, args[1:], stdout, stderr)
		}
		if near := meant(args[0]); near != "" {
			return fail(stderr, fmt.Errorf("no command and no folder is called %q: did you mean pkgen %s?", args[0], near))
		}
	}
	return commands()[0].run(ctx, args, stdout, stderr)
}

// meant returns the command that a word looks like, if it can be no package:
// those of a module have a slash or a folder.
func meant(word string) string {
	if strings.ContainsAny(word, `/\.`) || strings.HasPrefix(word, "-") {
		return ""
	}
	if _, err := fs.Stat(os.DirFS("."), word); err == nil {
		return ""
	}
	return spelling.Nearest(word, commandNames())
}

// fail reports an error that has no position. To a reader of standard output who
// has seen enough, there is nothing to report.
func fail(stderr io.Writer, err error) int {
	if !errors.Is(err, syscall.EPIPE) {
		fmt.Fprintln(stderr, "pkgen:", message(err))
	}
	return exitError
}

// message is what an error says to people.
func message(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted; nothing was written"
	}
	return plain.Text(strings.TrimSpace(err.Error()))
}
