package predicate

import (
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// LiteralSQL returns c as SQL that contains its values, since the condition of a
// patch has no parameters. The JSON of a value is its SQL too: both have the same
// escapes ("Constants" in Microsoft's reference of the query language).
func LiteralSQL(c Condition) (string, error) {
	w := Writer{Parameter: func(v json.RawMessage) string { return string(v) }}
	c.Write(&w, false)
	return w.Text.String(), w.Err
}

// PlaceholderSQL returns c as SQL that has a question mark for each value.
func PlaceholderSQL(c Condition) string {
	w := Writer{Parameter: func(json.RawMessage) string { return "?" }}
	c.Write(&w, false)
	return w.Text.String()
}

// Condition is a predicate without its document type. Conditions are immutable.
type Condition interface {
	// Write writes SQL that is true exactly where the predicate holds. Negated says
	// that the predicate is within a NOT: then the SQL is false, and not undefined,
	// everywhere else.
	Write(w *Writer, negated bool)
}

// Writer collects the text of predicates, and the first error.
type Writer struct {
	Text      strings.Builder
	Parameter func(json.RawMessage) string // returns the SQL for a value
	Err       error
}

func (w *Writer) fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// Invalid is a predicate that cannot be run.
type Invalid struct{ Err error }

func (i Invalid) Write(w *Writer, _ bool) { w.fail(i.Err) }

// Negation is NOT before a predicate.
type Negation struct{ Term Condition }

func (n *Negation) Write(w *Writer, _ bool) {
	w.Text.WriteString("NOT (")
	n.Term.Write(w, true)
	w.Text.WriteString(")")
}

// Junction is a chain of AND or of OR.
type Junction struct {
	Operator string
	Terms    []Condition
}

func (j *Junction) Write(w *Writer, negated bool) {
	if empty := j.chain(w, negated, true); empty {
		w.Text.WriteString(neutral[j.Operator])
	}
}

// neutral is the SQL of a chain without terms.
var neutral = map[string]string{"AND": "true", "OR": "false"}

// chain writes the terms of j, each in parentheses, and those of chains of the
// same operator within it as if they were its own, so that a predicate that is
// built up in a loop does not nest. First says that no term comes before them. The
// result says so of the next term.
func (j *Junction) chain(w *Writer, negated, first bool) bool {
	for _, term := range j.Terms {
		if inner, ok := term.(*Junction); ok && inner.Operator == j.Operator {
			first = inner.chain(w, negated, first)
			continue
		}
		if !first {
			w.Text.WriteString(" " + j.Operator + " ")
		}
		first = false
		w.Text.WriteString("(")
		term.Write(w, negated)
		w.Text.WriteString(")")
	}
	return first
}

// Comparison is a test of one property.
type Comparison struct {
	Field string

	// Test is SQL with $ for the property and @ for each of the values in turn.
	Test   string
	Values []json.RawMessage

	// Typed is the SQL function that tells whether the property has the type for
	// which test is defined, such as IS_NUMBER. It is empty if test is true or
	// false for every value of the property.
	Typed string

	// Strict says that test may be true for other types, so that typed has to be
	// asked first. Descriptions of the service disagree about whether a number
	// and null are unequal or cannot be compared.
	Strict bool

	// Zero says that test is true of the property's zero value in Go.
	Zero bool
}

func (c *Comparison) Write(w *Writer, negated bool) {
	p, err := text.ParseField(c.Field)
	if err != nil {
		w.fail(err)
		return
	}
	if p.Former == nil {
		w.Text.WriteString(c.test(w, p, negated))
		return
	}
	c.writeRenamed(w, p, negated)
}

// writeRenamed writes the test of a property that documents have under one of several
// names. Where it is under two of them, it is what the newer one says.
func (c *Comparison) writeRenamed(w *Writer, p text.Field, negated bool) {
	all := append([]text.Field{p}, p.Former...)
	earlier := ""
	for i, f := range all {
		here := earlier
		if i < len(all)-1 {
			here += "IS_DEFINED(" + f.Top + ") AND "
			earlier += "NOT IS_DEFINED(" + f.Top + ") AND "
		}
		if i > 0 {
			w.Text.WriteString(" OR ")
		}
		w.Text.WriteString("(" + here + "(" + c.test(w, f, negated) + "))")
	}
}

// test returns the test of a property under one name.
func (c *Comparison) test(w *Writer, p text.Field, negated bool) string {
	test := c.sql(w, p)
	if c.Typed != "" && (negated || c.Strict) {
		test = c.Typed + "(" + p.Property + ") AND " + test
	}
	if c.Zero && p.Omitted {
		test = p.Absent() + " OR (" + test + ")"
	}
	return test
}

// sql returns the test of property p.
func (c *Comparison) sql(w *Writer, p text.Field) string {
	var b strings.Builder
	values := c.Values
	for i := range len(c.Test) {
		switch c.Test[i] {
		case '$':
			b.WriteString(p.Property)
		case '@':
			b.WriteString(w.Parameter(values[0]))
			values = values[1:]
		default:
			b.WriteByte(c.Test[i])
		}
	}
	return b.String()
}
