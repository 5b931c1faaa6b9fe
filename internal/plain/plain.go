// Package plain makes texts of others fit to be shown: file names, tags and ids
// may hold what moves the cursor of a terminal, turns the direction of writing,
// or ends the line of a comment.
package plain

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Word returns a text that is part of a line. Everything that is not a letter, a
// mark, a number, punctuation, a symbol or a space of ASCII, line breaks and
// bytes that are no UTF-8 included, becomes an escape sequence of Go: \n, \x1b,
// \u202e.
func Word(text string) string { return escape(text, "") }

// Text returns a text of several lines as Word returns a part of one. Line feeds
// and tabs stay.
func Text(text string) string { return escape(text, "\n\t") }

func escape(text, kept string) string {
	shown := func(r rune, size int) bool {
		if r == utf8.RuneError && size == 1 {
			return false // a byte that is no UTF-8
		}
		return strconv.IsPrint(r) || strings.ContainsRune(kept, r)
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if shown(r, size) {
			b.WriteString(rest[:size])
		} else {
			quoted := strconv.Quote(rest[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		rest = rest[size:]
	}
	return b.String()
}
