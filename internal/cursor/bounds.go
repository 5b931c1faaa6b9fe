package cursor

import "strings"

// IsBound reports whether text may be a bound of effective partition keys.
func IsBound(text string) bool {
	const longest = 4*32 + 2 // four levels, and the bound after them
	return len(text) <= longest && strings.Trim(text, "0123456789ABCDEF") == ""
}

// FitsHeader reports whether text is legal in a header.
func FitsHeader(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
