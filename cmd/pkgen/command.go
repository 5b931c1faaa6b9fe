package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// A command is pkgen itself or one of its subcommands. Help, shell completion
// and docs/cli.md are made from it.
type command struct {
	name      string // "" for pkgen itself
	arguments string // what follows the flags, such as "[packages]"
	help      string // one line, in lower case
	about     string // what it does, in a few sentences
	examples  []example
	operands  []string // what the arguments can be, where that is known

	// bind declares the flags and returns what runs when they have been read.
	bind func(flags *flag.FlagSet) action
}

// An example is a command line and what it does.
type example struct{ line, does string }

// An action runs a command with the arguments that follow its flags, and returns
// the exit code.
type action func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// findCommand returns the subcommand of this name.
func findCommand(name string) (command, bool) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 1 {
		return command{}, false
	}
	return all[i], true
}

// commandNames returns the names of the subcommands.
func commandNames() []string {
	var names []string
	for _, c := range commands()[1:] {
		names = append(names, c.name)
	}
	return names
}

// title is how the command is called: "pkgen explain".
func (c command) title() string {
	return strings.TrimSpace("pkgen " + c.name)
}

// flags returns the flags of the command and what runs when they have been read.
func (c command) flags() (*flag.FlagSet, action) {
	flags := flag.NewFlagSet(c.title(), flag.ContinueOnError)
	act := c.bind(flags)
	return flags, act
}

// run reads the flags and runs the command, or prints its help.
func (c command) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags, act := c.flags()
	flags.SetOutput(stderr)
	flags.Usage = func() {} // one line says what is wrong
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(stdout)
		return exitDone
	case err != nil:
		if near := meantFlag(flags, err); near != "" {
			fmt.Fprintf(stderr, "did you mean -%s? ", near)
		}
		fmt.Fprintf(stderr, "run %s -h for the flags\n", c.title())
		return exitError
	}
	for _, arg := range flags.Args() {
		if strings.HasPrefix(arg, "-") {
			return fail(stderr, fmt.Errorf("%s comes too late: flags stand before %s", arg, flags.Arg(0)))
		}
	}
	return act(ctx, flags.Args(), stdout, stderr)
}

// meantFlag returns the flag that was meant by one that is not there, or "".
func meantFlag(flags *flag.FlagSet, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return spelling.Nearest(name, names)
}

// takesNone refuses arguments of a command that has none.
func takesNone(name string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and %q is one", name, args[0])
}

// choice is a flag that has one of some values.
type choice struct {
	value  string
	values []string
}

// newChoice declares a flag that has one of values. The default value may
// be none of them.
func newChoice(flags *flag.FlagSet, name, value, usage string, values ...string) *choice {
	c := &choice{value: value, values: values}
	flags.Var(c, name, usage)
	return c
}

// String returns the value.
func (c *choice) String() string { return c.value }

// Set takes a value, if it is one of those that there are.
func (c *choice) Set(value string) error {
	if !slices.Contains(c.values, value) {
		if near := spelling.Nearest(value, c.values); near != "" {
			return fmt.Errorf("did you mean %q?", near)
		}
		return fmt.Errorf("use one of %s", strings.Join(c.values, ", "))
	}
	c.value = value
	return nil
}
