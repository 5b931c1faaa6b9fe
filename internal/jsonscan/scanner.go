// Package jsonscan walks through JSON texts without decoding them into Go values. A
// [Scanner] relies on valid JSON, as json.Valid reports it, and is fast. A [Checker] reads
// any text, and finds the first byte that is not JSON.
//
// It knows nothing of what the values mean.
package jsonscan

import (
	"bytes"
	"slices"
)

// Scanner is at a value of a text that is valid JSON. Each method that reads a value leaves
// the scanner after it. Of other texts the values are some parts of the text, and every loop
// over them ends. A Scanner does not allocate, and is not safe for concurrent use.
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

// Of returns a scanner at the value that a text is.
func Of(valid []byte) Scanner { return Scanner{text: valid} }

// Bytes of JSON outside of strings.
const (
	between = 1 << iota // white space, commas and colons
	closing             // brackets that close
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

// Pos returns the offset of the next byte. After Kind it is that of the next value.
func (s *Scanner) Pos() int { return s.pos }

// Enter passes over the bracket that opens a value, { or [. A value that does not begin
// with this bracket is skipped, and Enter returns false.
func (s *Scanner) Enter(bracket byte) bool {
	if s.Kind() != bracket {
		s.Skip()
		return false
	}
	s.pos++
	return true
}

// More reports whether the array or object has another element or member. If not, it passes
// over the bracket that closes it.
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

// Name returns the name of a member, as [Unquoted] does.
func (s *Scanner) Name() []byte { return Unquoted(s.Raw()) }

// Text returns a string, and false if the value is not a string: see [Text].
func (s *Scanner) Text() (string, bool) { return Text(s.Raw()) }

// Skip passes over a value.
func (s *Scanner) Skip() {
	s.Kind()
	s.pos = End(s.text, s.pos)
}

// Raw returns a value as it is written, a part of the text, or nil if there is none.
func (s *Scanner) Raw() []byte {
	s.Kind()
	start := s.pos
	if s.pos = End(s.text, start); s.pos == start {
		return nil
	}
	return s.text[start:s.pos:s.pos]
}

// End returns where the value ends that begins at an offset of valid JSON.
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

// StringEnd returns where the string ends whose opening quote is at an offset: after its
// closing quote, or at the end of the text if there is none.
func StringEnd(text []byte, at int) int {
	at++
	for near := min(at+few, len(text)); at < near && text[at] != '\\'; at++ { // a call costs more
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
		for text[at-1-slashes] == '\\' { // ends at the opening quote at the latest
			slashes++
		}
		if slashes%2 == 0 {
			return at + 1
		}
	}
	return len(text)
}

// few is how many bytes of a string are looked at one by one.
const few = 12

// nestedEnd returns where the object or array ends that begins at an offset, and false if
// the text ends first.
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

// Complete reports whether a text is an object whose brackets are balanced, and nothing but
// white space is around it. It finds texts that were cut off, and looks at nothing else.
func Complete(text []byte) bool {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	end, ok := nestedEnd(text, 0)
	return ok && end == len(text)
}

// AppendWithout appends a valid object without the members of some names. What is left is
// byte for byte as it was, but for the commas between. Other values are appended unchanged.
// The memory of the object itself may be appended to.
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
