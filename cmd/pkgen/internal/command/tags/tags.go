package tags

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
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

// bindTags is pkgen tags.
func bindTags(*flag.FlagSet) cli.Action { return printTags }

// printTags prints the table that the tags are read by.
func printTags(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if err := cli.TakesNone("tags", args); err != nil {
		return cli.Fail(stderr, err)
	}
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
	fmt.Fprintln(table, "\nNotes, which note=NAME acknowledges on the blank field, and those marked with * on their field too:")
	for _, n := range annotations.Notes() {
		mark := ""
		if n.OnField {
			mark = "*"
		}
		fmt.Fprintf(table, "  %s%s\t%s\n", n.Name, mark, n.Help)
	}
	if err := table.Flush(); err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}
