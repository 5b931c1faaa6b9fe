package tags

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Command is pkgen tags.
func Command() cli.Command {
	return cli.Command{
		Name:     "tags",
		Help:     "print the words of the cosmos tag",
		About:    "Prints the words of the cosmos tag, for fields and for types, and the notes that a tag can acknowledge.",
		Examples: [][2]string{{"pkgen tags", ""}},
		Bind:     bindTags,
	}
}

// bindTags declares the flags of pkgen tags.
func bindTags(flags *flag.FlagSet) cli.Action {
	format := cli.NewChoice(flags, "format", cli.FormatText, "how words are printed", cli.FormatText, cli.FormatJSON)
	return func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if err := cli.TakesNone("tags", args); err != nil {
			return cli.Fail(stderr, err)
		}
		show := printTags
		if format.Value == cli.FormatJSON {
			show = func(w io.Writer) error { return cli.WriteJSON(w, language()) }
		}
		if err := show(stdout); err != nil {
			return cli.Fail(stderr, err)
		}
		return cli.Done
	}
}

// words is what -format json prints.
type words struct {
	Field []word `json:"field"`
	Type  []word `json:"type"`
	Notes []note `json:"notes"`
}

type word struct {
	Usage string `json:"usage"` // the word with its value: "pk", "sep=TEXT"
	Help  string `json:"help"`
}

type note struct {
	Name    string `json:"name"`
	Help    string `json:"help"`
	OnField bool   `json:"onField"` // it can be acknowledged there, too
}

// language returns the tables of the tag parser.
func language() words {
	var out words
	for _, w := range annotations.Words() {
		to := &out.Type
		if w.Place == annotations.OnField {
			to = &out.Field
		}
		*to = append(*to, word{w.Usage(), w.Help})
	}
	for _, n := range annotations.Notes() {
		out.Notes = append(out.Notes, note{n.Name, n.Help, n.OnField})
	}
	return out
}

// printTags prints the tables of the tag parser.
func printTags(stdout io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, place := range []struct {
		annotations.Place

		title string
	}{
		{annotations.OnField, "On a field, such as `cosmos:\"pk,concat\"`:"},
		{annotations.OnType, "\nOf the type, on a blank field first in the struct, _ struct{}:"},
	} {
		fmt.Fprintln(table, place.title)
		for _, w := range annotations.Words() {
			if w.Place == place.Place {
				fmt.Fprintf(table, "  %s\t%s\n", w.Usage(), w.Help)
			}
		}
	}
	fmt.Fprintln(table, "\nNotes, which note=NAME acknowledges on the blank field, and those marked with * also on their field:")
	for _, n := range annotations.Notes() {
		mark := ""
		if n.OnField {
			mark = "*"
		}
		fmt.Fprintf(table, "  %s%s\t%s\n", n.Name, mark, n.Help)
	}
	return table.Flush()
}
