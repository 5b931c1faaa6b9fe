package sample

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// element reads an element of the array. It considers only brackets and strings. A mismatched
// closing bracket closes the last open one, so that a broken element rarely affects others.
func (s *Reader) element() (Document, error) {
	first, err := s.skip(space + ",")
	if err != nil {
		if errors.Is(err, io.EOF) {
			s.ended = true
			return Document{Line: s.line, Problem: "is missing: the input ends without the end of the array"}, nil
		}
		return Document{}, s.failure(err)
	}
	if first == ']' {
		return s.afterArray()
	}
	d := Document{Line: s.line}
	scan := elementScan{stack: s.stack[:0]}
	s.long = s.long[:0]
	for !scan.ended {
		_, err := s.in.Peek(1)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return Document{}, s.failure(err)
			}
			s.ended = true
			if len(scan.stack) > 0 || scan.quoted {
				return Document{Line: d.Line, Problem: unclosed}, nil
			}
			break
		}
		chunk, _ := s.in.Peek(s.in.Buffered())
		n := scan.take(chunk)
		s.line += int64(bytes.Count(chunk[:n], []byte{'\n'}))
		if len(s.long)+n > MaxBytes {
			d.Problem = tooLong
		} else if d.Problem == "" {
			s.long = append(s.long, chunk[:n]...)
		}
		_, _ = s.in.Discard(n) // the bytes are in the buffer
		if len(scan.stack) > MaxBytes {
			s.ended = true
			return Document{Line: d.Line, Problem: "is nested too deeply, so the rest was not read"}, nil
		}
	}
	s.stack = scan.stack
	if d.Problem == "" {
		d.Text = s.long
	}
	return d, nil
}

// afterArray reads the end of the array. Text after it is one problem.
func (s *Reader) afterArray() (Document, error) {
	_, _ = s.in.Discard(1) // the byte is in the buffer
	_, err := s.skip(space)
	if err != nil {
		return Document{}, s.failure(err)
	}
	s.ended = true
	return Document{Line: s.line, Problem: after}, nil
}

// elementScan finds the end of an element.
type elementScan struct {
	stack   []byte // open brackets
	quoted  bool   // within a string
	escaped bool   // after a backslash
	began   bool
	ended   bool
}

// take scans bytes, and returns how many of them belong to the element.
func (e *elementScan) take(chunk []byte) int {
	for i := 0; i < len(chunk); i++ {
		if e.quoted && !e.escaped {
			i += plain(chunk[i:])
			if i == len(chunk) {
				break
			}
		}
		b := chunk[i]
		switch {
		case e.escaped:
			e.escaped = false
		case e.quoted && b == '\\':
			e.escaped = true
		case b == '"':
			e.quoted = !e.quoted
			if e.ended = !e.quoted && len(e.stack) == 0; e.ended {
				return i + 1
			}
		case e.quoted:
		case b == '{' || b == '[':
			e.stack = append(e.stack, b)
		case b == '}' || b == ']':
			if e.close(b) {
				return i + 1
			}
			if e.ended {
				return i
			}
		case len(e.stack) == 0 && e.began && (b == ',' || strings.IndexByte(space, b) >= 0):
			e.ended = true
			return i
		}
		e.began = true
	}
	return len(chunk)
}

// plain returns the number of bytes of a string before a quote or a backslash.
func plain(text []byte) int {
	if i := bytes.IndexByte(text, '"'); i >= 0 {
		text = text[:i]
	}
	if i := bytes.IndexByte(text, '\\'); i >= 0 {
		return i
	}
	return len(text)
}

// close closes a bracket, and reports whether the element ends with it. A "]" without an open
// bracket ends the array and is not part of the element. A "}" without one ends the element.
func (e *elementScan) close(b byte) bool {
	open := byte('{')
	if b == ']' {
		open = '['
	}
	i := bytes.LastIndexByte(e.stack, open)
	if i < 0 {
		e.ended = b == ']' || len(e.stack) == 0
		return e.ended && b == '}'
	}
	e.stack = e.stack[:i]
	e.ended = i == 0
	return e.ended
}
