// Package diag collects findings: those of a run, and those of one document, with the notes that
// its tags acknowledge.
//
// It knows positions, and nothing of the subjects of findings.
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

// Severity is the effect of a finding on the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // nothing is written
	Note                    // everything is written
	Refused                 // nothing is written, because the key of stored documents may change
)

// Finding is a mistake in the source, or a note about it.
type Finding struct {
	Pos      token.Position // relative to the folder of the run, if the file is below it
	Severity Severity
	Message  string // in lower case; further lines begin with a tab
	Name     string // the name by which a tag acknowledges a note, or ""
	Fix      Fix    // the zero value if there is no unique correction
}

// Fix replaces the bytes of a file from one offset to another with a text.
type Fix struct {
	Start, End int
	Text       string
}

// Reporter collects findings.
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

// Unreadable reports that one of pkgen's own files cannot be read.
func (r *Reporter) Unreadable(path string, err error) {
	r.Errorf(token.Position{Filename: path, Line: 1, Column: 1}, "cannot read this, where pkgen keeps a file of its own: %v", WithoutPath(err))
}

// WithoutPath returns an error without its path, which the position has.
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

// Sorted returns the findings by file, line, column and message, without duplicates: several
// variants of a package may share a file.
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

// Relative returns path relative to dir if it is below dir.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Findings collects the errors and notes about a document, from all phases.
type Findings struct {
	Report       *Reporter
	Failed       bool     // an error was reported; the document is not rendered
	Alone        bool     // a document in an unknown package may embed the type
	Notes        []string // the messages of the reported notes
	Acknowledged []*Acknowledgement
	Blank        string // the blank field that acknowledges its notes; "" for that of the type
}

// Errorf reports an error, which prevents rendering the document.
func (f *Findings) Errorf(pos token.Position, format string, args ...any) {
	f.Failed = true
	f.Report.Errorf(pos, format, args...)
}

// Fixable reports an error with the change that corrects it.
func (f *Findings) Fixable(pos token.Position, change Fix, message string) {
	f.Failed = true
	f.Report.report(Finding{Pos: pos, Message: message, Fix: change})
}

// Lacksf reports that a type lacks something that a document has, which prevents rendering it. It
// reports nothing about a type that an unknown document may embed.
func (f *Findings) Lacksf(pos token.Position, format string, args ...any) {
	if f.Alone {
		f.Failed = true
		return
	}
	f.Errorf(pos, format, args...)
}

// Acknowledgement is the name of a note in a tag, which suppresses the note.
type Acknowledgement struct {
	Name  string
	Field *types.Var // the field with the tag; nil for the blank field
	Used  bool       // it has suppressed a note
	Pos   token.Position
}

// Acknowledge records the acknowledgements of a tag.
func (f *Findings) Acknowledge(names []annotations.Acknowledgement, field *types.Var, at func(int) token.Position) {
	for _, n := range names {
		f.Acknowledged = append(f.Acknowledged, &Acknowledgement{Name: n.Name, Field: field, Pos: at(n.Offset)})
	}
}

// Silent reports whether a tag acknowledges a note: the tag of the blank field, or of one of the
// fields that the note concerns. It marks all of these tags as used.
func (f *Findings) Silent(name string, fields ...*types.Var) bool {
	found := false
	for _, a := range f.Acknowledged {
		if a.Name == name && (a.Field == nil || slices.Contains(fields, a.Field)) {
			a.Used, found = true, true
		}
	}
	return found
}

// Note reports a note, unless a tag acknowledges it.
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
