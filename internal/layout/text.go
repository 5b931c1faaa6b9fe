package layout

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// appendText appends what a valid JSON string says. It reports whether that is
// Unicode: an escape for half of a surrogate pair is not, and is appended as U+FFFD.
// Bytes that are not UTF-8 are appended as they are.
func appendText(b, quoted []byte) (text []byte, unicode bool) {
	unicode = true
	rest := quoted[1 : len(quoted)-1]
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return append(b, rest...), unicode
		}
		b = append(b, rest[:i]...)
		rest = rest[i:]
		if rest[1] != 'u' {
			b = append(b, meaning(rest[1]))
			rest = rest[2:]
			continue
		}
		r, _ := hexadecimal(rest)
		rest = rest[len(`\u0000`):]
		if utf16.IsSurrogate(r) {
			second, _ := hexadecimal(rest) // 0, which ends no pair, if there is none
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				unicode = false
			} else {
				rest = rest[len(`\u0000`):]
			}
		}
		b = utf8.AppendRune(b, r)
	}
}

// meaning returns the character that a backslash and c mean.
func meaning(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
