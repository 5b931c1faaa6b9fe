// Package lines lays out the text of unformatted Go: it breaks long lines, groups
// imports, and numbers lines for errors.
package lines

import (
	"bytes"
	"fmt"
	"strings"
)

// Separate puts a blank line between the imports of the standard library and the
// others. Jennifer writes them as one list. Package imports would separate them
// too, but would format everything twice.
func Separate(source []byte) []byte {
	const opening, closing = "\nimport (\n", ")\n"
	head, rest, found := bytes.Cut(source, []byte(opening))
	list, tail, _ := bytes.Cut(rest, []byte("\n"+closing))
	if !found {
		return source
	}
	var standard, others []string
	for line := range strings.SplitSeq(string(list), "\n") {
		_, importPath, _ := strings.Cut(line, `"`)
		// A path of the standard library has no host, and so no dot.
		if first, _, _ := strings.Cut(importPath, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			standard = append(standard, line)
		}
	}
	var b bytes.Buffer
	b.Grow(len(source) + 1)
	b.Write(head)
	b.WriteString(opening)
	b.WriteString(strings.Join(standard, "\n"))
	if len(standard) > 0 {
		b.WriteString("\n\n")
	}
	b.WriteString(strings.Join(others, "\n") + "\n" + closing)
	b.Write(tail)
	return b.Bytes()
}

// Number puts a number before every line.
func Number(source string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(source, "\n"), "\n") {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, line)
	}
	return b.String()
}
