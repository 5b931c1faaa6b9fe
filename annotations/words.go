package annotations

import "slices"

// Place says where a word is allowed.
type Place int

// The places of a word.
const (
	OnField Place = iota + 1 // the tag of a field of the document
	OnType                   // the tag of the blank field, _ struct{}, which holds the type's options
)

// ValueKind says what follows a word's equals sign. Its text is the
// placeholder that help prints there.
type ValueKind string

// The kinds of value.
const (
	NoValue     ValueKind = ""               // the word has no value
	Count       ValueKind = "N"              // a decimal number
	Counts      ValueKind = "N[+N…]"         // decimal numbers
	TimeFormat  ValueKind = "LAYOUT"         // a format for Layout
	FieldPaths  ValueKind = "PATH[+PATH…]"   // Go field paths
	FieldPath   ValueKind = "PATH"           // one Go field path
	ContainerID ValueKind = "ID"             // the id of a container
	KeyPath     ValueKind = "/NAME[/NAME…]"  // a partition key path
	Separator   ValueKind = "TEXT"           // text that keys contain
	IDPrefix    ValueKind = "PREFIX"         // text that ids begin with
	OnlyNone    ValueKind = "none"           // the word none
	KeyTemplate ValueKind = "TEMPLATE"       // a Template of one level, by Go field paths: of a key, or of ids
	GoType      ValueKind = "TYPE"           // a struct type of the package
	TypeName    ValueKind = "NAME"           // what the documents of a type are called
	Seconds     ValueKind = "SECONDS"        // a time to live, or -1
	Duration    ValueKind = "DURATION"       // whole seconds in the form of time.ParseDuration, such as 720h
	APIName     ValueKind = "NAME"           // an API of Cosmos DB
	VectorIndex ValueKind = "TYPE"           // a type of vector index
	Language    ValueKind = "LANGUAGE"       // a language, such as en-US
	Names       ValueKind = "NAME[+NAME…]"   // names of notes, or JSON names
	SortOrders  ValueKind = "ORDER[;ORDER…]" // Go field paths joined by +, with :desc after descending ones
)

// Need is a condition of a word: the same tag must have one of the other words.
// Why is the reason and the remedy, for messages and help.
type Need struct {
	OneOf []string
	Why   string
}

// Conflict is a word that cannot be combined with another. Why is the reason and
// the remedy, for messages and help.
type Conflict struct {
	Word string
	Why  string
}

// Word is one row of the table that drives the parser, its messages and the
// help. A role says what a field is; every other word is an option of one.
type Word struct {
	Name     string
	Place    Place
	Value    ValueKind
	Role     bool
	Together []string   // for a role: the other roles that the same field may have
	Needs    []Need     // words that must be in the same tag
	Excludes []Conflict // words that must not be in the same tag
	Help     string     // one line: what it means, in the present tense
	Example  string     // a value of a tag that has the word
}

// Usage returns the word as help shows it, with a placeholder for the value:
// pk, buckets=N.
func (w Word) Usage() string {
	if w.Value == NoValue {
		return w.Name
	}
	return w.Name + "=" + string(w.Value)
}

// Words returns a copy of the table, in the order of the documentation: the
// words for fields, then those for types, roles before options.
func Words() []Word {
	out := make([]Word, len(table))
	for i, r := range table {
		w := r.Word
		w.Together = slices.Clone(w.Together)
		w.Needs = slices.Clone(w.Needs)
		for j, n := range w.Needs {
			w.Needs[j].OneOf = slices.Clone(n.OneOf)
		}
		w.Excludes = slices.Clone(w.Excludes)
		out[i] = w
	}
	return out
}
