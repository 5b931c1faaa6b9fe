// Command house prints a table of the packages of all modules: files, lines, lines of the longest
// file, lines of tests, and exported names.
//
//	go run ./internal/house
//
// Its tests check the layers in bans.txt and the limits in budgets.txt.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	rooms, err := survey(".")
	if err == nil {
		err = printTable(os.Stdout, rooms)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// printTable writes a table with a line for each package.
func printTable(w io.Writer, rooms []room) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "files\tlines\tlongest\ttests\texported\t  package")
	for _, r := range rooms {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t  %s\n", r.files, r.lines, r.longest, r.testLines, r.exported, r.folder)
	}
	return table.Flush()
}
