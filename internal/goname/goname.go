// Package goname splits names of Go and of JSON into words, and builds names from words.
//
// It knows how names are spelled, and nothing about their meaning.
package goname

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits a name into words: before an upper-case letter that follows another character,
// before the last upper-case letter of an initialism that precedes another word, and at characters
// other than letters and digits, such as underscores. Digits belong to the word before them, and so
// does the s of IDs. A name without letters and digits is one word.
func Words(name string) []string {
	var out []string
	for piece := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(piece)
		start := 0
		for i := 1; i < len(runes); i++ {
			if startsWord(runes, i) {
				out = append(out, string(runes[start:i]))
				start = i
			}
		}
		out = append(out, string(runes[start:]))
	}
	if out == nil {
		return []string{name}
	}
	return out
}

// startsWord reports whether a word starts at runes[i]; i is not 0.
func startsWord(runes []rune, i int) bool {
	switch {
	case !unicode.IsUpper(runes[i]):
		return false
	case !unicode.IsUpper(runes[i-1]):
		return true
	case i+1 == len(runes) || !unicode.IsLower(runes[i+1]):
		return false
	}
	// Runes[i] is the last of several upper-case letters, and a lower-case one follows: it starts a
	// word, unless that letter is a plural s.
	plural := runes[i+1] == 's' && (i+2 == len(runes) || unicode.IsUpper(runes[i+2]))
	return !plural
}

// LowerWords returns the words of a name in lower case: device, id for DeviceID.
func LowerWords(name string) []string {
	words := Words(name)
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

// Snake returns a name in snake case: vehicle_event for VehicleEvent.
func Snake(name string) string { return strings.Join(LowerWords(name), "_") }

// LowerFirstWord returns a name with its first word in lower case: httpMethod for HTTPMethod. A
// name that begins with an underscore is unchanged.
func LowerFirstWord(name string) string {
	first := Words(name)[0]
	rest, found := strings.CutPrefix(name, first)
	if !found {
		return name
	}
	return strings.ToLower(first) + rest
}

// UpperFirst returns a name with its first letter in upper case. The name must not be empty.
func UpperFirst(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
