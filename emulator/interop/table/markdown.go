package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The table is between these lines of the page.
const (
	beginLine = "<!-- operations: written by emulator/interop/run.sh -->\n"
	endLine   = "<!-- /operations -->\n"
)

// table returns the table of all operations that some SDK tries.
func table(operations []operation, c cells) string {
	var b strings.Builder
	b.WriteString("| | operation |")
	for _, s := range sdks {
		b.WriteString(cell(s.title))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(sdks)) + "\n")
	area := ""
	for _, o := range append([]operation{versionRow, checksRow}, operations...) {
		var columns strings.Builder
		for _, s := range sdks {
			columns.WriteString(cell(c[o][s.name]))
		}
		if columns.String() == strings.Repeat(cell(""), len(sdks)) {
			continue // nobody tries it
		}
		first := o.area
		if first == area {
			first = ""
		}
		area = o.area
		b.WriteString("|" + cell(first) + cell(o.name) + columns.String() + "\n")
	}
	return b.String()
}

// cell returns the text of a cell, and its end.
func cell(text string) string {
	if text == "" {
		return " |"
	}
	return " " + text + " |"
}

var row = regexp.MustCompile(`(?m)^\|(.*)\|$`)

// readTable reads the table of a page.
func readTable(page string) (cells, error) {
	text, err := tableOf(page)
	if err != nil {
		return nil, err
	}
	c := make(cells)
	area := ""
	for i, line := range row.FindAllStringSubmatch(text, -1) {
		columns := strings.Split(line[1], "|")
		if i < 2 || len(columns) != 2+len(sdks) {
			continue // the head, or a table of other SDKs
		}
		if first := strings.TrimSpace(columns[0]); first != "" {
			area = first
		}
		o := operation{area, strings.TrimSpace(columns[1])}
		for i, s := range sdks {
			c.set(o, s.name, strings.TrimSpace(columns[2+i]))
		}
	}
	return c, nil
}

// tableOf returns the text of a page between the lines of its table.
func tableOf(page string) (string, error) {
	_, text, ok := strings.Cut(page, beginLine)
	if !ok {
		return "", fmt.Errorf("%s lacks the line %q", pageFile, strings.TrimSpace(beginLine))
	}
	text, _, ok = strings.Cut(text, endLine)
	if !ok {
		return "", fmt.Errorf("%s lacks the line %q", pageFile, strings.TrimSpace(endLine))
	}
	return text, nil
}

// replaceTable returns a page with another table.
func replaceTable(page, table string) (string, error) {
	if _, err := tableOf(page); err != nil {
		return "", err
	}
	before, rest, _ := strings.Cut(page, beginLine)
	_, after, _ := strings.Cut(rest, endLine)
	return before + beginLine + "\n" + table + "\n" + endLine + after, nil
}
