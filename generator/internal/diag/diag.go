// Package diag collects what is found in the source: the findings of a run, and
// those of one document, with the notes that its tags acknowledge.
//
// It knows positions, and nothing of what findings are about.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// Severity says what a finding means for the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // nothing is written
	Note                    // everything is written; something is worth knowing
	Refused                 // nothing is written: the key of stored documents may change
)

// Finding is something about the source that is wrong, or worth knowing.
type Finding struct {
	Pos      token.Position // relative to the folder of the run, if the file is below that
	Severity Severity
	Message  string // in lower case; further lines begin with a tab
	Name     string // by which a tag acknowledges a note, or ""
	Fix      Fix    // the zero value if the correction needs a choice
}

// Fix replaces the bytes of a file from one offset to another with a text.
type Fix struct {
	Start, End int
	Text       string
}

// Reporter collects diagnostics.
type Reporter struct {
	Dir   string // absolute; file names below it become relative
	Found []Finding
}

// Errorf reports an error.
func (r *Reporter) Errorf(pos token.Position, format string, args ...any) {
	r.Add(pos, Error, fmt.Sprintf(format, args...))
}

// Notef reports a note.
func (r *Reporter) Notef(pos token.Position, format string, args ...any) {
	r.Add(pos, Note, fmt.Sprintf(format, args...))
}

// Unreadable reports a file that cannot be read, in the place of one of ours.
func (r *Reporter) Unreadable(path string, err error) {
	r.Errorf(token.Position{Filename: path, Line: 1, Column: 1}, "cannot read this, where pkgen keeps a file of its own: %v", WithoutPath(err))
}

// WithoutPath returns an error without its path, since the position has the path.
func WithoutPath(err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		return reason.Err
	}
	return err
}

// Add reports a finding.
func (r *Reporter) Add(pos token.Position, s Severity, message string) {
	r.report(Finding{Pos: pos, Severity: s, Message: message})
}

// report reports a finding that may have a fix.
func (r *Reporter) report(d Finding) {
	d.Pos.Filename = Relative(r.Dir, d.Pos.Filename)
	r.Found = append(r.Found, d)
}

// Failed reports whether an error was reported.
func (r *Reporter) Failed() bool {
	return slices.ContainsFunc(r.Found, func(d Finding) bool { return d.Severity == Error })
}

// Sorted returns the findings by file, line, column and message, each once: a
// file may be seen in several variants of its package.
func (r *Reporter) Sorted() []Finding {
	slices.SortStableFunc(r.Found, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			strings.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(r.Found)
}

// Relative returns path as seen from dir when it lies below dir.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Findings collects the errors and notes about a document. All phases add to it.
type Findings struct {
	Report       *Reporter
	Failed       bool     // an error has been reported, and the document is not rendered
	Alone        bool     // a document of an unknown package may embed the type
	Notes        []string // the messages of the notes that were given
	Acknowledged []*Acknowledgement
	Blank        string // which blank field acknowledges its notes; "" for that of the type
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
	where := cmp.Or(f.Blank, "the blank field")
	if len(fields) > 0 {
		where = "the field"
	}
	f.Notes = append(f.Notes, message)
	f.Report.report(Finding{
		Pos: pos, Severity: Note, Name: name,
		Message: message + fmt.Sprintf(" (to acknowledge this, write \"note=%s\" on %s)", name, where),
	})
}
