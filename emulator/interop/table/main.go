// Command table writes the table of operations by SDK into docs/interop.md, from
// the results of checks:
//
//	table FOLDER
//
// The folder has a file of results for each SDK that ran, python.jsonl and so on.
// The columns of other SDKs stay as they are. It runs at the root of the
// repository.
package main

import (
	"fmt"
	"os"
)

const (
	pageFile       = "docs/interop.md"
	operationsFile = "emulator/interop/operations.txt"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: table FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	text, err := os.ReadFile(operationsFile)
	if err != nil {
		return err
	}
	operations, err := readOperations(string(text))
	if err != nil {
		return err
	}
	text, err = os.ReadFile(pageFile)
	if err != nil {
		return err
	}
	page := string(text)
	cells, err := readTable(page)
	if err != nil {
		return err
	}
	for _, s := range sdks {
		if err := s.read(folder, operations, cells); err != nil {
			return err
		}
	}
	page, err = replaceTable(page, table(operations, cells))
	if err != nil {
		return err
	}
	return os.WriteFile(pageFile, []byte(page), 0o644)
}
