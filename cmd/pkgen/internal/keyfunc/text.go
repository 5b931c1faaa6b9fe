package keyfunc

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// piece is a part of a text: literal text, or an expression of the language.
type piece struct {
	literal string
	code    string
	text    bool // the expression is a text, not a number or a boolean
}

// dialect has the differences between languages in making a text.
type dialect interface {
	// component returns the text of a component in a parameter, before lower and escape.
	component(p *param, c pk.Component) []piece
	// join returns the expression of the concatenated pieces.
	join(pieces []piece) string
	// helper returns the language's name of a helper function.
	helper(name string) string
	// bucket returns the piece for a computed bucket.
	bucket(call string) piece
	// exact returns the expression of an integer as the stored double.
	exact(p *param) string
}

// results returns the expressions of the key's values.
func (f *function) results(d dialect) []string {
	out := make([]string, len(f.values))
	for i, v := range f.values {
		switch c := plain(v); {
		case c == nil:
			out[i] = f.text(d, v)
		case c.Value == pk.Int || c.Value == pk.Uint:
			out[i] = d.exact(f.param(c.Field))
		default:
			out[i] = f.param(c.Field).name
		}
	}
	return out
}

// result returns the expression of the key. For a hierarchical key it is a list between before and
// after.
func (f *function) result(d dialect, before, after string) string {
	results := f.results(d)
	if f.Kind != templates.Hierarchical {
		return results[0]
	}
	return before + strings.Join(results, ", ") + after
}

// text returns the expression of a value that is a text.
func (f *function) text(d dialect, v pk.Level) string {
	var pieces []piece
	for _, part := range v.Parts {
		switch {
		case part.Component != nil:
			pieces = append(pieces, f.component(d, v, *part.Component)...)
		case part.Bucket == nil:
			pieces = append(pieces, piece{literal: part.Literal})
		case part.Bucket.Hash == nil:
			i := slices.IndexFunc(f.params, func(p *param) bool { return p.count > 0 })
			pieces = append(pieces, piece{code: f.params[i].name})
		default:
			pieces = append(pieces, d.bucket(f.bucket(d, part.Bucket)))
		}
	}
	return join(d, pieces)
}

// component returns the pieces of a component's text in the key.
func (f *function) component(d dialect, v pk.Level, c pk.Component) []piece {
	pieces := f.lowered(d, c)
	if !f.escapes(v, c) {
		return pieces
	}
	name := numbered("escape", slices.Index(f.escapers, v.Separators()))
	return []piece{{code: d.helper(name) + "(" + join(d, pieces) + ")", text: true}}
}

// lowered returns the pieces of a component's text before escape.
func (f *function) lowered(d dialect, c pk.Component) []piece {
	pieces := d.component(f.param(c.Field), c)
	if !c.Lower {
		return pieces
	}
	return []piece{{code: d.helper("lower") + "(" + join(d, pieces) + ")", text: true}}
}

// bucket returns the call that computes a bucket.
func (f *function) bucket(d dialect, b *pk.Bucket) string {
	args := make([]string, len(b.Hash))
	for i, c := range b.Hash {
		args[i] = join(d, f.lowered(d, c))
	}
	return fmt.Sprintf("%s(%d, %s)", d.helper("bucket"), b.Count, strings.Join(args, ", "))
}

// join returns the expression of the concatenated pieces. A single text is its own expression.
func join(d dialect, pieces []piece) string {
	var merged []piece
	for _, p := range pieces {
		if last := len(merged) - 1; p.code == "" && last >= 0 && merged[last].code == "" {
			merged[last].literal += p.literal
			continue
		}
		merged = append(merged, p)
	}
	if len(merged) == 1 && merged[0].text {
		return merged[0].code
	}
	return d.join(merged)
}

// terms returns an expression for each piece, all of them texts. ToText converts an expression of a
// number or a boolean to text.
func terms(pieces []piece, toText func(code string) string) []string {
	out := make([]string, len(pieces))
	for i, p := range pieces {
		switch {
		case p.code == "":
			out[i] = quote(p.literal)
		case p.text:
			out[i] = p.code
		default:
			out[i] = toText(p.code)
		}
	}
	return out
}

// concatenate returns the expression that adds pieces, for languages with a plus sign for texts.
// ToText is as in terms, and indent begins the lines of a long sum after the first.
func concatenate(pieces []piece, toText func(code string) string, indent string) string {
	var b strings.Builder
	width := 0
	for i, term := range terms(pieces, toText) {
		switch {
		case i > 0 && width+len(" + ")+len(term) > sumWidth:
			b.WriteString(" +\n" + indent)
			width = 0
		case i > 0:
			b.WriteString(" + ")
			width += len(" + ")
		}
		b.WriteString(term)
		width += len(term)
	}
	return b.String()
}

// quote returns a literal between double quotation marks.
func quote(text string) string { return `"` + escaped(text, '"') + `"` }

// escaped returns the text between the marks of a literal. All languages here support these
// escapes; texts in keys and layouts have no rune beyond U+FFFF.
func escaped(text string, mark rune) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == mark || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// charClass returns the members of a class in a regular expression that matches a percent sign and
// the separators. Every language here reads them alike.
func charClass(separators string) string {
	var b strings.Builder
	for _, r := range "%" + separators {
		if strings.ContainsRune(`\]^[-`, r) {
			b.WriteByte('\\')
		}
		if !unicode.IsPrint(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
