package lock

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// FileName is the name of the file, in the folder of a package.
const FileName = "pkgen.lock"

// Lock says how the keys of a package's types are made: one Entry for each type,
// no two of one name.
type Lock []Entry

// Entry says how the partition key of a type's documents is made, and what else
// is remembered of them.
type Entry struct {
	Type      string // Go name of the type
	Container string // id of the container
	Definition
	// TTL is the container's default time to live in seconds, "-1" for none though
	// documents may have one of their own, or "": nothing expires. It can change.
	TTL string

	Layout string // the template of the key, by JSON properties
	// Values are the JSON types of the key's values, separated by commas:
	// "number", "string,number". It is "" where all are strings.
	Values string
	Escape bool // components are percent-encoded
	// Discriminator is what documents say of their type, by which they are told
	// from those of other types; "" if they say nothing.
	Discriminator string
	// Prefix is what every id begins with, empty if they may be any.
	Prefix string
	// Kinds say how the texts of the properties that the layout names are made, each
	// once, in its order, and after them that of the item id where it is no text; nil
	// if that is not known, as in files of version 1.
	Kinds []PropertyKind

	// Elsewhere says that the container is in another database than those of its id
	// that other packages have.
	Elsewhere bool
	// Draft says that the layout may still change: no documents are stored by it
	// that matter.
	Draft bool
	// Gone says that the type is no more, and that documents of it may be.
	Gone bool

	// Properties are those of the documents that Go writes, by their pointers; nil
	// if they are not known.
	Properties []Property
}

// PropertyKind says how the text of a property is made that a key is made of, hashed
// or not.
type PropertyKind struct {
	Property string // as layouts name it: "vin" or "meta.device"
	// Kind says how its text is made: one of the constants, or the type that
	// marshals it as import path and name, "log/slog.Level", with type arguments,
	// and without a path for a type of the package itself: ".Level".
	Kind string
}

// The kinds of components whose text no method of a type makes.
const (
	Text    = "text"  // a string, as it is
	Integer = "int"   // an integer, in digits
	Bool    = "bool"  // true or false
	Float   = "float" // a number that is the key itself
	Time    = "time"  // a time.Time, in the format that the layout has
)

// Property is what Go writes of a document.
type Property struct {
	Pointer string // JSON pointer: "/vin" or "/meta/device"
	JSON    string // "string", "number", "boolean", "object", "array", or "any" if code decides
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

// Find returns the entry of a type.
func (l Lock) Find(typ string) (Entry, bool) {
	i := slices.IndexFunc(l, func(e Entry) bool { return e.Type == typ })
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

// sorted returns the entries by container and type.
func (l Lock) sorted() Lock {
	out := slices.Clone(l)
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Container, b.Container), strings.Compare(a.Type, b.Type))
	})
	return out
}

// idProperty is the item id, whose kind has a line where it is no text.
const idProperty = "id"

// kinds returns the kinds of the components by their properties, and of the id.
func (e Entry) kinds() map[string]string {
	kinds := make(map[string]string, len(e.Kinds)+1)
	kinds[idProperty] = Text
	for _, c := range e.Kinds {
		kinds[c.Property] = c.Kind
	}
	return kinds
}

// sameKinds reports whether the texts of components are made alike. What is not
// known of one entry does not differ.
func (e Entry) sameKinds(other Entry) bool {
	return e.Kinds == nil || other.Kinds == nil || maps.EqualFunc(e.kinds(), other.kinds(), sameKind)
}

// sameKind reports whether two kinds write the same text of what both can hold:
// a number that is the key itself is one number, whether Go calls it an integer
// or a float.
func sameKind(a, b string) bool {
	number := func(kind string) bool { return kind == Integer || kind == Float }
	return a == b || number(a) && number(b)
}
