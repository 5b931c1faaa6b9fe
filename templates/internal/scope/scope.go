// Package scope chooses identifiers that are free in generated code.
package scope

import (
	"go/doc"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// Names is a set of identifiers that are taken.
type Names map[string]bool

// Of returns a set of identifiers.
func Of(all ...string) Names {
	n := Names{}
	n.Add(all...)
	return n
}

// Add notes that identifiers are taken.
func (n Names) Add(all ...string) {
	for _, name := range all {
		n[name] = true
	}
}

// Free reports whether a new identifier may have a name: it is not taken, not a
// keyword, not blank, and not predeclared. A name that hides string or len is hard
// to read, and may hide what the body needs.
func (n Names) Free(name string) bool {
	return !n[name] && name != "_" && token.IsIdentifier(name) && !doc.IsPredeclared(name)
}

// Take takes the first of the candidates that is free, and returns it. If there is
// none, it adds the word Value to the last candidate, and a number if need be.
func (n Names) Take(candidates ...string) string {
	name := freeOf(n.Free, candidates)
	n[name] = true
	return name
}

func freeOf(free func(string) bool, candidates []string) string {
	for _, candidate := range candidates {
		if free(candidate) {
			return candidate
		}
	}
	name := candidates[len(candidates)-1] + "Value"
	for i := 2; !free(name); i++ {
		name = candidates[len(candidates)-1] + "Value" + strconv.Itoa(i)
	}
	return name
}

// Scope has the names that are taken at a place of a file: the reserved names of
// the package, which may be many and are never copied, and others.
type Scope struct {
	Names
	Reserved []string // sorted
}

// Inner returns a scope within s, where more identifiers are taken.
func (s Scope) Inner(more ...string) Scope {
	inner := Scope{maps.Clone(s.Names), s.Reserved}
	inner.Add(more...)
	return inner
}

// Free reports whether a new identifier may have a name.
func (s Scope) Free(name string) bool {
	_, taken := slices.BinarySearch(s.Reserved, name)
	return !taken && s.Names.Free(name)
}

// Take is [Names.Take] of the scope.
func (s Scope) Take(candidates ...string) string {
	name := freeOf(s.Free, candidates)
	s.Add(name)
	return name
}

// customary has the usual names in place of taken ones.
var customary = map[string]string{
	"cap":       "capacity",
	"default":   "def",
	"func":      "fn",
	"interface": "iface",
	"len":       "length",
	"map":       "mapping",
	"max":       "maximum",
	"min":       "minimum",
	"package":   "pkg",
	"string":    "text",
	"type":      "typ",
	"var":       "variable",
}

// Parameter takes a name for the parameter that sets a field.
func (s Scope) Parameter(field string) string {
	name := goname.LowerFirstWord(strings.ReplaceAll(field, "_", ""))
	if usual, ok := customary[name]; ok {
		return s.Take(usual, name)
	}
	return s.Take(name)
}

// Document takes a name for a document of the type: the first letter of the last
// word of the type's name. If the letter is r, which is the receiver of the
// repository's methods, or a, which reads as the article in comments, it takes the
// word.
func (s Scope) Document(typ string) string {
	all := goname.LowerWords(typ)
	word := all[len(all)-1]
	letter := string([]rune(word)[:1])
	if letter == "a" {
		return s.Take(word, "doc")
	}
	return s.Take(letter, word, "doc")
}
