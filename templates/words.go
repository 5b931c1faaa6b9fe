package templates

import (
	"strings"
	"unicode"
)

// words splits a Go name where its writer would have put a space: before an
// upper-case letter that follows a lower-case one, before the last upper-case
// letter of an initialism that another word follows, and at underscores. Digits
// belong to the word before them, and so does the s of IDs. A name of underscores
// alone is one word.
func words(name string) []string {
	var out []string
	for piece := range strings.SplitSeq(name, "_") {
		runes := []rune(piece)
		start := 0
		for i := 1; i < len(runes); i++ {
			if startsWord(runes, i) {
				out = append(out, string(runes[start:i]))
				start = i
			}
		}
		if start < len(runes) {
			out = append(out, string(runes[start:]))
		}
	}
	if out == nil {
		return []string{name}
	}
	return out
}

// startsWord reports whether a word starts at runes[i], which is not the first.
func startsWord(runes []rune, i int) bool {
	switch {
	case !unicode.IsUpper(runes[i]):
		return false
	case !unicode.IsUpper(runes[i-1]):
		return true
	case i+1 == len(runes) || !unicode.IsLower(runes[i+1]):
		return false
	}
	// Runes[i] is the last upper-case letter of several, and a lower-case one
	// follows: the start of a word, unless that is the s of a plural.
	plural := runes[i+1] == 's' && (i+2 == len(runes) || unicode.IsUpper(runes[i+2]))
	return !plural
}

// snakeCase returns name in lower case, with underscores between its words.
func snakeCase(name string) string {
	return strings.ToLower(strings.Join(words(name), "_"))
}

// lowerFirstWord returns name with its first word in lower case: httpMethod for
// HTTPMethod.
func lowerFirstWord(name string) string {
	all := words(name)
	if !strings.HasPrefix(name, all[0]) {
		return name
	}
	return strings.ToLower(all[0]) + name[len(all[0]):]
}

// upperFirst returns name with its first letter in upper case.
func upperFirst(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}
