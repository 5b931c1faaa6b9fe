package cosmossql

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Literal is a constant.
type Literal struct {
	Kind   Kind    // neither an array nor an object
	Bool   bool    // of a boolean
	Number float64 // of a number
	// Text is the value of a string, or the spelling of a number, such as 0x10.
	Text string
	Token
}

// constants are the values with a keyword.
var constants = map[string]Literal{
	"undefined": {Kind: KindUndefined},
	"null":      {Kind: KindNull},
	"false":     {Kind: KindBool},
	"true":      {Kind: KindBool, Bool: true},
}

// String returns the literal as a query spells it.
func (l *Literal) String() string {
	switch l.Kind {
	case KindNumber:
		if l.Long() {
			return l.Text
		}
		return string(AppendNumber(nil, l.Number))
	case KindString:
		return Quote(l.Text)
	case KindBool:
		return strconv.FormatBool(l.Bool)
	default:
		return l.Kind.String()
	}
}

// Long reports whether the literal is a 64-bit integer that float64 may not represent.
func (l *Literal) Long() bool {
	if math.Abs(l.Number) < 1<<53 {
		return false
	}
	_, err := strconv.ParseInt(l.Text, 10, 64)
	return err == nil
}

// Position converts a number to an element's position or a number of rows: an integer from 0 to
// [MaxCount].
func Position(n float64) (int, bool) {
	if n < 0 || n > MaxCount || n != math.Trunc(n) {
		return 0, false
	}
	return int(n), true
}

// Property returns the text of a property of the document c, from the names of its path. It uses
// brackets and quotes, in which every name is legal, including reserved words.
func Property(names ...string) string {
	text := []byte("c")
	for _, name := range names {
		text = append(AppendQuoted(append(text, '['), name), ']')
	}
	return string(text)
}

// Quote returns a string literal.
func Quote(text string) string { return string(AppendQuoted(nil, text)) }

// AppendQuoted appends a string literal to dst: JSON that escapes only what JSON requires.
func AppendQuoted(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// AppendNumber appends a number literal to dst: JSON that, as in ECMAScript, has no exponent
// between 1e-6 and 1e21.
func AppendNumber(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); n-start >= 4 && dst[n-3] == '-' && dst[n-2] == '0' {
		dst = append(dst[:n-2], dst[n-1]) // e-07 becomes e-7
	}
	return dst
}
