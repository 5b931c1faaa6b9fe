package jsontext

import (
	"bytes"
	"encoding/json"
)

// scanner walks through JSON text that is known to be valid.
type scanner struct {
	text []byte
	pos  int
}

// space skips white space and returns the byte after it.
func (s *scanner) space() byte {
	for s.text[s.pos] <= ' ' {
		s.pos++
	}
	return s.text[s.pos]
}

// value passes over the value that begins at the position, and returns its text.
func (s *scanner) value() []byte {
	start := s.pos
	switch s.text[s.pos] {
	case '"':
		s.string()
	case '{', '[':
		s.composite()
	default:
		for s.pos < len(s.text) && bytes.IndexByte(delimiters, s.text[s.pos]) < 0 {
			s.pos++
		}
	}
	return s.text[start:s.pos:s.pos]
}

// delimiters end numbers and literals.
var delimiters = []byte(" \t\r\n,]}")

// composite passes over an object or an array.
func (s *scanner) composite() {
	for depth := 0; ; {
		switch s.text[s.pos] {
		case '"':
			s.string()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.pos++
		if depth == 0 {
			return
		}
	}
}

// string passes over a string.
func (s *scanner) string() {
	for s.pos++; ; s.pos++ {
		s.pos += bytes.IndexByte(s.text[s.pos:], '"')
		slashes := 0
		for s.text[s.pos-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			s.pos++
			return
		}
	}
}

// unquoted returns what a JSON string says.
func unquoted(quoted []byte) string {
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var name string
	_ = json.Unmarshal(quoted, &name) // the text is valid
	return name
}
