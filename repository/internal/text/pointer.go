package text

import "strings"

// Names returns the property names in a JSON pointer (RFC 6901).
func Names(pointer string) []string {
	path := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range path {
		path[i] = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	}
	return path
}

// Escape returns a property name as a JSON pointer has it.
func Escape(name string) string { return escapes.Replace(name) }

// Unescape returns the property name in an element of a JSON pointer.
func Unescape(name string) string { return unescapes.Replace(name) }

var (
	escapes   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapes = strings.NewReplacer("~1", "/", "~0", "~")

	withoutEscapes = strings.NewReplacer("~0", "", "~1", "")
)

// WellEscaped reports whether each ~ in a JSON pointer begins an escape.
func WellEscaped(pointer string) bool {
	return !strings.Contains(pointer, "~") || !strings.Contains(withoutEscapes.Replace(pointer), "~")
}
