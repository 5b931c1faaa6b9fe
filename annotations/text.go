package annotations

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyText checks that a partition key and this package's notation can hold every
// character of the text: valid UTF-8 without control characters, up to U+FFFF, and
// no reserved character. The SDK for Go writes keys into a header as
// strconv.QuoteToASCII does, which differs from JSON for DEL, for some control
// characters, and beyond U+FFFF. The kind names the text in messages.
func keyText(s span, reserved, kind string) *Error {
	for i := 0; i < len(s.text); {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		c := s.slice(i, i+size)
		switch {
		case r == utf8.RuneError && size == 1:
			return c.errorf("%s %q holds bytes that are not UTF-8: save the file as UTF-8", kind, s.text)
		case unicode.IsControl(r):
			return c.errorf("%s %q holds a control character, which a key cannot hold: remove it", kind, s.text)
		case r > 0xFFFF:
			return c.errorf("%s %q holds %q, and the SDK cannot send characters beyond U+FFFF in a key: use another", kind, s.text, c.text)
		case strings.ContainsRune(reserved, r):
			return c.errorf("%s %q may not hold %q, which has a meaning in tags and templates: remove it", kind, s.text, c.text)
		}
		i += size
	}
	return nil
}
