package cli

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

// A Command is a program itself or one of its subcommands. Help and docs/cli.md
// are made from it.
type Command struct {
	Name      string      // "" for the program itself
	Arguments string      // what follows the flags, such as "[packages]"
	Help      string      // one line, in lower case
	About     string      // what it does, in a few sentences
	Examples  [][2]string // command lines, and what each does

	// Bind declares the flags and returns the action that runs when they have been read.
	Bind func(flags *flag.FlagSet) Action

	program *Program
}

// An Action runs a command with the arguments that follow its flags, and returns the exit code.
type Action func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// Title is the name on the command line: "pkgen explain".
func (c Command) Title() string {
	return strings.TrimSpace(c.program.Name + " " + c.Name)
}

// flags returns the flags of the command, and the action to run after parsing.
func (c Command) flags() (*flag.FlagSet, Action) {
	flags := flag.NewFlagSet(c.Title(), flag.ContinueOnError)
	act := c.Bind(flags)
	return flags, act
}

// run parses the flags and runs the command, or prints its help.
func (c Command) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags, act := c.flags()
	flags.SetOutput(io.Discard) // run prints the error itself, on one line
	operands, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(ctx, stdout)
		return Done
	case err != nil:
		Fail(stderr, err)
		fmt.Fprintf(stderr, "run %s -h for the flags\n", c.Title())
		return Failed
	}
	return act(ctx, operands, stdout, stderr)
}

// parse parses flags, which may come before and after arguments, and returns the arguments. After
// "--", every argument is a plain argument.
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

// TakesNone returns an error if a command without arguments is given any.
func TakesNone(name string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments: remove %q", name, args[0])
}

// Choice is a flag with one of several values.
type Choice struct {
	Value  string
	values []string
}

// NewChoice declares a Choice. The default value need not be one of values.
func NewChoice(flags *flag.FlagSet, name, value, usage string, values ...string) *Choice {
	c := &Choice{Value: value, values: values}
	flags.Var(c, name, usage)
	return c
}

// String returns the value.
func (c *Choice) String() string { return c.Value }

// Set sets a valid value.
func (c *Choice) Set(value string) error {
	if !slices.Contains(c.values, value) {
		if near := spelling.Nearest(value, c.values); near != "" {
			return fmt.Errorf("did you mean %q?", near)
		}
		return fmt.Errorf("use one of %s", strings.Join(c.values, ", "))
	}
	c.Value = value
	return nil
}

// Group returns the first command of a program that requires a subcommand.
func Group(help, about string, examples ...[2]string) Command {
	return Command{
		Help: help, About: about, Examples: examples, Arguments: "COMMAND",
		Bind: func(*flag.FlagSet) Action {
			return func(_ context.Context, args []string, _, stderr io.Writer) int {
				if len(args) > 0 {
					return Fail(stderr, fmt.Errorf("unknown command %q: help lists the commands", args[0]))
				}
				return Fail(stderr, errors.New("no command: help lists the commands"))
			}
		},
	}
}
