// Package plain makes foreign texts safe to print: file names, tags and ids may contain characters
// that move the cursor of a terminal, change the direction of writing, or end a comment. It also
// joins words.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Word returns a text that is safe within a line. It replaces everything but letters, marks,
// numbers, punctuation, symbols and ASCII spaces, including line breaks and invalid UTF-8, by
// escape sequences of Go: \n, \x1b, \u202e.
func Word(text string) string { return escape(text, "") }

// Text is Word for a text of several lines: it keeps line feeds and tabs.
func Text(text string) string { return escape(text, "\n\t") }

func escape(text, kept string) string {
	shown := func(r rune, size int) bool {
		if r == utf8.RuneError && size == 1 {
			return false // invalid UTF-8
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

// Escaped replaces each unsafe rune, except the kept ones, by the result of write.
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

// JSON escapes characters in JSON that must not reach a terminal. They occur in strings only.
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
