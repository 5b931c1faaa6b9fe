package generator

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// findings is what is found wrong with a document, or worth knowing about it. All
// phases add to it.
type findings struct {
	report       *reporter
	failed       bool     // an error has been reported, and the document is not rendered
	alone        bool     // a document of a package that is not known may embed the type
	notes        []string // the messages of the notes that were given
	acknowledged []*acknowledgement
}

// errorf reports an error, after which the document is not rendered.
func (f *findings) errorf(pos token.Position, format string, args ...any) {
	f.failed = true
	f.report.errorf(pos, format, args...)
}

// fixable reports an error with the change that puts it right.
func (f *findings) fixable(pos token.Position, change fix, message string) {
	f.failed = true
	f.report.report(finding{Pos: pos, Message: message, Fix: change})
}

// lacksf reports that a type lacks what a document has, after which it is not
// rendered. It may be meant as a part of a document that is not known.
func (f *findings) lacksf(pos token.Position, format string, args ...any) {
	if f.alone {
		f.failed = true
		return
	}
	f.errorf(pos, format, args...)
}

// acknowledgement is the name of a note in a tag, by which the note is not given.
type acknowledgement struct {
	name  string
	field *types.Var // the one whose tag has it; nil for the blank field
	pos   token.Position
	used  bool
}

// acknowledge notes what a tag acknowledges.
func (f *findings) acknowledge(names []annotations.Acknowledgement, field *types.Var, at func(int) token.Position) {
	for _, n := range names {
		f.acknowledged = append(f.acknowledged, &acknowledgement{name: n.Name, field: field, pos: at(n.Offset)})
	}
}

// silent reports whether a tag acknowledges the note of a name: that of the
// blank field, or of one of the fields that the note is about. All that do are
// used then.
func (f *findings) silent(name string, fields ...*types.Var) bool {
	found := false
	for _, a := range f.acknowledged {
		if a.name == name && (a.field == nil || slices.Contains(fields, a.field)) {
			a.used, found = true, true
		}
	}
	return found
}

// note reports what is no error, unless a tag acknowledges it by its name.
func (f *findings) note(name string, pos token.Position, message string) {
	f.noteOf(name, nil, pos, message)
}

// noteOf is note about the last of fields, which the others lead to.
func (f *findings) noteOf(name string, fields []*types.Var, pos token.Position, message string) {
	if f.silent(name, fields...) {
		return
	}
	where := "the blank field"
	if len(fields) > 0 {
		where = "the field"
	}
	f.notes = append(f.notes, message)
	f.report.report(finding{
		Pos: pos, Severity: asNote, Name: name,
		Message: message + fmt.Sprintf(" (to acknowledge this, write \"note=%s\" on %s)", name, where),
	})
}

// needless notes acknowledgements of what would not be noted. They are no
// errors, since what made them useful may have been put right: the next note of
// that name would be lost.
func (f *findings) needless() {
	f.silent(annotations.NoteElsewhere) // which locks of other packages decide
	for _, a := range f.acknowledged {
		if !a.used {
			f.report.add(a.pos, asNote, fmt.Sprintf("\"note=%s\" acknowledges nothing, since pkgen would not give this note: remove it", a.name))
		}
	}
}
