package templates

import "strings"

// Guard says what the file depends on in its source.
type Guard struct {
	// Structs are the struct types of the package whose fields the file uses, each
	// with all its fields. The document is the first.
	Structs []GuardedStruct
	// Fields are the fields that the file uses of other structs: structs of other
	// packages, and structs with fields whose types the file cannot write.
	Fields []GuardedField
}

// GuardedStruct is a struct type of the package.
type GuardedStruct struct {
	Name   TypeText
	Fields []StructField
}

// StructField is a field of a struct type, as its declaration writes it.
type StructField struct {
	Name string // "" if it is embedded
	Type TypeText
	Tag  string // the text of the tag, without quotes
}

// GuardedField is a field, by its selector from the document.
type GuardedField struct {
	Selector string
	Type     TypeText
}

// TypeText is a Go type of any form, as the file writes it: pieces of text, and
// between them the types that have a name.
type TypeText []TypePart

// TypePart is a piece of text, or a type if that has a name. The Args of the type
// mean nothing.
type TypePart struct {
	Text string
	Type GoType
}

// String returns the type without the packages of its parts, for comments.
func (t TypeText) String() string {
	var b strings.Builder
	for _, part := range t {
		b.WriteString(part.Text + part.Type.Name)
	}
	return b.String()
}

// types calls yield with every named type in g.
func (g Guard) types(yield func(GoType)) {
	parts := func(t TypeText) {
		for _, part := range t {
			yield(part.Type)
		}
	}
	for _, s := range g.Structs {
		parts(s.Name)
		for _, field := range s.Fields {
			parts(field.Type)
		}
	}
	for _, field := range g.Fields {
		parts(field.Type)
	}
}
