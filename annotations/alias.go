package annotations

import (
	"slices"
	"strings"
	"unicode"
)

// notRenamed are the words of properties that have one name for ever, or that of the
// service.
var notRenamed = []string{"id", "pk", "synthetic", "etag", "ttl", "ts", "created", "updated", "version", "deleted", "schema", "rest", "tenant"}

// aliases reads the other names of a property, see docs/evolution.md.
func (p *parser) aliases() {
	v, ok := p.value("alias")
	if !ok {
		return
	}
	for _, it := range p.items {
		if slices.Contains(notRenamed, it.row.Name) {
			p.failWord("alias", "%q and \"alias\" exclude each other: stored documents are found by this property, or the service knows it by its name; keep the name, or move the documents to a new type", it.row.Name)
			return
		}
	}
	var names []string
	for s := range v.pieces("+") {
		s = p.trim(s, "write names and \"+\" without spaces")
		switch i := strings.IndexFunc(s.text, notInName); {
		case s.text == "":
			p.fail(v, "a name is missing: write JSON names, joined by \"+\", as in \"alias=fullName+name\"")
			return
		case i >= 0:
			p.fail(s, "the name %q has a %q: aliases are of letters, digits, and _ - . : $ @ #; give the property of old documents another name by a program", s.text, firstRune(s.text[i:]))
			return
		case slices.Contains(names, s.text):
			p.fail(s, "%q occurs here twice: write each alias once, the newest first", s.text)
			return
		}
		names = append(names, s.text)
	}
	p.field.Aliases = names
}

// notInName reports whether an alias cannot have a character.
func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:$@#", r)
}

// firstRune returns the first character of a text.
func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// failWord reports an error at a word of the tag.
func (p *parser) failWord(name, format string, args ...any) {
	for _, it := range p.items {
		if it.row.Name == name {
			p.fail(it.word, format, args...)
		}
	}
}
