package main

import (
	"strconv"
	"strings"
)

// escaped returns a text in which each rune that is not fit to be shown, but for
// those kept, is written as a language writes it.
func escaped(text, kept string, write func(rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) || strings.ContainsRune(kept, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(write(r))
		}
	}
	return b.String()
}
