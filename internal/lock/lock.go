package lock

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FileName is the name of the file, in the folder of a package.
const FileName = "pkgen.lock"

// Lock says how the keys of a package's types are made: one Entry for each type,
// no two of one name.
type Lock []Entry

// Entry says how the partition key of a type's documents is made.
type Entry struct {
	Type      string // Go name of the type
	Container string // id of the container
	Definition
	Layout string // the template of the key, by JSON properties
	// Values are the JSON types of the key's values, separated by commas:
	// "number", "string,number". It is "" where all are strings.
	Values string
	Escape bool // components are percent-encoded
	// Discriminator is what documents say of their type, by which they are told
	// from those of other types; "" if they say nothing.
	Discriminator string
}

// Definition is the partition key definition of a container. A container that
// exists keeps it for good.
type Definition struct {
	Path    string // "/partitionKey"; several of a hierarchical key are separated by commas
	Kind    string // "Hash" or "MultiHash"
	Version int    // of the hash that the service computes of a key: 2
}

// Conflict returns two entries that share a container and do not agree on its
// definition, in the order of l, and false if there are none.
func (l Lock) Conflict() (a, b Entry, found bool) {
	first := make(map[string]Entry)
	for _, e := range l {
		other, ok := first[e.Container]
		if ok && other.Definition != e.Definition {
			return other, e, true
		}
		if !ok {
			first[e.Container] = e
		}
	}
	return Entry{}, Entry{}, false
}

// sorted returns the entries by container and type.
func (l Lock) sorted() Lock {
	out := slices.Clone(l)
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Container, b.Container), strings.Compare(a.Type, b.Type))
	})
	return out
}

// formatVersion is the version of the file, not of a container.
const formatVersion = 1

const heading = `# How pkgen makes the partition keys of this package. Stored documents depend on
# it: check this file in. pkgen refuses to change a key that is in it, see
# https://github.com/cosmos-pkgen/pkgen/blob/main/docs/keys.md
`

// The words that lines begin with. Within a container, version is that of its
// partition key definition.
const (
	versionWord   = "version"
	containerWord = "container"
	pathWord      = "path"
	kindWord      = "kind"
	typeWord      = "type"
	endWord       = "end"
	escapeWord    = "escape" // stands behind the layout of a type
	asWord        = "as"     // stands behind that, before the discriminator
)

// Format returns the text of the file, containers by id and types by name.
// [Parse] is its inverse. There must be no [Lock.Conflict], and no type, path,
// kind or layout that is empty.
func (l Lock) Format() []byte {
	var b strings.Builder
	line := func(indent string, words ...string) {
		b.WriteString(indent)
		for i, w := range words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quote(w))
		}
		b.WriteByte('\n')
	}
	b.WriteString(heading)
	line("", versionWord, strconv.Itoa(formatVersion))
	b.WriteByte('\n')
	sorted := l.sorted()
	for i, e := range sorted {
		if i == 0 || e.Container != sorted[i-1].Container {
			if i > 0 {
				b.WriteByte('\n')
			}
			line("", containerWord, e.Container)
			line("\t", pathWord, e.Path)
			line("\t", kindWord, e.Kind)
			line("\t", versionWord, strconv.Itoa(e.Version))
		}
		line("\t", append([]string{typeWord, e.Type}, e.layoutWords()...)...)
	}
	if len(l) > 0 {
		b.WriteByte('\n')
	}
	line("", endWord)
	return []byte(b.String())
}

// layoutWords returns the words that say how a key's text is made, and by what
// the documents are told from others.
func (e Entry) layoutWords() []string {
	words := []string{e.Layout}
	if e.Values != "" {
		words = append(words, e.Values)
	}
	if e.Escape {
		words = append(words, escapeWord)
	}
	if e.Discriminator != "" {
		words = append(words, asWord, e.Discriminator)
	}
	return words
}

// Summary returns the layout with what belongs to it, as the file has it:
// "{deviceId}-{date} escape as reading".
func (e Entry) Summary() string {
	words := e.layoutWords()
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// quote returns a word as it stands in a line.
func quote(word string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !strconv.IsPrint(r) }
	if word == "" || strings.HasPrefix(word, `"`) || !utf8.ValidString(word) || strings.ContainsFunc(word, odd) {
		return strconv.Quote(word)
	}
	return word
}
