package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit codes; scripts depend on them.
const (
	exitDone    = 0
	exitStale   = 1 // -check or -diff found something
	exitError   = 2
	exitRefused = 3 // the key of stored documents would change
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// A subcommand reads its own arguments and returns the exit code.
type subcommand func(ctx context.Context, args []string, stdout, stderr io.Writer) int

var subcommands = map[string]subcommand{
	"emulator": runEmulator,
	"explain":  runExplain,
	"keys":     runKeys,
	"tags":     runTags,
}

// run is the command without the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if command, ok := subcommands[args[0]]; ok {
			return command(ctx, args[1:], stdout, stderr)
		}
	}
	return runGenerate(ctx, args, stdout, stderr)
}

// newFlags returns the flags of a command with this usage text.
func newFlags(name string, stderr io.Writer, usage string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	return flags
}

// parse reads args. Done means that the command ends with the exit code: help
// was asked for and is printed, or a flag is wrong.
func parse(flags *flag.FlagSet, args []string, stdout io.Writer) (code int, done bool) {
	for _, arg := range args {
		if arg == "-h" || arg == "-help" || arg == "--help" || arg == "--h" {
			flags.SetOutput(stdout)
		}
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone, true
	case err != nil:
		return exitError, true
	}
	return exitDone, false
}

// fail reports an error that has no position.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "pkgen:", err)
	return exitError
}
