package generator

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

// severity says what a finding means for the run.
type severity int

// The severities.
const (
	asError   severity = iota // nothing is written
	asNote                    // everything is written; something is worth knowing
	asRefused                 // nothing is written: the key of stored documents may change
)

// finding is something about the source that is wrong, or worth knowing.
type finding struct {
	Pos      token.Position // relative to the folder of the run where the file lies below it
	Severity severity
	Message  string // in lower case; further lines begin with a tab
	Name     string // by which a tag acknowledges a note, or ""
	Fix      fix    // the zero value where putting it right takes a choice
}

// fix replaces the bytes of a file from one offset to another with a text.
type fix struct {
	Start, End int
	Text       string
}

// reporter collects diagnostics.
type reporter struct {
	dir   string // absolute; file names below it become relative
	found []finding
}

// errorf reports an error.
func (r *reporter) errorf(pos token.Position, format string, args ...any) {
	r.add(pos, asError, fmt.Sprintf(format, args...))
}

// notef reports what is no error.
func (r *reporter) notef(pos token.Position, format string, args ...any) {
	r.add(pos, asNote, fmt.Sprintf(format, args...))
}

// unreadable reports a file that is where one of ours belongs and cannot be
// read.
func (r *reporter) unreadable(path string, err error) {
	r.errorf(token.Position{Filename: path, Line: 1, Column: 1}, "cannot read this, where pkgen keeps a file of its own: %v", withoutPath(err))
}

// withoutPath returns an error without the path, which the position has.
func withoutPath(err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		return reason.Err
	}
	return err
}

// add reports a finding.
func (r *reporter) add(pos token.Position, s severity, message string) {
	r.report(finding{Pos: pos, Severity: s, Message: message})
}

// report reports a finding that may have a fix.
func (r *reporter) report(d finding) {
	d.Pos.Filename = relative(r.dir, d.Pos.Filename)
	r.found = append(r.found, d)
}

// failed reports whether an error was reported.
func (r *reporter) failed() bool {
	return slices.ContainsFunc(r.found, func(d finding) bool { return d.Severity == asError })
}

// sorted returns the findings by file, line, column and message, each once: a
// file may be seen in several variants of its package.
func (r *reporter) sorted() []finding {
	slices.SortStableFunc(r.found, func(a, b finding) int {
		return cmp.Or(
			strings.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			strings.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(r.found)
}

// relative returns path as seen from dir when it lies below dir.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
