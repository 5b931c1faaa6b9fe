package generator

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
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

// The severities are numbered as those of package diag; this does not compile else.
var _, _ = [1]int{}[Note-Severity(diag.Note)], [1]int{}[Refused-Severity(diag.Refused)]

// diagnosticsOf returns findings as the result has them.
func diagnosticsOf(found []diag.Finding) []Diagnostic {
	var out []Diagnostic
	for _, f := range found {
		out = append(out, Diagnostic{Pos: f.Pos, Severity: Severity(f.Severity), Message: f.Message, Name: f.Name, Fix: Fix(f.Fix)})
	}
	return out
}
