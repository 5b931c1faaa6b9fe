package diag

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// Findings collects the errors and notes about a document. All phases add to it.
type Findings struct {
	Report       *Reporter
	Failed       bool     // an error has been reported, and the document is not rendered
	Alone        bool     // a document of an unknown package may embed the type
	Notes        []string // the messages of the notes that were given
	Acknowledged []*Acknowledgement
}

// Errorf reports an error, after which the document is not rendered.
func (f *Findings) Errorf(pos token.Position, format string, args ...any) {
	f.Failed = true
	f.Report.Errorf(pos, format, args...)
}

// Fixable reports an error with the change that corrects it.
func (f *Findings) Fixable(pos token.Position, change Fix, message string) {
	f.Failed = true
	f.Report.report(Finding{Pos: pos, Message: message, Fix: change})
}

// Lacksf reports that a type lacks something that a document has; the type is not
// rendered. It does not report this of a type that an unknown document may embed.
func (f *Findings) Lacksf(pos token.Position, format string, args ...any) {
	if f.Alone {
		f.Failed = true
		return
	}
	f.Errorf(pos, format, args...)
}

// Acknowledgement is the name of a note in a tag, which suppresses that note.
type Acknowledgement struct {
	Name  string
	Field *types.Var // the one whose tag has it; nil for the blank field
	Used  bool       // it has suppressed a note
	Pos   token.Position
}

// Acknowledge notes what a tag acknowledges.
func (f *Findings) Acknowledge(names []annotations.Acknowledgement, field *types.Var, at func(int) token.Position) {
	for _, n := range names {
		f.Acknowledged = append(f.Acknowledged, &Acknowledgement{Name: n.Name, Field: field, Pos: at(n.Offset)})
	}
}

// Silent reports whether a tag acknowledges the note of a name: the tag of the
// blank field, or of a field that the note is about. It marks all of these tags as
// used.
func (f *Findings) Silent(name string, fields ...*types.Var) bool {
	found := false
	for _, a := range f.Acknowledged {
		if a.Name == name && (a.Field == nil || slices.Contains(fields, a.Field)) {
			a.Used, found = true, true
		}
	}
	return found
}

// Note reports a note, unless a tag acknowledges it by its name.
func (f *Findings) Note(name string, pos token.Position, message string) {
	f.NoteOf(name, nil, pos, message)
}

// NoteOf reports a note about the last of fields. The others lead to it.
func (f *Findings) NoteOf(name string, fields []*types.Var, pos token.Position, message string) {
	if f.Silent(name, fields...) {
		return
	}
	where := "the blank field"
	if len(fields) > 0 {
		where = "the field"
	}
	f.Notes = append(f.Notes, message)
	f.Report.report(Finding{
		Pos: pos, Severity: Note, Name: name,
		Message: message + fmt.Sprintf(" (to acknowledge this, write \"note=%s\" on %s)", name, where),
	})
}
