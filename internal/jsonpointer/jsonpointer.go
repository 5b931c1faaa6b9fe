// Package jsonpointer writes and reads JSON pointers (RFC 6901): /position/lat is
// the property lat of the object position. In a name, ~ is written ~0 and / is
// written ~1.
//
// It knows the notation, and nothing of documents. The paths of partition keys,
// which have no escapes, are another notation.
package jsonpointer

import "strings"

var (
	escapes   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapes = strings.NewReplacer("~1", "/", "~0", "~")

	withoutEscapes = strings.NewReplacer("~0", "", "~1", "")
)

// Escape returns a name as pointers have it.
func Escape(name string) string { return escapes.Replace(name) }

// Unescape returns the name that is an element of a pointer. It is the inverse of Escape,
// and does not allocate if nothing is escaped.
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

// Of returns the pointer to the last of properties that are within each other.
// Without names it is "", the whole document.
func Of(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		_, _ = escapes.WriteString(&b, name) // a Builder takes all
	}
	return b.String()
}

// Names returns the names that a pointer was made of. It is the inverse of Of. The slash
// at the beginning may be missing.
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

// Parent returns the pointer to the object that has the property at a pointer,
// which is not "".
func Parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

// Contains reports whether a pointer is another or leads to it.
func Contains(outer, inner string) bool {
	return inner == outer || strings.HasPrefix(inner, outer+"/")
}
