package source

import (
	"bytes"
	"strconv"
	"strings"
)

// Literal is the value of a string literal, and the place in the file of each of its
// bytes. There is one more offset than bytes: the offset of the closing quote, so
// that the end of the text has a place too.
type Literal struct {
	Value   string
	offsets []int
}

// slice returns the part of l from byte i to byte j of its value.
func (l Literal) slice(i, j int) Literal {
	return Literal{l.Value[i:j], l.offsets[i : j+1]}
}

// At returns the offset in the file of byte i of the value. If there is no such
// byte, it returns the offset of the nearest end.
func (l Literal) At(i int) int {
	return l.offsets[max(0, min(i, len(l.Value)))]
}

// readLiteral reads the string literal that begins at an offset of the file. It
// reads the file's text, since raw strings in the syntax tree have lost their
// carriage returns. It returns false if the literal does not end in the file.
func readLiteral(text []byte, offset int) (Literal, bool) {
	if offset < 0 || offset >= len(text) {
		return Literal{}, false
	}
	if text[offset] == '`' {
		return readRaw(text, offset)
	}
	end := offset + 1
	for ; end < len(text) && text[end] != text[offset] && text[end] != '\n'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	if end >= len(text) || text[end] == '\n' {
		return Literal{}, false
	}
	offsets := make([]int, 0, end+1-offset)
	for i := offset; i <= end; i++ {
		offsets = append(offsets, i)
	}
	return unquote(Literal{string(text[offset : end+1]), append(offsets, end+1)})
}

// readRaw reads a raw string, which has no escapes and no carriage returns.
func readRaw(text []byte, offset int) (Literal, bool) {
	n := bytes.IndexByte(text[offset+1:], '`')
	if n < 0 {
		return Literal{}, false
	}
	var value strings.Builder
	var offsets []int
	for i := offset + 1; i <= offset+1+n; i++ {
		if text[i] == '\r' {
			continue
		}
		offsets = append(offsets, i)
		if text[i] != '`' {
			value.WriteByte(text[i])
		}
	}
	return Literal{value.String(), offsets}, true
}

// unquote resolves the escapes of an interpreted string, with its quotes. All bytes
// of an escaped character have the place where the escape begins.
func unquote(quoted Literal) (Literal, bool) {
	text := quoted.Value
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return Literal{}, false
	}
	var value []byte
	var offsets []int
	for i := 1; i < len(text)-1; {
		r, multibyte, rest, err := strconv.UnquoteChar(text[i:len(text)-1], '"')
		if err != nil || r == '\n' && text[i] == '\n' {
			return Literal{}, false
		}
		before := len(value)
		if multibyte {
			value = append(value, string(r)...)
		} else {
			value = append(value, byte(r))
		}
		for range len(value) - before {
			offsets = append(offsets, quoted.offsets[i])
		}
		i = len(text) - 1 - len(rest)
	}
	return Literal{string(value), append(offsets, quoted.offsets[len(text)-1])}, true
}
