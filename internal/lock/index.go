package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Index is a global secondary index that a type declares. The service builds it from these settings
// once, and cannot change them.
type Index struct {
	Name      string // its name in tags: "ByCustomer"
	Container string // the id of the index's container
	Layout    string // the template of its key, by JSON properties
	// Kinds are the kinds of the layout's properties, in order, separated by commas; see
	// [PropertyKind].
	Kinds string
	// Property is the property of documents with the text of the key, or of one level; "" if all
	// levels are plain properties.
	Property string
	// Select are the properties in the index, separated by commas; "" for all.
	Select string
	// Later is set if programs write the Property, but the index is not made yet.
	Later bool
}

// Index returns the index with a name, or nil.
func (e Entry) Index(name string) *Index {
	i := slices.IndexFunc(e.Indexes, func(x Index) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return &e.Indexes[i]
}

// indexFact is a word with a value that may follow the layout of an index.
type indexFact struct {
	word string
	what string // what differs, in a message
	text func(x *Index) *string
}

// indexFacts are these words, in the order in which they are written.
var indexFacts = []indexFact{
	{"kinds", "the text of a field", func(x *Index) *string { return &x.Kinds }},
	{"property", "the property", func(x *Index) *string { return &x.Property }},
	{"select", "the selection", func(x *Index) *string { return &x.Select }},
}

// laterWord marks an index that is not made yet.
const laterWord = "later"

// words returns the words after the layout of an index.
func (x Index) words() []string {
	var words []string
	for _, f := range indexFacts {
		if text := *f.text(&x); text != "" {
			words = append(words, f.word+"="+text)
		}
	}
	if x.Later {
		words = append(words, laterWord)
	}
	return words
}

// Differences lists the changes for which documents, or the container of the index, must be made
// anew: "the layout", "the container". A later index has no container yet.
func (x Index) Differences(now Index) []string {
	var out []string
	add := func(what string, differ bool) {
		if differ {
			out = append(out, what)
		}
	}
	add("the layout", x.Layout != now.Layout)
	for _, f := range indexFacts {
		switch {
		case f.word == "kinds" && x.Layout != now.Layout: // a changed layout implies changed kinds
		case f.word == "select" && x.Later:
		default:
			add(f.what, *f.text(&x) != *f.text(&now))
		}
	}
	add("the container", x.Container != now.Container && !x.Later)
	return out
}

// Summary returns the layout and the words after it, as in the file.
func (x Index) Summary() string {
	words := append([]string{x.Layout}, x.words()...)
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ") + " in container " + quote(x.Container)
}

// index parses an index of the current type.
func (p *parser) index(args []string) *Error {
	if !p.filled {
		return p.errorf("%q comes before the first type of its container", indexWord)
	}
	e := &p.lock[len(p.lock)-1]
	x := Index{Name: args[0], Container: args[1], Layout: args[2]}
	if !strings.Contains(x.Layout, "{") {
		return p.errorf("%.60q is not a layout, which names properties in braces", x.Layout)
	}
	if e.Index(x.Name) != nil {
		return p.errorf("index %.60q appears twice in type %s, perhaps after a merge: keep one of them", x.Name, e.Type)
	}
	for _, word := range args[3:] {
		if !x.set(word) {
			return p.errorf("%.60q does not follow the layout of an index", word)
		}
	}
	e.Indexes = append(e.Indexes, x)
	return nil
}

// set stores a word after the layout. It returns false if the word is unknown, empty, or repeated.
func (x *Index) set(word string) bool {
	if word == laterWord {
		set := !x.Later
		x.Later = true
		return set
	}
	name, value, _ := strings.Cut(word, "=")
	for _, f := range indexFacts {
		if f.word == name && value != "" && *f.text(x) == "" {
			*f.text(x) = value
			return true
		}
	}
	return false
}

// Key returns the key of the index. The level that programs write is at Property. The error
// concerns the layout, or a wrong number of kinds.
func (x Index) Key() (pk.Key, error) {
	t, problem := annotations.ParseTemplate(x.Layout)
	if problem != nil {
		return pk.Key{}, problem
	}
	var known Entry
	kinds := x.kinds()
	components := known.KeyOf(t).Components()
	if len(kinds) != len(components) {
		return pk.Key{}, fmt.Errorf("the index has %d components and %d kinds: restore %s from version control", len(components), len(kinds), FileName)
	}
	for i, c := range components {
		known.Kinds = append(known.Kinds, PropertyKind{Property: c.Property, Kind: kinds[i]})
	}
	k := known.KeyOf(t)
	for i := range k.Levels {
		level := &k.Levels[i]
		if level.Made {
			level.Path = jsonpointer.Of(x.Property)
		} else {
			level.Path = level.Parts[0].Component.Pointer
		}
	}
	return k, nil
}

// kinds splits Kinds. Type arguments of a kind may contain commas.
func (x Index) kinds() []string {
	depth := 0
	return strings.FieldsFunc(x.Kinds, func(c rune) bool {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		return c == ',' && depth == 0
	})
}
