// Package jsonscan reads JSON texts without decoding them into Go values. A [Scanner] is fast, but
// requires valid JSON. A [Checker] reads any text, and finds the first byte that is not JSON.
//
// It does not interpret the values.
package jsonscan

import (
	"bytes"
	"slices"
)

// Scanner is positioned at a value in valid JSON. Each method that reads a value moves past it. On
// invalid JSON the values are arbitrary parts of the text, and every loop over them ends. A Scanner
// does not allocate, and is not safe for concurrent use.
//
// A loop reads the members of an object, or the elements of an array:
//
//	for ok := s.Enter('{'); ok && s.More(); {
//		name, value := s.Name(), s.Raw()
//	}
type Scanner struct {
	text []byte
	pos  int
}

// Of returns a scanner at the beginning of a text.
func Of(valid []byte) Scanner { return Scanner{text: valid} }

// Classes of JSON bytes outside of strings.
const (
	between = 1 << iota // white space, commas and colons
	closing             // closing brackets
)

// classes has the class of each byte that ends numbers, true, false and null.
var classes = [256]uint8{
	' ': between, '\t': between, '\r': between, '\n': between, ',': between, ':': between,
	']': closing, '}': closing,
}

// Kind returns the first byte of the next value: one of { [ " t f n - or a digit. It returns
// ] or } at the end of an array or object, and 0 at the end of the text.
func (s *Scanner) Kind() byte {
	for ; s.pos < len(s.text); s.pos++ {
		if b := s.text[s.pos]; classes[b] != between {
			return b
		}
	}
	return 0
}

// Pos returns the offset of the next byte; after Kind, of the next value.
func (s *Scanner) Pos() int { return s.pos }

// Enter consumes an opening bracket, { or [, and returns true. If the value begins otherwise, Enter
// skips it and returns false.
func (s *Scanner) Enter(bracket byte) bool {
	if s.Kind() != bracket {
		s.Skip()
		return false
	}
	s.pos++
	return true
}

// More reports whether the array or object has another element or member. If not, it consumes the
// closing bracket.
func (s *Scanner) More() bool {
	switch s.Kind() {
	case ']', '}':
		s.pos++
		return false
	case 0:
		return false
	}
	return true
}

// Name returns the name of a member; see [Unquoted].
func (s *Scanner) Name() []byte { return Unquoted(s.Raw()) }

// Text returns a string, and false if the value is not a string; see [Text].
func (s *Scanner) Text() (string, bool) { return Text(s.Raw()) }

// Skip skips a value.
func (s *Scanner) Skip() {
	s.Kind()
	s.pos = End(s.text, s.pos)
}

// Raw returns a value as a slice of the text, or nil if there is none.
func (s *Scanner) Raw() []byte {
	s.Kind()
	start := s.pos
	if s.pos = End(s.text, start); s.pos == start {
		return nil
	}
	return s.text[start:s.pos:s.pos]
}

// End returns the end of the value at an offset of valid JSON.
func End(valid []byte, at int) int {
	if at == len(valid) {
		return at
	}
	switch valid[at] {
	case '"':
		return StringEnd(valid, at)
	case '{', '[':
		end, _ := nestedEnd(valid, at)
		return end
	}
	for at < len(valid) && classes[valid[at]] == 0 {
		at++
	}
	return at
}

// StringEnd returns the end of the string whose opening quote is at an offset: after its closing
// quote, or the end of the text if there is none.
func StringEnd(text []byte, at int) int {
	at++
	for near := min(at+few, len(text)); at < near && text[at] != '\\'; at++ { // cheaper than a call
		if text[at] == '"' {
			return at + 1
		}
	}
	for ; at < len(text); at++ {
		n := bytes.IndexByte(text[at:], '"')
		if n < 0 {
			break
		}
		at += n
		slashes := 0
		for text[at-1-slashes] == '\\' { // stops at the opening quote at the latest
			slashes++
		}
		if slashes%2 == 0 {
			return at + 1
		}
	}
	return len(text)
}

// few is the number of bytes of a string that are checked in line.
const few = 12

// nestedEnd returns the end of the object or array at an offset, and false if the text ends first.
func nestedEnd(text []byte, at int) (end int, ok bool) {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			at = StringEnd(text, at)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1, true
			}
		}
		at++
	}
	return len(text), false
}

// Complete reports whether a text is an object with balanced brackets, surrounded only by white
// space. It detects truncated texts, and checks nothing else.
func Complete(text []byte) bool {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	end, ok := nestedEnd(text, 0)
	return ok && end == len(text)
}

// AppendWithout appends a valid object without the members with some names. Apart from commas, the
// rest is copied byte for byte. Values other than objects are appended unchanged. The destination
// may share the memory of object.
func AppendWithout(to, object []byte, names []string) []byte {
	s := Of(object)
	if s.Kind() != '{' {
		return append(to, object...)
	}
	to = append(to, '{')
	first := len(to)
	for s.Enter('{'); s.More(); {
		start := s.pos
		name := s.Raw()
		s.Skip()
		if slices.ContainsFunc(names, func(text string) bool { return Spells(name, text) }) {
			continue
		}
		if len(to) > first {
			to = append(to, ',')
		}
		to = append(to, object[start:s.pos]...)
	}
	return append(to, '}')
}
