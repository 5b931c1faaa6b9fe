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

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Severity says what a diagnostic means for the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // nothing is written
	Note                    // everything is written; something is worth knowing
	Refused                 // nothing is written: the key of stored documents may change, see Options.AcceptKeyChange
)

// String returns "error", "note" or "refused".
func (s Severity) String() string { return [...]string{"error", "note", "refused"}[s] }

// Diagnostic is one finding about the source.
type Diagnostic struct {
	// Pos is where it is. The file name is relative to Options.Dir where the
	// file lies below it, line and column count from 1, the column in bytes.
	// The zero value stands for the run as a whole.
	Pos      token.Position
	Severity Severity
	// Message is in lower case, says why, and what to do. Further lines of one
	// begin with a tab.
	Message string
	// Name is the name by which a tag acknowledges a note, or "".
	Name string
	// Fix is a change of the file that puts it right; the zero value where that
	// takes a choice.
	Fix Fix
}

// Fix replaces the bytes of a file from one offset to another with a text.
type Fix struct {
	Start, End int
	Text       string
}

// String returns "file:line:col: message", the form that editors and the go
// command use; what is no error says so before its message. What is not fit to be
// shown, such as the escape sequences of a terminal, is escaped as in Go.
func (d Diagnostic) String() string {
	message := plain.Text(d.Message)
	if d.Severity != Error {
		message = d.Severity.String() + ": " + message
	}
	if d.Pos.Filename == "" {
		return message
	}
	pos := d.Pos
	pos.Filename = plain.Word(pos.Filename)
	return pos.String() + ": " + message
}

// reporter collects diagnostics.
type reporter struct {
	dir   string // absolute; file names below it become relative
	found []Diagnostic
}

// errorf reports an error.
func (r *reporter) errorf(pos token.Position, format string, args ...any) {
	r.add(pos, Error, fmt.Sprintf(format, args...))
}

// notef reports what is no error.
func (r *reporter) notef(pos token.Position, format string, args ...any) {
	r.add(pos, Note, fmt.Sprintf(format, args...))
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
func (r *reporter) add(pos token.Position, s Severity, message string) {
	r.diagnostic(Diagnostic{Pos: pos, Severity: s, Message: message})
}

// diagnostic reports a finding that may have a fix.
func (r *reporter) diagnostic(d Diagnostic) {
	d.Pos.Filename = relative(r.dir, d.Pos.Filename)
	r.found = append(r.found, d)
}

// failed reports whether an error was reported.
func (r *reporter) failed() bool {
	return slices.ContainsFunc(r.found, func(d Diagnostic) bool { return d.Severity == Error })
}

// sorted returns the findings by file, line, column and message, each once: a
// file may be seen in several variants of its package.
func (r *reporter) sorted() []Diagnostic {
	slices.SortStableFunc(r.found, func(a, b Diagnostic) int {
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
