// Command house counts what CONTRIBUTING.md promises of the folders: for each
// package its files and lines, how its files refer to each other, and how much
// it exports.
//
//	go run ./internal/house [packages]
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	patterns := os.Args[1:]
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	rooms, err := survey(".", patterns...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	if err := printTable(os.Stdout, rooms); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// printTable writes a table with a line for each package.
func printTable(w io.Writer, rooms []room) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "files\tlines\tlongest\tarrows\tup\texported\t  package")
	for _, r := range rooms {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", r.files, r.lines, r.longest, r.arrows, r.up, r.exported, r.folder)
	}
	return table.Flush()
}
