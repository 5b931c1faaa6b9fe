package lock

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Versions of the file, not of a container. Both are read, and formatVersion is written.
const (
	earlierVersion = 2
	formatVersion  = 3
)

const heading = `# How pkgen makes the partition keys of this package. Stored documents depend on
# it: check this file in. pkgen refuses to change a key that is in it, see
# https://github.com/cosmos-pkgen/pkgen/blob/main/docs/keys.md
`

// The words that lines begin with. Within a container, version is the version of its partition key
// definition.
const (
	versionWord   = "version"
	containerWord = "container"
	pathWord      = "path"
	kindWord      = "kind"
	ttlWord       = "ttl"
	conflictWord  = "conflict"
	typeWord      = "type"
	componentWord = "component"
	propertyWord  = "property"
	computedWord  = "computed"
	indexWord     = "index"
	endWord       = "end"
)

// Format returns the text of the file, containers by id and types by name. [Parse] is its inverse.
// The lock must have no [Lock.Conflict], one time to live and one conflict path per container, and
// no empty type, index, path, kind or layout.
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
			if e.TTL != "" {
				line("\t", ttlWord, e.TTL)
			}
			if e.Conflict != "" {
				line("\t", conflictWord, e.Conflict)
			}
		}
		words := append([]string{typeWord, e.Type, e.Layout}, e.words(true)...)
		if !e.Draft {
			words = append(words, sealWord+e.seal())
		}
		line("\t", words...)
		for _, c := range e.Kinds {
			line("\t\t", stored(c.Stored, componentWord, c.Property, c.Kind)...)
		}
		for _, p := range e.Properties {
			line("\t\t", stored(p.Stored, propertyWord, p.Pointer, cmp.Or(p.Number, p.JSON))...)
		}
		for _, c := range e.Computed {
			line("\t\t", computedWord, c.Name, c.Query)
		}
		for _, x := range e.Indexes {
			line("\t\t", append([]string{indexWord, x.Name, x.Container, x.Layout}, x.words()...)...)
		}
	}
	if len(l) > 0 {
		b.WriteByte('\n')
	}
	line("", endWord)
	return []byte(b.String())
}

// stored appends the place of a property to the words of its line, if it is known.
func stored(where string, words ...string) []string {
	if where == "" {
		return words
	}
	return append(words, where)
}

// Summary returns the layout and the words after it, as in the file: "{deviceId}-{date} escape
// as=reading".
func (e Entry) Summary() string {
	words := append([]string{e.Layout}, e.words(false)...)
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// quote returns a word as it is written in a line.
func quote(word string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !strconv.IsPrint(r) }
	if word == "" || strings.HasPrefix(word, `"`) || !utf8.ValidString(word) || strings.ContainsFunc(word, odd) {
		return strconv.Quote(word)
	}
	return word
}
