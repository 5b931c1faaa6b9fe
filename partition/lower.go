package partition

import (
	"fmt"
	"unicode/utf8"
)

// AppendLower appends text with the letters A to Z in lower case, and everything else
// unchanged. Only ASCII has the same lower case everywhere: Unicode's tables differ between
// languages and their releases, which must all find a stored key. [LowerText] refuses other
// text.
//
// It does not allocate if b has room, and is safe for concurrent use.
func AppendLower(b []byte, text string) []byte {
	for i := range len(text) {
		b = append(b, lower(text[i]))
	}
	return b
}

// lower returns the byte in lower case.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// LowerText checks the text of a component that is written by [AppendLower]:
// by the rules of [Text], and it must be ASCII. It does not allocate for legal
// text.
func LowerText(field, text string) Component {
	if reason := keyTextProblem(text); reason != "" {
		return Component{field: field, reason: reason}
	}
	return Component{field: field, reason: asciiProblem(text)}
}

// asciiProblem returns the reason why languages may differ in the lower case of text, or "".
func asciiProblem(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			return fmt.Sprintf("has %q (%U) at byte %d: only ASCII has the same lower case in all languages, "+
				"so change the case of such text before it is stored, and leave the option lower out", text[i:i+size], r, i)
		}
	}
	return ""
}
