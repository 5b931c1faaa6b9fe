package repository

import (
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// condition is a predicate without its document type. Conditions are immutable.
type condition interface {
	// write writes SQL that is true exactly where the predicate holds. Negated
	// says that a NOT stands somewhere around it: then the SQL is false, and not
	// undefined, everywhere else.
	write(w *sqlWriter, negated bool)
}

// sqlWriter collects the text of predicates, and the first error.
type sqlWriter struct {
	text      strings.Builder
	parameter func(json.RawMessage) string // returns what stands for a value
	err       error
}

func (w *sqlWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// invalid is a predicate that cannot be run.
type invalid struct{ err error }

func (i invalid) write(w *sqlWriter, _ bool) { w.fail(i.err) }

// negation is NOT before a predicate.
type negation struct{ term condition }

func (n *negation) write(w *sqlWriter, _ bool) {
	w.text.WriteString("NOT (")
	n.term.write(w, true)
	w.text.WriteString(")")
}

// junction is a chain of AND or of OR.
type junction struct {
	operator string
	terms    []condition
}

func (j *junction) write(w *sqlWriter, negated bool) {
	if empty := j.chain(w, negated, true); empty {
		w.text.WriteString(neutral[j.operator])
	}
}

// neutral is what a chain without terms says.
var neutral = map[string]string{"AND": "true", "OR": "false"}

// chain writes the terms of j, each in parentheses, and those of chains of the
// same operator within it as if they were its own, so that a predicate that is
// built up in a loop does not nest. First says that nothing stands before them;
// the result says so of what comes next.
func (j *junction) chain(w *sqlWriter, negated, first bool) bool {
	for _, term := range j.terms {
		if inner, ok := term.(*junction); ok && inner.operator == j.operator {
			first = inner.chain(w, negated, first)
			continue
		}
		if !first {
			w.text.WriteString(" " + j.operator + " ")
		}
		first = false
		w.text.WriteString("(")
		term.write(w, negated)
		w.text.WriteString(")")
	}
	return first
}

// comparison is a test of one property.
type comparison struct {
	field string

	// test is SQL with $ for the property and @ for each of the values in turn.
	test   string
	values []json.RawMessage

	// typed is the SQL function that tells whether the property has the type for
	// which test is defined, such as IS_NUMBER. It is empty if test is true or
	// false for whatever stands in the property.
	typed string

	// strict says that test may be true for other types, so that typed has to be
	// asked first. Descriptions of the service disagree about whether a number
	// and null are unequal or cannot be compared.
	strict bool

	// zero says that test is true of the property's zero value in Go.
	zero bool
}

func (c *comparison) write(w *sqlWriter, negated bool) {
	p, err := text.ParseField(c.field)
	if err != nil {
		w.fail(err)
		return
	}
	test := c.sql(w, p)
	if c.typed != "" && (negated || c.strict) {
		test = c.typed + "(" + p.Property + ") AND " + test
	}
	if c.zero && p.Omitted {
		test = p.Absent() + " OR (" + test + ")"
	}
	w.text.WriteString(test)
}

// sql returns the test of property p.
func (c *comparison) sql(w *sqlWriter, p text.Field) string {
	var b strings.Builder
	values := c.values
	for i := range len(c.test) {
		switch c.test[i] {
		case '$':
			b.WriteString(p.Property)
		case '@':
			b.WriteString(w.parameter(values[0]))
			values = values[1:]
		default:
			b.WriteByte(c.test[i])
		}
	}
	return b.String()
}
