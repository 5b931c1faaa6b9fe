package generator

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// acknowledgement is the name of a note in a tag, by which the note is not given.
type acknowledgement struct {
	name  string
	field *types.Var // the one whose tag has it; nil for the blank field
	pos   token.Position
	used  bool
}

// acknowledge notes what a tag acknowledges.
func (d *document) acknowledge(names []annotations.Acknowledgement, field *types.Var, at func(int) token.Position) {
	for _, n := range names {
		d.acknowledged = append(d.acknowledged, &acknowledgement{name: n.Name, field: field, pos: at(n.Offset)})
	}
}

// silent reports whether a tag acknowledges the note of a name: that of the
// blank field, or of one of the fields that the note is about. All that do are
// used then.
func (d *document) silent(name string, fields ...*types.Var) bool {
	found := false
	for _, a := range d.acknowledged {
		if a.name == name && (a.field == nil || slices.Contains(fields, a.field)) {
			a.used, found = true, true
		}
	}
	return found
}

// note reports what is no error, unless a tag acknowledges it by its name.
func (d *document) note(name string, pos token.Position, message string) {
	d.noteOf(name, nil, pos, message)
}

// noteOf is note about the last of fields, which the others lead to.
func (d *document) noteOf(name string, fields []*types.Var, pos token.Position, message string) {
	if d.silent(name, fields...) {
		return
	}
	where := "the blank field"
	if len(fields) > 0 {
		where = "the field"
	}
	d.notes = append(d.notes, message)
	d.report.diagnostic(Diagnostic{
		Pos: pos, Severity: Note, Name: name,
		Message: message + fmt.Sprintf(" (to acknowledge this, write \"note=%s\" on %s)", name, where),
	})
}

// needless notes acknowledgements of what would not be noted. They are no
// errors, since what made them useful may have been put right: the next note of
// that name would be lost.
func (d *document) needless() {
	d.silent(annotations.NoteElsewhere) // which locks of other packages decide
	for _, a := range d.acknowledged {
		if !a.used {
			d.report.add(a.pos, Note, fmt.Sprintf("\"note=%s\" acknowledges nothing, since pkgen would not give this note: remove it", a.name))
		}
	}
}
