package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// shells holds what writes the completion script of each shell, in the order of
// the help.
var shells = []struct {
	name  string
	write func(all []command) string
}{
	{"bash", bashCompletion},
	{"zsh", zshCompletion},
	{"fish", fishCompletion},
}

func shellNames() []string {
	names := make([]string, len(shells))
	for i, s := range shells {
		names[i] = s.name
	}
	return names
}

// bindCompletion is pkgen completion.
func bindCompletion(*flag.FlagSet) action { return printCompletion }

func printCompletion(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 {
		return fail(stderr, errors.New("completion takes one shell: "+strings.Join(shellNames(), ", ")))
	}
	i := slices.Index(shellNames(), args[0])
	if i < 0 {
		return fail(stderr, fmt.Errorf("no completion for %q: there are %s", args[0], strings.Join(shellNames(), ", ")))
	}
	if _, err := io.WriteString(stdout, shells[i].write(commands())); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

// completed is a flag as completion knows it.
type completed struct {
	name   string
	help   string
	alone  bool     // no value follows
	values []string // that can follow; nil if that is not known
}

// completions returns the flags of the command by name, with those of the commands below
// it.
func (c command) completions() []completed {
	var all []completed
	known := map[string]bool{}
	for _, one := range append([]command{c}, c.below...) {
		flags, _ := one.flags()
		flags.VisitAll(func(f *flag.Flag) {
			if !known[f.Name] {
				known[f.Name] = true
				all = append(all, completionOf(f))
			}
		})
	}
	return all
}

// completionOf describes one flag.
func completionOf(f *flag.Flag) completed {
	_, help := flag.UnquoteUsage(f)
	one := completed{name: "-" + f.Name, help: help}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok {
		one.alone = b.IsBoolFlag()
	}
	if c, ok := f.Value.(*choice); ok {
		one.values = c.values
	}
	return one
}

// A branch is what completion offers in one place.
type branch struct {
	pattern string // of the shell's case, matched with "command:word"
	words   []string
}

// afterFlags returns what can follow flags that take a value, by "command:flag",
// and the patterns of flags after which only the user knows.
func afterFlags(all []command) (known []branch, free []string) {
	for _, c := range all {
		for _, f := range c.completions() {
			switch pattern := c.name + ":" + f.name; {
			case f.alone:
			case f.values != nil:
				known = append(known, branch{pattern, f.values})
			default:
				free = append(free, pattern)
			}
		}
	}
	return known, free
}

// words returns the words that are possible elsewhere, by "command:" and the
// beginning of the word.
func words(all []command) []branch {
	var out []branch
	for _, c := range all {
		var names []string
		for _, f := range c.completions() {
			names = append(names, f.name)
		}
		if names != nil {
			out = append(out, branch{c.name + ":-*", names})
		}
		if c.operands != nil {
			out = append(out, branch{c.name + ":*", c.operands})
		}
	}
	return out
}
