package cli

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

// The size of the screen that help fits.
const (
	ScreenColumns = 80
	ScreenLines   = 24
)

// printHelp prints the help of the command.
func (c Command) printHelp(ctx context.Context, w io.Writer) {
	fmt.Fprintf(w, "Usage: %s\n\n%s\n\n", c.Usage(), strings.Join(Wrap(c.About, ScreenColumns), "\n"))
	printTable(w, c.Examples)
	if c.Name == "" {
		c.program.printCommands(ctx, w)
	}
	if rows := c.FlagRows(); len(rows) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		printTable(w, rows)
	}
}

// Usage returns the form of a command line.
func (c Command) Usage() string {
	words := []string{c.Title()}
	if len(c.FlagRows()) > 0 {
		words = append(words, "[flags]")
	}
	if c.Arguments != "" {
		words = append(words, c.Arguments)
	}
	return strings.Join(words, " ")
}

// FlagRows returns the flags with their arguments, and their descriptions.
func (c Command) FlagRows() [][2]string {
	var rows [][2]string
	flags, _ := c.flags()
	flags.VisitAll(func(f *flag.Flag) {
		argument, does := flag.UnquoteUsage(f)
		name := "-" + f.Name
		if values, ok := f.Value.(*Choice); ok && len(values.values) <= 3 {
			name += " " + strings.Join(values.values, "|")
		} else if argument != "" {
			name += " " + strings.ToUpper(argument)
		}
		// A path of this machine is useless on others.
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
		for i, line := range Wrap(row[1], ScreenColumns-width-4) {
			if i > 0 {
				row[0] = ""
			}
			fmt.Fprintf(table, "  %s\t%s\n", row[0], line)
		}
	}
	_ = table.Flush() // output records the error
}

// Wrap breaks a text into lines of at most columns characters. A longer word has a line of its own.
func Wrap(text string, columns int) []string {
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

// printCommands prints the commands of a program, and of the other programs that it runs.
func (p *Program) printCommands(ctx context.Context, w io.Writer) {
	var rows [][2]string
	var also []string
	for _, c := range p.All()[1:] {
		switch {
		case c.Name == "version", c.Name == "help":
		case p.Common == nil || slices.Contains(p.Common, c.Name):
			rows = append(rows, [2]string{c.Name, c.Help})
		default:
			also = append(also, c.Name)
		}
	}
	title := "Commands:"
	switch names := strings.Join(also, ", "); {
	case len(rows) == 0:
		title = "Commands: " + names
	case names != "":
		title = "Commands; also " + names + ":"
	}
	fmt.Fprintf(w, "\n%s\n", strings.Join(Wrap(title, ScreenColumns), "\n"))
	printTable(w, rows)
	for _, o := range p.Others {
		var names []string
		for _, s := range o.Commands {
			names = append(names, s.Name)
		}
		fmt.Fprintln(w, strings.Join(Wrap(fmt.Sprintf("%s (%s): %s", o.Name, o.State(ctx), strings.Join(names, ", ")), ScreenColumns), "\n"))
	}
}

func helpCommand(p *Program) Command {
	return Command{
		Name: "help", Arguments: "[command]",
		Help:     "print the help of a command",
		About:    "Prints the help of a command, like its flag -h, or of " + p.Name + ".",
		Examples: [][2]string{{strings.TrimSpace(p.Name + " help " + p.example()), ""}},
		Bind: func(*flag.FlagSet) Action {
			return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return p.help(ctx, args, stdout, stderr)
			}
		},
	}
}

// example returns the command in the example of help.
func (p *Program) example() string {
	if len(p.Common) > 1 {
		return p.Common[1]
	}
	return p.Commands[len(p.Commands)-1].Name
}

// help prints the help of the program, or of one command.
func (p *Program) help(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		p.All()[0].printHelp(ctx, stdout)
		return Done
	}
	if o, ok := p.other(args[0]); ok {
		return o.Run(ctx, append([]string{"help"}, o.arguments(args)...), stderr)
	}
	if len(args) > 1 {
		return Fail(stderr, fmt.Errorf("help takes one command: remove %q", args[1]))
	}
	c, ok := p.find(args[0])
	if !ok {
		advice := "there are " + strings.Join(p.names(), ", ")
		if near := spelling.Nearest(args[0], p.names()); near != "" {
			advice = fmt.Sprintf("did you mean %q?", near)
		}
		return Fail(stderr, fmt.Errorf("unknown command %q: %s", args[0], advice))
	}
	c.printHelp(ctx, stdout)
	return Done
}
