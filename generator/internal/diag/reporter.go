package diag

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
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
