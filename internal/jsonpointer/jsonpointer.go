// Package jsonpointer writes and reads JSON pointers (RFC 6901): /position/lat is the property lat
// of the object position. In a name, ~ is written ~0 and / is written ~1.
//
// It knows only the notation. Partition key paths, which have no escapes, are another notation.
package jsonpointer

import "strings"

var (
	escapes   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapes = strings.NewReplacer("~1", "/", "~0", "~")

	withoutEscapes = strings.NewReplacer("~0", "", "~1", "")
)

// Escape returns a name as an element of a pointer.
func Escape(name string) string { return escapes.Replace(name) }

// Unescape is the inverse of Escape. It does not allocate if nothing is escaped.
func Unescape(element string) string {
	if strings.IndexByte(element, '~') < 0 {
		return element
	}
	return unescapes.Replace(element)
}

// WellEscaped reports whether each ~ in a pointer begins an escape.
func WellEscaped(pointer string) bool {
	return !strings.Contains(pointer, "~") || !strings.Contains(withoutEscapes.Replace(pointer), "~")
}

// Of returns the pointer to a nested property, from its names, outermost first. Without names it is
// "", the whole document.
func Of(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		_, _ = escapes.WriteString(&b, name) // a Builder returns no error
	}
	return b.String()
}

// Names is the inverse of Of. The leading slash may be missing.
func Names(pointer string) []string {
	if pointer == "" {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		names[i] = Unescape(name)
	}
	return names
}

// Parent returns the pointer to the object with the property at a pointer, which must not be "".
func Parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

// Contains reports whether inner equals outer or is below it.
func Contains(outer, inner string) bool {
	return inner == outer || strings.HasPrefix(inner, outer+"/")
}
