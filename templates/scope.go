package templates

import (
	"go/doc"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// names is a set of identifiers that are taken.
type names map[string]bool

func (n names) add(all ...string) {
	for _, name := range all {
		n[name] = true
	}
}

// free reports whether a new identifier may have a name: it is not taken, not a
// keyword, not blank, and not predeclared. A name that hides string or len is hard
// to read, and may hide what the body needs.
func (n names) free(name string) bool {
	return !n[name] && name != "_" && token.IsIdentifier(name) && !doc.IsPredeclared(name)
}

// take takes the first of the candidates that is free, and returns it. If there is
// none, it adds the word Value to the last candidate, and a number if need be.
func (n names) take(candidates ...string) string {
	name := freeOf(n.free, candidates)
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

// scope has the names that are taken at a place of a file: the reserved names of
// the package, which may be many and are never copied, and others.
type scope struct {
	names
	reserved []string // sorted
}

// inner returns a scope within s.
func (s scope) inner() scope { return scope{maps.Clone(s.names), s.reserved} }

func (s scope) free(name string) bool {
	_, taken := slices.BinarySearch(s.reserved, name)
	return !taken && s.names.free(name)
}

func (s scope) take(candidates ...string) string {
	name := freeOf(s.free, candidates)
	s.add(name)
	return name
}

// customary is what Go programmers write in place of names that are taken.
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

// parameter takes a name for the parameter that sets a field.
func (s scope) parameter(field string) string {
	name := goname.LowerFirstWord(strings.ReplaceAll(field, "_", ""))
	if usual, ok := customary[name]; ok {
		return s.take(usual, name)
	}
	return s.take(name)
}

// document takes a name for a document of the type: the first letter of the last
// word of the type's name. If the letter is r, which is the receiver of the
// repository's methods, or a, which reads as the article in comments, it takes the
// word.
func (s scope) document(typ string) string {
	all := goname.LowerWords(typ)
	word := all[len(all)-1]
	letter := string([]rune(word)[:1])
	if letter == "a" {
		return s.take(word, "doc")
	}
	return s.take(letter, word, "doc")
}
