// Package cursor reads JSON that is known to be valid, in one pass and without a copy: most
// of an answer of a graph is names and marks that nobody needs. Package encoding/json reads
// nested raw values once for each level.
//
// Every function relies on json.Valid, which says nothing of what the values mean: each
// reports whether the value is of the kind that was asked for.
package cursor

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Cursor is at a value of a text. Each method that reads one leaves the cursor after it.
// It is not safe for concurrent use.
type Cursor struct {
	text []byte
	at   int
}

// Of returns a cursor at the value that a text of valid JSON is.
func Of(valid []byte) Cursor { return Cursor{text: valid} }

// Kind returns the first byte of the value: one of { [ " t f n - or a digit. It returns 0
// after the last value.
func (c *Cursor) Kind() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return b
		}
	}
	return 0
}

// Object calls member at the value of each member, which member must read, by Skip if by
// nothing else. The name is valid during the call. It returns false, and skips the value,
// if the value is not an object.
func (c *Cursor) Object(member func(name []byte)) bool {
	if c.Kind() != '{' {
		c.Skip()
		return false
	}
	c.at++
	for {
		switch c.Kind() {
		case '}':
			c.at++
			return true
		case 0:
			return true
		}
		name, _ := unquoted(c.Raw())
		member(name)
	}
}

// Array calls element at each element, which element must read. It returns false, and skips
// the value, if the value is not an array.
func (c *Cursor) Array(element func()) bool {
	if c.Kind() != '[' {
		c.Skip()
		return false
	}
	c.at++
	for {
		switch c.Kind() {
		case ']':
			c.at++
			return true
		case 0:
			return true
		}
		element()
	}
}

// Text returns a text, and false if the value is not a text.
func (c *Cursor) Text() (string, bool) { return Text(c.Raw()) }

// Text returns the text that a value is, and false if it is not a text. Bytes that are not
// UTF-8 become U+FFFD, as with encoding/json.
func Text(value []byte) (string, bool) {
	inside, ok := unquoted(value)
	return string(inside), ok
}

// unquoted is Text without a copy, if nothing in the text is escaped.
func unquoted(value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	inside := value[1 : len(value)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return inside, true
	}
	var text string
	err := json.Unmarshal(value, &text)
	return []byte(text), err == nil
}

// Skip leaves a value out.
func (c *Cursor) Skip() { _ = c.Raw() }

// Raw returns a value as it is written: a part of the cursor's text.
func (c *Cursor) Raw() []byte {
	first := c.Kind()
	start := c.at
	switch first {
	case '"':
		c.quoted()
	case '{', '[':
		c.nested()
	default:
		for c.at < len(c.text) && !ends(c.text[c.at]) {
			c.at++
		}
	}
	return c.text[start:c.at:c.at]
}

// ends reports whether a number, true, false or null ends before a byte.
func ends(b byte) bool {
	switch b {
	case ',', ']', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// quoted goes to the end of a text.
func (c *Cursor) quoted() {
	for c.at++; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case '\\':
			c.at++
		case '"':
			c.at++
			return
		}
	}
	c.at = len(c.text)
}

// nested goes to the end of an object or an array.
func (c *Cursor) nested() {
	for depth := 0; c.at < len(c.text); {
		switch c.text[c.at] {
		case '"':
			c.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.at++
		if depth == 0 {
			return
		}
	}
}
