// Package pk is the one model of a partition key: a template whose components are resolved,
// with the properties, the Go types and the kinds of their texts. The generator makes it of
// tags, internal/layout of a lock or of a template alone.
package pk

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// Level is one value of a partition key.
type Level struct {
	Path  string // where the value is: "/tenantId", "/partitionKey1"; of Mongo by BSON names
	Made  bool   // the run time writes a text made of Parts there; else the value is a plain property, the one Component of Parts, without Layout and Lower
	Parts []Part // in order; at most one is a Bucket, and only one Level may have a random one
}

// Part is a component, a bucket, or the text between them. Exactly one of its
// fields is set.
type Part struct {
	Literal   string
	Component *Component
	Bucket    *Bucket
}

// Component is a field whose text is part of the key, or is hashed.
type Component struct {
	Field
	Layout  string // layout for package time of a Time, else ""
	Newest  bool   // of a Time in the row key of a table: the text is the time counted backwards, so that the newest sorts first; Layout is ""
	Lower   bool   // the text is in ASCII lower case
	NonZero bool   // of a Text that is a plain property: the zero value of its type counts as empty
}

// Bucket is a suffix: a number from 1 to Count. A random one is the last part
// of a key, after a literal.
type Bucket struct {
	Count int
	Hash  []Component // what is hashed; nil for a random suffix

	// Was are the counts of releases before, which documents may be stored under, the
	// oldest last; nil for a random suffix. Next is the count that the next release
	// writes, or 0. Only one bucket of a key has either.
	Was  []int
	Next int
}

// Field is a field of the document.
type Field struct {
	Selector string   // how the document reaches it: "Date" or "Meta.Date"
	Pointers []string // selectors of the pointers that lead to it, outermost first: "Meta"
	Name     string   // what the key type calls it: "Date"
	Property string   // its JSON property, as layouts name it: "date" or "meta.date"
	Pointer  string   // the same as a JSON pointer: "/date" or "/meta/date"; of Mongo by BSON names
	Hiding   string   // selector of a struct that contains it and writes JSON of its own, without the property; else ""
	Type     GoType
	Value    Value
	Instant  bool // it is a repository.Time, whose JSON texts are in the order of time
}

// Value says how the text of a field is made.
type Value int

// The values.
const (
	String  Value = iota // a string, or a type whose underlying type is one
	Int                  // a signed integer
	Uint                 // an unsigned integer
	Bool                 // a boolean
	Float                // a float, for natural keys only
	Time                 // a time.Time, or a repository.Time
	Text                 // an encoding.TextMarshaler
	TextPtr              // a type whose pointer is an encoding.TextMarshaler
	Any                  // nobody knows: as the JSON of each document suggests
)

// GoType is a type as generated code writes it.
type GoType struct {
	Path    string // import path, "" for predeclared types and those of the package itself
	Package string // name of the package at Path; "" if it is the last element of Path
	Name    string
	Args    []GoType // type arguments
}

// PackageName is the name of the package that declares g.
func (g GoType) PackageName() string {
	if g.Package != "" {
		return g.Package
	}
	return path.Base(g.Path)
}

// Bucket returns the suffix of l, or nil.
func (l Level) Bucket() *Bucket {
	for _, part := range l.Parts {
		if part.Bucket != nil {
			return part.Bucket
		}
	}
	return nil
}

// Random reports whether l ends with a random suffix.
func (l Level) Random() bool {
	bucket := l.Bucket()
	return bucket != nil && bucket.Hash == nil
}

// Separators returns the characters that no escaped component of l contains, each
// once: the first one of every literal that follows a component or a bucket. They
// tell a reader of the key where a component ends.
func (l Level) Separators() string {
	var set strings.Builder
	for i, part := range l.Parts {
		if i == 0 || part.Literal == "" {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(part.Literal); !strings.ContainsRune(set.String(), r) {
			set.WriteRune(r)
		}
	}
	return set.String()
}

// Value says how the value of a level is made: as its component's, or as a string.
func (l Level) Value() Value {
	if l.Made {
		return String
	}
	return l.Parts[0].Component.Value
}

// Textual reports whether a method of the key type makes the value, as text.
func (l Level) Textual() bool { return l.Made || l.Value().Marshaled() }

// Marshaled reports whether a method of its type makes the text.
func (v Value) Marshaled() bool { return v == Text || v == TextPtr }

// Reach is the greatest suffix that documents may have, also those that programs of
// the next release store: numbers of buckets only grow.
func (b *Bucket) Reach() int { return max(b.Count, b.Next) }

// Counts are the numbers of buckets under which documents may be, the present one
// first.
func (b *Bucket) Counts() []int {
	counts := append([]int{b.Count}, b.Was...)
	if b.Next > 0 {
		counts = append(counts, b.Next)
	}
	return counts
}

// Finer reports whether the text of a time tells more times apart than that of other.
func (c Component) Finer(other Component) bool {
	if c.Newest || other.Newest {
		return !other.Newest
	}
	return timelayout.Finer(c.Layout, other.Layout)
}
