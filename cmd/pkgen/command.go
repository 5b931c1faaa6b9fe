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

// A command is pkgen itself or one of its subcommands. Help and docs/cli.md
// are made from it.
type command struct {
	name      string // "" for pkgen itself
	arguments string // what follows the flags, such as "[packages]"
	help      string // one line, in lower case
	about     string // what it does, in a few sentences
	examples  []example
	below     []command // those that the first argument can name, such as "emulator dump"

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

// under returns the command below this one that the first argument names.
func (c command) under(args []string) (command, bool) {
	for _, below := range c.below {
		if len(args) > 0 && below.name == c.name+" "+args[0] {
			return below, true
		}
	}
	return command{}, false
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
	if below, ok := c.under(args); ok {
		return below.run(ctx, args[1:], stdout, stderr)
	}
	flags, act := c.flags()
	flags.SetOutput(io.Discard) // one line says what is wrong
	operands, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(stdout)
		return exitDone
	case err != nil:
		fail(stderr, err)
		fmt.Fprintf(stderr, "run %s -h for the flags\n", c.title())
		return exitError
	}
	return act(ctx, operands, stdout, stderr)
}

// parse reads flags, which may come before and after arguments, and returns the
// arguments. After "--" there are no flags.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var operands []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, meantFlag(flags, err)
		}
		rest := flags.Args()
		read := len(args) - len(rest)
		if len(rest) == 0 || read > 0 && args[read-1] == "--" {
			return append(operands, rest...), nil
		}
		operands = append(operands, rest[0])
		args = rest[1:]
	}
}

// meantFlag adds the nearest flag to the error for an unknown flag.
func meantFlag(flags *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("%w: did you mean -%s?", err, near)
	}
	return err
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

// Set takes a value, if it is valid.
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
