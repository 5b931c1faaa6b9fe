package sourceload

import "bytes"

// withoutBodies returns Go source in which the bodies of the functions that
// begin a line are blank. All else stays where it is, line ends too. What it
// does not recognise it leaves alone, which costs time only.
func withoutBodies(text []byte) []byte {
	s := &bodies{text: bytes.Clone(text)}
	lineStart := true
	for s.pos < len(s.text) {
		if lineStart && s.depth == 0 && bytes.HasPrefix(s.text[s.pos:], []byte("func")) && !isWord(s.at(s.pos+len("func"))) {
			s.function()
		}
		if s.pos < len(s.text) {
			lineStart = s.text[s.pos] == '\n'
			s.next()
		}
	}
	return s.text
}

// bodies is a reader of Go source that knows of brackets, texts and comments.
type bodies struct {
	text  []byte
	pos   int
	depth int // of brackets
}

// at returns a byte of the source, and a line end beyond it.
func (s *bodies) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return '\n'
}

// next goes beyond a byte, a text or a comment.
func (s *bodies) next() {
	switch c := s.text[s.pos]; c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth--
	case '"', '\'', '`':
		s.quoted(c)
		return
	case '/':
		s.comment()
		return
	}
	s.pos++
}

// quoted goes beyond a text, to the end of the line at most if it has to end
// there.
func (s *bodies) quoted(quote byte) {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == quote:
			s.pos++
			return
		case c == '\\' && quote != '`':
			s.pos++
		case c == '\n' && quote != '`':
			return
		}
	}
}

// comment goes beyond a comment, before its line end, or beyond a slash.
func (s *bodies) comment() {
	var end int
	switch s.at(s.pos + 1) {
	case '/':
		end = bytes.IndexByte(s.text[s.pos:], '\n')
	case '*':
		if end = bytes.Index(s.text[s.pos+2:], []byte("*/")); end >= 0 {
			end += 4
		}
	default:
		end = 1
	}
	if end < 0 {
		s.pos = len(s.text)
		return
	}
	s.pos += end
}

// function goes beyond the signature of a function and blanks its body, if it
// has one. A brace within the signature is of a struct or an interface.
func (s *bodies) function() {
	outer := s.depth
	word := ""
	ended := false // a line end here ends the declaration
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case isWord(c):
			start := s.pos
			for s.pos < len(s.text) && isWord(s.text[s.pos]) {
				s.pos++
			}
			word, ended = string(s.text[start:s.pos]), true
			if word == "func" {
				ended = false
			}
			continue
		case c == '\n' && s.depth == outer && ended, c == ';' && s.depth == outer:
			return
		case c == '{' && s.depth == outer && word != "struct" && word != "interface":
			s.body()
			return
		case c == ')' || c == ']' || c == '}':
			word, ended = "", true
		case c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '/':
			word, ended = "", false
		}
		s.next()
	}
}

// body blanks what is between a brace and the one that closes it.
func (s *bodies) body() {
	start, outer := s.pos+1, s.depth
	s.next()
	for s.pos < len(s.text) && s.depth > outer {
		s.next()
	}
	if s.depth > outer {
		return // it is not closed
	}
	for i := start; i < s.pos-1; i++ {
		if s.text[i] != '\n' {
			s.text[i] = ' '
		}
	}
}

// isWord reports whether a byte is part of a name, a keyword or a number.
func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
