package formatted

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"
)

// sameCode reports whether a text that should be a formatted source differs from
// it in the spaces within lines and in no more: both have the same tokens and
// comments, with the same line breaks and blank lines between them, and the text
// ends with a line break. go/format does more in some places, as where it breaks
// a long function in one line: the answer is false then.
func sameCode(source, text []byte) bool {
	if bytes.HasPrefix(source, byteOrderMark) != bytes.HasPrefix(text, byteOrderMark) || !bytes.HasSuffix(text, lineBreak) {
		return false // the scanner passes over both
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
	line    int // where the one before ended
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
	line := t.file.PositionFor(pos, false).Line // whatever line directives say
	p := piece{token: tok, text: text, newline: min(line-t.line, 2)}
	t.line = line
	if tok != token.SEMICOLON { // of which the text is the line break that is no semicolon
		t.line += strings.Count(text, "\n")
	}
	return p
}
