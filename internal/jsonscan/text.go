package jsonscan

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a string, and returns false for any other value. Like encoding/json, it replaces
// invalid UTF-8 by U+FFFD.
func Text(value []byte) (string, bool) {
	inside, ok := unquoted(value)
	return string(inside), ok
}

// Unquoted decodes a string as [Text] does, and returns nil for any other value. It shares the
// memory of the value unless the string has escapes.
func Unquoted(value []byte) []byte {
	inside, _ := unquoted(value)
	return inside
}

func unquoted(value []byte) (inside []byte, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	inside = value[1 : len(value)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return inside, true
	}
	var text string
	err := json.Unmarshal(value, &text)
	return []byte(text), err == nil
}

// Spells reports whether a value is a string equal to text. Without escapes it compares bytes,
// valid UTF-8 or not.
func Spells(value []byte, text string) bool {
	if bytes.IndexByte(value, '\\') < 0 {
		return len(value) == len(text)+2 && string(value[1:len(value)-1]) == text
	}
	var unquoted string
	return json.Unmarshal(value, &unquoted) == nil && unquoted == text
}

// AppendText appends a decoded valid string. It reports whether the string is Unicode: an escape of
// half a surrogate pair is not, and is appended as U+FFFD. Invalid UTF-8 is appended unchanged.
func AppendText(b, quoted []byte) (text []byte, unicode bool) {
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
			second, _ := hexadecimal(rest) // 0 if there is none, which completes no pair
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				unicode = false
			} else {
				rest = rest[len(`\u0000`):]
			}
		}
		b = utf8.AppendRune(b, r)
	}
}

// meaning returns the character of the escape \c.
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

// escapeLength returns the length of the escape at the beginning of text, or 0.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hexadecimal(text); ok {
			return len(`\u0000`)
		}
	}
	return 0
}

// hexadecimal returns the number of the escape \u0000 at the beginning of text.
func hexadecimal(text []byte) (r rune, ok bool) {
	if len(text) < len(`\u0000`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
