package keyfunc

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The maximum widths, in columns, of comments, lists of parameters, and sums.
const (
	commentWidth = 80
	codeWidth    = 100
	sumWidth     = 80
)

// paragraph is a piece of a comment: prose, or a line that is not wrapped.
type paragraph struct {
	prose string
	line  string
}

// one names the document with the function's parameters.
func (f *function) one() string { return "the " + f.Name + " with these properties" }

// describe describes the function's result, the key of a document; the first word is a verb. The
// text is plain, and not yet escaped for a comment.
func (f *function) describe(language, document string) []paragraph {
	what := "Returns the partition key"
	if f.Kind == templates.Hierarchical {
		what = "Returns the levels of the partition key"
	}
	what += " of " + document
	if f.ExampleKey != "" {
		what += ", such as " + f.ExampleKey
	}
	layout := f.Layout()
	if f.Escape {
		layout += " escape"
	}
	rest := []string{
		"It makes the same key as the Go code of pkgen, and was written by pkgen keys -lang " + language + ".",
		"Stored documents depend on every character of the key: it must not change while there are any.",
	}
	if f.has(pk.String, pk.Text, pk.TextPtr) {
		rest = append(rest, "It does not check its input: no text may be empty.")
	}
	return []paragraph{{prose: what + ":"}, {line: layout}, {prose: strings.Join(rest, " ")}}
}

// note returns a description of a parameter whose name and type are not sufficient, or "".
func (f *function) note(p *param) string {
	if p.count > 0 {
		note := fmt.Sprintf("1 to %d, chosen at random when the document is created, and kept", p.count)
		if f.Stored != nil {
			note += " at the end of " + f.Stored.Property
		}
		return note
	}
	var notes []string
	if p.name != p.Property {
		notes = append(notes, "the property "+p.Property)
	}
	switch p.Value {
	case pk.Text, pk.TextPtr:
		notes = append(notes, "the text form of Go's "+goType(p.Type))
	case pk.Time:
		notes = append(notes, "written in UTC")
	}
	if p.lower {
		notes = append(notes, "ASCII only")
	}
	return strings.Join(notes, ", ")
}

// goType returns a type in Go's notation.
func goType(t pk.GoType) string {
	switch {
	case t.Path == "":
		return t.Name
	case t.Package != "":
		return t.Package + "." + t.Name
	}
	return path.Base(t.Path) + "." + t.Name
}

// notes returns a line for each parameter with a note.
func (f *function) notes(line func(p *param, note string) string) []string {
	var out []string
	for _, p := range f.params {
		if note := f.note(p); note != "" {
			out = append(out, line(p, visible(note)))
		}
	}
	return out
}

// comment formats paragraphs as lines that begin with prefix. Fit escapes text for a comment of the
// language.
func comment(paragraphs []paragraph, prefix string, fit func(string) string) string {
	var b strings.Builder
	bare := strings.TrimRight(prefix, " ") + "\n"
	for i, p := range paragraphs {
		if i > 0 {
			b.WriteString(bare)
		}
		if p.line != "" {
			b.WriteString(prefix + "    " + fit(visible(p.line)) + "\n")
			continue
		}
		for _, line := range wrap(fit(visible(p.prose)), commentWidth-len(prefix)) {
			b.WriteString(prefix + line + "\n")
		}
	}
	return b.String()
}

// wrap breaks prose into lines of at most width columns.
func wrap(prose string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(prose) {
		switch {
		case line == "":
			line = word
		case len(line)+len(" ")+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// visible replaces invisible runes, and runes that a compiler may take for a line end, by their
// numbers.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "U+%04X", r)
	}
	return b.String()
}

// list returns items on one line between before and after. If the line is too long, each item is on
// a line of its own, indented by inner, and last comes between the last item and after.
func list(before string, items []string, after, inner, last string) string {
	if line := before + strings.Join(items, ", ") + after; len(line) <= codeWidth || len(items) == 0 {
		return line
	}
	return before + "\n" + inner + strings.Join(items, ",\n"+inner) + last + after
}
