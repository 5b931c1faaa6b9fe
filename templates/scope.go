package templates

import (
	"go/doc"
	"go/token"
	"strconv"
	"strings"
)

// names is a set of identifiers that are taken.
type names map[string]bool

func (n names) add(all ...string) {
	for _, name := range all {
		n[name] = true
	}
}

// free reports whether a new identifier may be called name: it is not taken, no
// keyword, not blank, and not predeclared, since what hides string or len is hard
// to read and may hide what the body needs.
func (n names) free(name string) bool {
	return !n[name] && name != "_" && token.IsIdentifier(name) && !doc.IsPredeclared(name)
}

// take returns the first of the candidates that is free, or else the last one
// with the word Value, and a number if need be, and takes it.
func (n names) take(candidates ...string) string {
	name := candidates[len(candidates)-1] + "Value"
	for i := 2; !n.free(name); i++ {
		name = candidates[len(candidates)-1] + "Value" + strconv.Itoa(i)
	}
	for _, candidate := range candidates {
		if n.free(candidate) {
			name = candidate
			break
		}
	}
	n[name] = true
	return name
}

// customary is what Go programmers write for names that they cannot have.
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

// parameter takes a name for the parameter that stands for a field.
func (n names) parameter(field string) string {
	name := lowerFirstWord(strings.ReplaceAll(field, "_", ""))
	if usual, ok := customary[name]; ok {
		return n.take(usual, name)
	}
	return n.take(name)
}

// document takes a name for a document of the type: the first letter of the
// last word of the type's name, or that word where the letter is r, which is the
// receiver of the repository's methods, or a, which comments would read as the
// article.
func (n names) document(typ string) string {
	all := words(typ)
	word := strings.ToLower(all[len(all)-1])
	letter := string([]rune(word)[:1])
	if letter == "a" {
		return n.take(word, "doc")
	}
	return n.take(letter, word, "doc")
}
