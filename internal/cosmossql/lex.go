package cosmossql

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokenEnd        tokenKind = iota
	tokenIdentifier           // word is the name
	tokenKeyword              // word is in its canonical form (words.go)
	tokenParameter            // word is the name with its @
	tokenNumber               // num is the value
	tokenString               // word is the text without quotes and escapes
	tokenSymbol               // word is the operator or the punctuation
)

// Token is a token of a query: the bytes Start to End of the text.
type Token struct {
	kind       tokenKind
	Word       string
	num        float64
	Start, End int
}

// Is reports whether t is a given keyword or symbol.
func (t Token) Is(word string) bool {
	return t.Word == word && (t.kind == tokenKeyword || t.kind == tokenSymbol)
}

// At returns t. Expressions embed their token, and so have this method.
func (t Token) At() Token { return t }

// lexer cuts a query text into tokens.
type lexer struct {
	text    string
	pos     int
	comment int // offset of the first comment plus 1; 0 without one
}

// symbols are the operators and punctuation, longer ones first.
var symbols = []string{
	">>>", "<<", ">>", "<=", ">=", "<>", "!=", "||", "??",
	"=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".", "*", "/", "%",
	"+", "-", "&", "|", "^", "~", "?", ":",
}

// next returns the next token; at the end of the text, tokenEnd.
func (l *lexer) next() (Token, error) {
	l.skip()
	if l.pos == len(l.text) {
		return Token{Start: l.pos, End: l.pos}, nil
	}
	start := l.pos
	switch c := l.text[start]; {
	case isLetter(c):
		name := l.name(start)
		if word, ok := Keyword(name); ok {
			return l.token(tokenKeyword, word, start), nil
		}
		return l.token(tokenIdentifier, name, start), nil
	case c == '@':
		if start+1 == len(l.text) || !isLetter(l.text[start+1]) {
			l.pos++
			return Token{}, l.fail(start, "a parameter name must follow @, such as @id")
		}
		return l.token(tokenParameter, l.name(start+1), start), nil
	case isDigit(c), c == '.' && start+1 < len(l.text) && isDigit(l.text[start+1]):
		return l.number()
	case c == '"' || c == '\'':
		return l.quoted()
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.text[start:], s) {
			l.pos += len(s)
			return l.token(tokenSymbol, s, start), nil
		}
	}
	_, size := utf8.DecodeRuneInString(l.text[start:])
	l.pos += size
	return Token{}, l.fail(start,
		"unexpected character %q; write a property of such a name as c[\"…\"]", l.text[start:l.pos])
}

// skip skips white space and comments, which extend from -- to the end of the line.
func (l *lexer) skip() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "--"):
			if l.comment == 0 {
				l.comment = l.pos + 1
			}
			end := strings.IndexByte(l.text[l.pos:], '\n')
			if end < 0 {
				end = len(l.text) - l.pos
			}
			l.pos += end
		default:
			return
		}
	}
}

// name consumes letters, digits and underscores from position first. It returns the text from the
// start of the token.
func (l *lexer) name(first int) string {
	start := l.pos
	l.pos = first
	for l.pos < len(l.text) && (isLetter(l.text[l.pos]) || isDigit(l.text[l.pos])) {
		l.pos++
	}
	return l.text[start:l.pos]
}

// number consumes a decimal or, after 0x, a hexadecimal number (Microsoft's page "Constants").
func (l *lexer) number() (Token, error) {
	start := l.pos
	if l.text[start] == '0' && start+1 < len(l.text) && l.text[start+1]|0x20 == 'x' {
		return l.hexadecimal()
	}
	l.digits()
	if l.pos < len(l.text) && l.text[l.pos] == '.' {
		l.pos++
		l.digits()
	}
	if l.pos < len(l.text) && l.text[l.pos]|0x20 == 'e' {
		l.pos++
		if l.pos < len(l.text) && (l.text[l.pos] == '+' || l.text[l.pos] == '-') {
			l.pos++
		}
		l.digits()
	}
	if l.pos < len(l.text) && isLetter(l.text[l.pos]) {
		l.name(l.pos)
		return Token{}, l.fail(start, "%q is not a number", l.text[start:l.pos])
	}
	f, err := strconv.ParseFloat(l.text[start:l.pos], 64)
	if err != nil {
		return Token{}, l.fail(start, "%q is not a number, or is beyond the range of a 64-bit float", l.text[start:l.pos])
	}
	t := l.token(tokenNumber, "", start)
	t.num = f
	return t, nil
}

func (l *lexer) hexadecimal() (Token, error) {
	start := l.pos
	l.name(start)
	n, err := strconv.ParseUint(l.text[start+2:l.pos], 16, 64)
	if err != nil {
		return Token{}, l.fail(start, "%q is not a number; a hexadecimal number has 1 to 16 digits after 0x", l.text[start:l.pos])
	}
	t := l.token(tokenNumber, "", start)
	t.num = float64(n)
	return t, nil
}

func (l *lexer) digits() {
	for l.pos < len(l.text) && isDigit(l.text[l.pos]) {
		l.pos++
	}
}

// quoted consumes a string in single or double quotes. The escapes are from Microsoft's page
// "Constants": \' \" \\ \/ \b \f \n \r \t and \uXXXX.
func (l *lexer) quoted() (Token, error) {
	start := l.pos
	quote := l.text[start]
	l.pos++
	var unescaped []byte
	from := l.pos // the beginning of the text that is not yet in unescaped
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == quote:
			word := l.text[from:l.pos]
			if unescaped != nil {
				word = string(append(unescaped, word...))
			}
			l.pos++
			return l.token(tokenString, word, start), nil
		case c < ' ':
			at := l.pos
			l.pos++
			return Token{}, l.fail(at, "a string cannot hold the control character %q; write it as an escape", c)
		case c != '\\':
			l.pos++
		default:
			unescaped = append(unescaped, l.text[from:l.pos]...)
			r, err := l.escape()
			if err != nil {
				return Token{}, err
			}
			unescaped = utf8.AppendRune(unescaped, r)
			from = l.pos
		}
	}
	return Token{}, l.fail(start, "the string is not closed; its quote %c is missing", quote)
}

// escape consumes an escape sequence, from its backslash.
func (l *lexer) escape() (rune, error) {
	start := l.pos
	l.pos++
	if l.pos == len(l.text) {
		return 0, l.fail(start, "the string is not closed")
	}
	c := l.text[l.pos]
	l.pos++
	switch c {
	case '"', '\'', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		if r, ok := l.hex(); ok {
			return l.pair(r), nil
		}
	}
	_, size := utf8.DecodeRuneInString(l.text[start+1:]) // the text need not be UTF-8
	l.pos = start + 1 + size
	return 0, l.fail(start, `unknown escape %s; the escapes are \' \" \\ \/ \b \f \n \r \t and \uXXXX`, l.text[start:l.pos])
}

// pair returns the character of an escape. Two consecutive escapes of a surrogate pair are one
// character; half a pair is U+FFFD.
func (l *lexer) pair(r rune) rune {
	if !utf16.IsSurrogate(r) {
		return r
	}
	before := l.pos
	if strings.HasPrefix(l.text[l.pos:], `\u`) {
		l.pos += len(`\u`)
		if low, ok := l.hex(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair
			}
		}
	}
	l.pos = before
	return utf8.RuneError
}

// hex consumes four hexadecimal digits.
func (l *lexer) hex() (rune, bool) {
	if l.pos+4 > len(l.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(l.text[l.pos:l.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	l.pos += 4
	return rune(n), true
}

// token returns the token that ends at the position.
func (l *lexer) token(kind tokenKind, word string, start int) Token {
	return Token{kind: kind, Word: word, Start: start, End: l.pos}
}

// fail returns an error about the text from start to the position.
func (l *lexer) fail(start int, format string, args ...any) *Error {
	return NewError(l.text, start, l.pos, codeSyntax, format, args...)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
