package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

const tagsUsage = `Usage: pkgen tags

Prints the words of the cosmos tag.
`

// runTags prints the table that the tags are read by.
func runTags(_ context.Context, args []string, stdout, stderr io.Writer) int {
	flags := newFlags("pkgen tags", stderr, tagsUsage)
	if code, done := parse(flags, args, stdout); done {
		return code
	}
	if flags.NArg() > 0 {
		return fail(stderr, fmt.Errorf("tags takes no arguments, and %q is one", flags.Arg(0)))
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
	if err := table.Flush(); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}
