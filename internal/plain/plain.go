// Package plain makes texts of others fit to be shown: file names, tags and ids
// may hold what moves the cursor of a terminal, turns the direction of writing,
// or ends the line of a comment. And it joins words.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
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

// Escaped returns a text in which each rune that is not fit to be shown, but for
// those kept, is written as a language writes it.
func Escaped(text, kept string, write func(rune) string) string {
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

// JSON escapes characters that must not reach a terminal in a text of JSON,
// which has them in strings only.
func JSON(text string) string {
	return Escaped(text, "\n", func(r rune) string {
		var b strings.Builder
		for _, u := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
		return b.String()
	})
}

// And joins words: "a", "a and b", "a, b and c".
func And(words []string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return strings.Join(words, "")
}
