package layout

import (
	"bytes"
	"unicode/utf8"
)

// maxDepth is how deep objects and arrays may nest, as in encoding/json.
const maxDepth = 10000

// scanner walks once through a JSON text, checks it as encoding/json does, and keeps
// the values of some properties.
type scanner struct {
	text  []byte
	pos   int
	depth int
	slots []span
	plain bool // the last string had no escapes and was ASCII
}

// document reads a JSON text, which must be one object. Its results say whether the
// text is JSON, and whether it is an object.
func (s *scanner) document(properties []node) (valid, object bool) {
	if s.space() != '{' {
		return s.value() && s.atEnd(), false
	}
	return s.object(properties) && s.atEnd(), true
}

// atEnd reports whether nothing but white space follows.
func (s *scanner) atEnd() bool {
	s.space()
	return s.pos == len(s.text)
}

// space skips white space and returns the byte after it, or 0 at the end.
func (s *scanner) space() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// value reads the value at the position, and reports whether it is valid.
func (s *scanner) value() bool {
	switch c := s.space(); {
	case c == '"':
		return s.string()
	case c == '{':
		return s.object(nil)
	case c == '[':
		return s.array()
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return false
}

// object reads an object, and keeps the values of its properties.
func (s *scanner) object(properties []node) bool {
	if s.depth++; s.depth > maxDepth {
		return false
	}
	s.pos++
	if s.space() == '}' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if s.space() != '"' {
			return false
		}
		start := s.pos
		if !s.string() {
			return false
		}
		n := find(properties, s.text[start:s.pos])
		if s.space() != ':' {
			return false
		}
		s.pos++
		if !s.member(n) {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			s.depth--
			return true
		default:
			return false
		}
	}
}

// member reads the value of a property, which is nil if no layout reads it.
func (s *scanner) member(n *node) bool {
	if n == nil {
		return s.value()
	}
	n.forget(s.slots)
	first := s.space()
	start := s.pos
	var ok bool
	if first == '{' {
		ok = s.object(n.children)
	} else {
		ok = s.value()
	}
	if ok && n.slot >= 0 {
		s.slots[n.slot] = span{start, s.pos, s.plain}
	}
	return ok
}

// find returns the property with a name, which is quoted, or nil.
func find(properties []node, quoted []byte) *node {
	if len(properties) == 0 {
		return nil
	}
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = appendText(nil, quoted)
	}
	for i := range properties {
		if string(name) == properties[i].name {
			return &properties[i]
		}
	}
	return nil
}

// array reads an array.
func (s *scanner) array() bool {
	if s.depth++; s.depth > maxDepth {
		return false
	}
	s.pos++
	if s.space() == ']' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if !s.value() {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			s.depth--
			return true
		default:
			return false
		}
	}
}

// word reads a literal.
func (s *scanner) word(word string) bool {
	if len(s.text)-s.pos < len(word) || string(s.text[s.pos:s.pos+len(word)]) != word {
		return false
	}
	s.pos += len(word)
	return true
}

// number reads a number.
func (s *scanner) number() bool {
	if s.text[s.pos] == '-' {
		s.pos++
	}
	switch {
	case s.at('0'):
		s.pos++
	case !s.digits():
		return false
	}
	if s.at('.') {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits()
	}
	return true
}

// at reports whether a byte is next.
func (s *scanner) at(c byte) bool { return s.pos < len(s.text) && s.text[s.pos] == c }

// digits reads digits, and reports whether there is one.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && isDigit(s.text[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// special has the bytes within a string at which reading must stop and look: quotes,
// backslashes, and control characters, which JSON does not allow.
var special = func() (set [256]bool) {
	for c := range byte(' ') {
		set[c] = true
	}
	set['"'], set['\\'] = true, true
	return set
}()

// string reads a string.
func (s *scanner) string() bool {
	text := s.text
	s.plain = true
	high := byte(0)
	for i := s.pos + 1; i < len(text); i++ {
		c := text[i]
		high |= c
		if !special[c] {
			continue
		}
		switch c {
		case '"':
			s.pos = i + 1
			s.plain = s.plain && high < utf8.RuneSelf
			return true
		case '\\':
			s.plain = false
			n := escapeLength(text[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		default:
			return false
		}
	}
	return false
}

// escapeLength returns the length of the escape that text begins with, or 0.
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

// hexadecimal returns the number of the escape \u0000 that text begins with.
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
