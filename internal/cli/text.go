package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Count returns how many flags are set.
func Count(flags ...bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// SplitList cuts a comma-separated list.
func SplitList(list string) []string {
	var words []string
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// Shown returns a path as people want to read it: relative to the working
// directory where it is below that.
func Shown(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return rel
}

// HowMany says how many there are.
func HowMany(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
