package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// bindTags is pkgen tags.
func bindTags(*flag.FlagSet) action { return printTags }

// printTags prints the table that the tags are read by.
func printTags(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if err := takesNone("tags", args); err != nil {
		return fail(stderr, err)
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
		return fail(stderr, err)
	}
	return exitDone
}
