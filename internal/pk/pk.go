// Package pk is the model of a partition key: a template whose components are resolved to
// properties, Go types and kinds of text. The generator makes it from tags, internal/layout from a
// lock or from a template alone.
package pk

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// Level is one value of a partition key.
type Level struct {
	Path  string // the place of the value: "/tenantId", "/partitionKey1"; in MongoDB by BSON names
	Made  bool   // the run time writes a text made of Parts there; otherwise the value is a plain property, the one Component of Parts, without Layout and Lower
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
	Layout  string // layout of a Time for package time, or ""
	Newest  bool   // of a Time in the row key of a table: the text counts backwards, so that the newest sorts first; Layout is ""
	Lower   bool   // the text is in ASCII lower case
	NonZero bool   // of a Text that is a plain property: the zero value of its type counts as empty
}

// Bucket is a suffix: a number from 1 to Count. A random one is the last part of a key, after a
// literal.
type Bucket struct {
	Count int
	Hash  []Component // hashed components; nil for a random suffix

	// Was are the counts of earlier releases, under which documents may be stored, oldest last; nil
	// for a random suffix. Next is the count that the next release writes, or 0. Only one bucket of
	// a key has Was or Next.
	Was  []int
	Next int
}

// Field is a field of the document.
type Field struct {
	Selector string   // its Go selector: "Date" or "Meta.Date"
	Pointers []string // selectors of the pointers that lead to it, outermost first: "Meta"
	Name     string   // its name in the key type: "Date"
	Property string   // its JSON property in layouts: "date" or "meta.date"
	Pointer  string   // the same as a JSON pointer: "/date" or "/meta/date"; in MongoDB by BSON names
	Hiding   string   // selector of an outer struct whose own JSON lacks the property, or ""
	Type     GoType
	Value    Value
	Instant  bool // it is a repository.Time, whose JSON texts sort by time
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
	Any                  // unknown: the JSON of each document decides
)

// GoType is a type in generated code.
type GoType struct {
	Path    string // import path; "" for predeclared types and types of the package itself
	Package string // name of the package at Path; "" if it is the last element of Path
	Name    string
	Args    []GoType // type arguments
}

// PackageName returns the name of the package that declares g.
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

// Separators returns the characters that no escaped component of l contains, each once: the first
// character of every literal after a component or a bucket. They end components when a key is
// parsed.
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

// Value returns the kind of a level: the kind of its plain component, or a string.
func (l Level) Value() Value {
	if l.Made {
		return String
	}
	return l.Parts[0].Component.Value
}

// Textual reports whether a method of the key type makes the value, as text.
func (l Level) Textual() bool { return l.Made || l.Value().Marshaled() }

// Marshaled reports whether a method of the field's type makes the text.
func (v Value) Marshaled() bool { return v == Text || v == TextPtr }

// Reach returns the greatest suffix that documents may have, including documents of the next
// release: numbers of buckets only grow.
func (b *Bucket) Reach() int { return max(b.Count, b.Next) }

// Counts returns the numbers of buckets under which documents may be stored, the current one first.
func (b *Bucket) Counts() []int {
	counts := append([]int{b.Count}, b.Was...)
	if b.Next > 0 {
		counts = append(counts, b.Next)
	}
	return counts
}

// Finer reports whether the text of a time distinguishes more times than the text of other.
func (c Component) Finer(other Component) bool {
	if c.Newest || other.Newest {
		return !other.Newest
	}
	return timelayout.Finer(c.Layout, other.Layout)
}
