package model

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
)

// decidedByLocks are the notes that depend on locks.
var decidedByLocks = []string{annotations.NoteElsewhere, annotations.NoteRenamed, annotations.NoteRetyped}

// Needless notes acknowledgements that suppress no note. They are not errors, since the source may
// have been corrected, but they would suppress the next note of that name.
//
// Documents of several APIs may embed one struct, and only some need its acknowledgements. So found
// must have all documents of the run. A tag of another package is never needless, since documents
// outside the run may share its struct.
func Needless(found []*Candidate) {
	type tag struct {
		field token.Position // of the field, or of the note in the tag of the blank field
		name  string
	}
	of := func(c *Candidate, a *diag.Acknowledgement) tag {
		if a.Field == nil {
			return tag{a.Pos, a.Name}
		}
		return tag{c.Unit.Position(a.Field.Pos()), a.Name}
	}
	needed := make(map[tag]bool)
	for _, c := range found {
		for _, a := range c.Acknowledged {
			// Locks decide some of them. A document with errors was not examined for all notes.
			if a.Used || slices.Contains(decidedByLocks, a.Name) || c.Failed {
				needed[of(c, a)] = true
			}
		}
	}
	for _, c := range found {
		if c.Model == nil {
			continue
		}
		for _, a := range c.Acknowledged {
			if !needed[of(c, a)] && (a.Field == nil || c.Unit.Declares(a.Field)) {
				c.Report.Add(a.Pos, diag.Note, fmt.Sprintf("\"note=%s\" acknowledges nothing, because pkgen does not print this note: remove it", a.Name))
			}
		}
	}
}
