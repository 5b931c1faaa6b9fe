package formatted

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"
)

// sameCode reports whether a text differs from its source only in spaces within lines: both have
// the same tokens and comments, with the same line breaks and blank lines between them, and the
// text ends with a line break. It is false where go/format changes more, such as when it breaks a
// long one-line function.
func sameCode(source, text []byte) bool {
	if bytes.HasPrefix(source, byteOrderMark) != bytes.HasPrefix(text, byteOrderMark) || !bytes.HasSuffix(text, lineBreak) {
		return false // the scanner ignores both
	}
	x, y := newTokens(source), newTokens(text)
	for {
		s, t := x.next(), y.next()
		if s != t || x.errors+y.errors > 0 {
			return false
		}
		if s.token == token.EOF {
			return true
		}
	}
}

var byteOrderMark, lineBreak = []byte("\ufeff"), []byte("\n")

// tokens reads the tokens of a source.
type tokens struct {
	scanner scanner.Scanner
	file    *token.File
	line    int // the line where the previous token ended
	errors  int
}

func newTokens(text []byte) *tokens {
	t := &tokens{file: token.NewFileSet().AddFile("", -1, len(text)), line: 1}
	t.scanner.Init(t.file, text, func(token.Position, string) { t.errors++ }, scanner.ScanComments)
	return t
}

// piece is a token or a comment.
type piece struct {
	token   token.Token
	text    string
	newline int // line breaks before it: none, one, or more
}

func (t *tokens) next() piece {
	pos, tok, text := t.scanner.Scan()
	line := t.file.PositionFor(pos, false).Line // ignores line directives
	p := piece{token: tok, text: text, newline: min(line-t.line, 2)}
	t.line = line
	if tok != token.SEMICOLON { // an automatic semicolon, whose text is a line break
		t.line += strings.Count(text, "\n")
	}
	return p
}
