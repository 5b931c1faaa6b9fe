package partition

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendEscaped appends text for a key whose components can be separated again: it
// percent-encodes, as "%" and two upper-case hexadecimal digits for each byte (RFC 3986,
// section 2.1),
//
//   - "%" itself and the characters of separators,
//   - control characters: those below U+0020, DEL and U+0080 to U+009F,
//   - characters beyond U+FFFF, and bytes that are not UTF-8,
//
// and leaves everything else unchanged. Different texts have different results. The result
// never contains a separator, or a character that [Text] refuses.
//
// Separators must have neither "%" nor a hexadecimal digit. It does not allocate if b has room,
// and is safe for concurrent use.
func AppendEscaped[T string | []byte](b []byte, text T, separators string) []byte {
	set := reservedOf(separators)
	done := 0 // bytes of text before it are in b
	for i := 0; i < len(text); {
		size, plain := 1, !set.has(text[i])
		if text[i] >= utf8.RuneSelf {
			// A string of one character at most, which needs no allocation.
			size, plain = set.first(string(text[i:min(i+utf8.UTFMax, len(text))]))
		}
		if !plain {
			b = append(b, text[done:i]...)
			for _, c := range []byte(text[i : i+size]) {
				b = append(b, '%', hexDigits[c>>4], hexDigits[c&0xF])
			}
			done = i + size
		}
		i += size
	}
	return append(b, text[done:]...)
}

// AppendEscapedInt appends v in decimal, for a key whose components can be separated again: the
// sign is percent-encoded if it is a separator.
//
// It does not allocate if b has room, and is safe for concurrent use.
func AppendEscapedInt(b []byte, v int64, separators string) []byte {
	var array [20]byte
	return AppendEscaped(b, strconv.AppendInt(array[:0], v, 10), separators)
}

// Unescape returns the text that [AppendEscaped] wrote with the same separators. It is strict,
// so that one key has one set of components: it refuses text that AppendEscaped never writes,
// such as "%2d" in lower case, "%41" for a letter, or a separator.
//
// The error is a [*KeyError] without type and field. It allocates the result only if it decodes
// something, and is safe for concurrent use.
func Unescape(text, separators string) (string, error) {
	plain, problem := unescape(text, separators)
	if problem != "" {
		return "", &KeyError{Reason: problem}
	}
	return plain, nil
}

// unescape is Unescape, with the problem as text, or "".
func unescape(text, separators string) (plain, problem string) {
	decoded, at := decode(text)
	if at >= 0 {
		return "", fmt.Sprintf("has a \"%%\" at byte %d without two upper-case hexadecimal digits after it", at)
	}
	set := reservedOf(separators)
	at = 0
	for rest := decoded; rest != ""; {
		size, plain := set.first(rest)
		begin := at
		for range size {
			if plain == (text[at] == '%') {
				return "", fmt.Sprintf("spells %q at byte %d in another way than the generated code", rest[:size], begin)
			}
			at++
			if !plain {
				at += len("XX")
			}
		}
		rest = rest[size:]
	}
	return decoded, ""
}

const hexDigits = "0123456789ABCDEF"

// decode replaces each "%" and its digits with their byte. If a "%" has no digits, bad is its
// index, otherwise -1.
func decode(text string) (decoded string, bad int) {
	if !strings.Contains(text, "%") {
		return text, -1
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if i+2 >= len(text) {
				return "", i
			}
			high, low := strings.IndexByte(hexDigits, text[i+1]), strings.IndexByte(hexDigits, text[i+2])
			if high < 0 || low < 0 {
				return "", i
			}
			c = byte(high<<4 | low)
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), -1
}

// reserved is the set of characters that are encoded.
type reserved struct {
	ascii      [2]uint64 // a bit for each ASCII character
	separators string
}

// reservedOf returns the set for the separators.
func reservedOf(separators string) reserved {
	set := reserved{[2]uint64{1<<0x20 - 1}, separators} // control characters
	set.add('%')
	set.add(0x7F)
	for i := range len(separators) {
		if c := separators[i]; c < utf8.RuneSelf {
			set.add(c)
		}
	}
	return set
}

func (s *reserved) add(c byte) { s.ascii[c>>6] |= 1 << (c & 63) }

// has reports whether an ASCII character is in the set. It is undefined for other characters.
func (s *reserved) has(c byte) bool { return s.ascii[c>>6&1]>>(c&63)&1 != 0 }

// first returns the length in bytes of the first character of text, and whether it is written
// unchanged.
func (s *reserved) first(text string) (size int, plain bool) {
	if c := text[0]; c < utf8.RuneSelf {
		return 1, !s.has(c)
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return 1, false
	}
	return size, r > 0x9F && r <= 0xFFFF && !strings.ContainsRune(s.separators, r)
}

// EscapedText checks the text of a component that is written by [AppendEscaped], which can
// write every text: it must only not be empty. It does not allocate.
func EscapedText(field, text string) Component {
	if text == "" {
		return Component{field: field, reason: reasonEmpty}
	}
	return Component{field: field}
}

// EscapedLowerText checks the text of a component that is written by [AppendLower] and then
// [AppendEscaped]: it must be ASCII, and not empty. It does not allocate for legal text.
func EscapedLowerText(field, text string) Component {
	c := EscapedText(field, text)
	if c.reason == "" {
		c.reason = asciiProblem(text)
	}
	return c
}

// EscapedMarshaled checks a component with a text form, see [Marshaled], by the rules of
// [EscapedText].
func EscapedMarshaled[T encoding.TextMarshaler](field string, v T) Component {
	text, err := marshal(nil, v)
	if err != nil {
		return unmarshaled(field, err)
	}
	return EscapedText(field, string(text))
}
