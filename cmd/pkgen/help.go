package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Help fits a screen of this size.
const (
	screenColumns = 80
	screenLines   = 24
)

// described are the commands that the help of pkgen itself describes: with the others the
// screen would be full.
var described = []string{"init", "explain", "vet", "analyze", "emulator"}

// printHelp prints what the command is called with.
func (c command) printHelp(w io.Writer) {
	fmt.Fprintf(w, "Usage: %s\n\n%s\n\n", c.usage(), strings.Join(wrap(c.about, screenColumns), "\n"))
	var examples [][2]string
	for _, e := range c.examples {
		examples = append(examples, [2]string{e.line, e.does})
	}
	printTable(w, examples)
	if c.name == "" {
		var rows [][2]string
		var also []string
		for _, sub := range commands()[1:] {
			switch {
			case slices.Contains(described, sub.name):
				rows = append(rows, [2]string{sub.name, sub.help})
			case sub.name != "version":
				also = append(also, sub.name)
			}
		}
		fmt.Fprintf(w, "\n%s\n", strings.Join(wrap("Commands; also "+strings.Join(also, ", ")+":", screenColumns), "\n"))
		printTable(w, rows)
	}
	if rows := c.flagRows(); len(rows) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		printTable(w, rows)
	}
}

// usage is the form of a command line.
func (c command) usage() string {
	words := []string{c.title()}
	if len(c.flagRows()) > 0 {
		words = append(words, "[flags]")
	}
	if c.arguments != "" {
		words = append(words, c.arguments)
	}
	return strings.Join(words, " ")
}

// flagRows returns the flags with their arguments, and what they do.
func (c command) flagRows() [][2]string {
	var rows [][2]string
	flags, _ := c.flags()
	flags.VisitAll(func(f *flag.Flag) {
		argument, does := flag.UnquoteUsage(f)
		name := "-" + f.Name
		if values, ok := f.Value.(*choice); ok && len(values.values) <= 3 {
			name += " " + strings.Join(values.values, "|")
		} else if argument != "" {
			name += " " + strings.ToUpper(argument)
		}
		// A path of this machine is no help on others.
		if !slices.Contains([]string{"", "0", "0s", "false"}, f.DefValue) && !filepath.IsAbs(f.DefValue) {
			does += " (default " + f.DefValue + ")"
		}
		rows = append(rows, [2]string{name, does})
	})
	return rows
}

// printTable prints two columns, the second of them wrapped.
func printTable(w io.Writer, rows [][2]string) {
	width := 0
	for _, row := range rows {
		if row[1] != "" {
			width = max(width, len(row[0]))
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		if row[1] == "" {
			fmt.Fprintf(table, "  %s\n", row[0])
			continue
		}
		for i, line := range wrap(row[1], screenColumns-width-4) {
			if i > 0 {
				row[0] = ""
			}
			fmt.Fprintf(table, "  %s\t%s\n", row[0], line)
		}
	}
	_ = table.Flush() // help that cannot be printed is nobody's error
}

// wrap breaks a text into lines of so many columns at most, or of one word.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// bindHelp is pkgen help.
func bindHelp(*flag.FlagSet) action {
	return func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) == 0 {
			commands()[0].printHelp(stdout)
			return exitDone
		}
		c, ok := findCommand(args[0])
		if !ok {
			advice := "there are " + strings.Join(commandNames(), ", ")
			if near := spelling.Nearest(args[0], commandNames()); near != "" {
				advice = fmt.Sprintf("did you mean %q?", near)
			}
			return fail(stderr, fmt.Errorf("unknown command %q: %s", args[0], advice))
		}
		for args = args[1:]; len(args) > 0; args = args[1:] {
			if c, ok = c.under(args); !ok {
				return fail(stderr, fmt.Errorf("help takes one command, and %q is a second one", args[0]))
			}
		}
		c.printHelp(stdout)
		return exitDone
	}
}
