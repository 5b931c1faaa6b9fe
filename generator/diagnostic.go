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
	// Pos is where it is. The file name is relative to Options.Dir if the file is
	// below that. Line and column count from 1, the column in bytes. The zero value
	// is for a finding about the run as a whole.
	Pos      token.Position
	Severity Severity
	// Message says what is wrong and what to do, in lower case. Its further lines
	// begin with a tab.
	Message string
	// Name is the name by which a tag acknowledges a note, or "".
	Name string
	// Fix is a change of the file that corrects the source. It is the zero value if
	// the correction needs a choice.
	Fix Fix
}

// Fix replaces the bytes of a file from one offset to another with a text.
type Fix struct {
	Start, End int
	Text       string
}

// String returns "file:line:col: message", the form that editors and the go
// command use. A severity other than Error comes before the message. Characters
// that do not print, such as the escape sequences of a terminal, are escaped as in
// Go.
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

// The severities have the numbers of those in package diag; otherwise this does not
// compile.
var _, _ = [1]int{}[Note-Severity(diag.Note)], [1]int{}[Refused-Severity(diag.Refused)]

// diagnosticsOf converts findings for the result.
func diagnosticsOf(found []diag.Finding) []Diagnostic {
	var out []Diagnostic
	for _, f := range found {
		out = append(out, Diagnostic{Pos: f.Pos, Severity: Severity(f.Severity), Message: f.Message, Name: f.Name, Fix: Fix(f.Fix)})
	}
	return out
}
