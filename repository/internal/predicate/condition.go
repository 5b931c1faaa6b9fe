package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// PatchSQL returns the condition of a patch as SQL. It contains its values, because the
// condition of a patch has no parameters. The JSON of a value is also its SQL: both have
// the same escapes ("Constants" in Microsoft's reference of the query language). Subqueries
// are an error, because Microsoft does not document them for patches: if the service read
// the condition in another way, the patch would change the wrong document.
func PatchSQL(n condition.Node) (string, error) {
	w := Writer{Parameter: func(v json.RawMessage) string { return string(v) }, alone: true}
	w.Write(n)
	return w.Text.String(), w.Err
}

// PlaceholderSQL returns a condition as SQL with a question mark for each value.
func PlaceholderSQL(n condition.Node) string {
	w := Writer{Parameter: func(json.RawMessage) string { return "?" }}
	w.Write(n)
	return w.Text.String()
}

// Writer collects the text of conditions, and the first error.
type Writer struct {
	Text      strings.Builder
	Parameter func(json.RawMessage) string // returns the SQL for a value
	Err       error

	depth int  // the number of enclosing lists
	alone bool // subqueries are not allowed
}

// of returns the SQL name of the subject: the document, or an element of a list.
func (w *Writer) of() string {
	if w.depth == 0 {
		return text.Document
	}
	return "e" + strconv.Itoa(w.depth)
}

func (w *Writer) fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// Write writes SQL that is true if and only if the condition holds.
func (w *Writer) Write(n condition.Node) { w.write(n, false) }

// write is Write for a condition that may be inside NOT. If negated is set, the SQL is
// false, not undefined, if the condition does not hold.
func (w *Writer) write(n condition.Node, negated bool) {
	switch n := n.(type) {
	case condition.All:
		if w.chain(n, negated, "AND", true) {
			w.Text.WriteString("true")
		}
	case condition.Any:
		if w.chain(n, negated, "OR", true) {
			w.Text.WriteString("false")
		}
	case condition.Not:
		w.Text.WriteString("NOT (")
		w.write(n.Of, true)
		w.Text.WriteString(")")
	case *condition.Comparison:
		w.compare(n, negated)
	case condition.Length:
		w.length(n.Of, negated)
	case condition.Elements:
		w.elements(n)
	case condition.Wrong:
		w.fail(n.Err)
	case nil:
		w.fail(condition.Check(nil))
	default:
		w.fail(fmt.Errorf("a condition of type %T", n))
	}
}

var errSubquery = errors.New("the condition of a patch has no subqueries, so it cannot look at the elements of a list: use Contains or Len, or Update, whose function has the document")

// elements writes a condition on the elements of a list. EXISTS is true or false even if
// there is no list.
func (w *Writer) elements(n condition.Elements) {
	p, err := text.ParseFieldOf(w.of(), n.Property)
	if err == nil && w.alone {
		err = fmt.Errorf("field %q: %w", condition.Path(n.Property), errSubquery)
	}
	if err != nil {
		w.fail(err)
		return
	}
	w.underNames(p, func(p text.Field) {
		if n.Every {
			w.Text.WriteString("NOT EXISTS(SELECT 1")
			w.from(p.Property, condition.Not{Of: n.Of})
		} else {
			w.Text.WriteString("EXISTS(SELECT 1")
			w.from(p.Property, n.Of)
		}
	})
}

// Elements writes an array of the list's elements that meet a condition, in order. Value
// returns the SQL for an element with this SQL name.
func (w *Writer) Elements(list string, of condition.Node, value func(name string) string) {
	p, err := text.ParseFieldOf(w.of(), list)
	if err != nil {
		w.fail(err)
		return
	}
	in := p.Property
	if p.Aliases != nil {
		in = "(SELECT VALUE " + newest(append([]text.Field{p}, p.Aliases...)) + ")"
	}
	w.depth++
	element := w.of()
	w.depth--
	w.Text.WriteString("ARRAY(SELECT VALUE " + value(element))
	w.from(in, of)
}

// newest returns SQL for a property under its first name that a document has.
func newest(names []text.Field) string {
	if len(names) == 1 {
		return names[0].Property
	}
	return "(IS_DEFINED(" + names[0].Top + ") ? " + names[0].Property + " : " + newest(names[1:]) + ")"
}

// from completes a subquery over the elements of a list that meet a condition.
func (w *Writer) from(list string, of condition.Node) {
	w.depth++
	w.Text.WriteString(" FROM " + w.of() + " IN " + list + " WHERE ")
	w.write(of, false)
	w.Text.WriteString(")")
	w.depth--
}

// chain writes terms joined by an operator, each in parentheses. It flattens nested chains
// of the same operator, so that a condition built in a loop does not nest. First says that
// no term was written before; the result says the same for the next term.
func (w *Writer) chain(terms []condition.Node, negated bool, operator string, first bool) bool {
	for _, term := range terms {
		var inner []condition.Node
		same := false
		switch term := term.(type) {
		case condition.All:
			inner, same = term, operator == "AND"
		case condition.Any:
			inner, same = term, operator == "OR"
		}
		if same {
			first = w.chain(inner, negated, operator, first)
			continue
		}
		if !first {
			w.Text.WriteString(" " + operator + " ")
		}
		first = false
		w.Text.WriteString("(")
		w.write(term, negated)
		w.Text.WriteString(")")
	}
	return first
}

// WithETag returns the condition for a document whose ETag has changed: comparisons with
// before become comparisons with after.
func WithETag(n condition.Node, before, after string) condition.Node {
	all := func(terms []condition.Node) []condition.Node {
		others := make([]condition.Node, len(terms))
		for i, term := range terms {
			others[i] = WithETag(term, before, after)
		}
		return others
	}
	switch n := n.(type) {
	case condition.Not:
		return condition.Not{Of: WithETag(n.Of, before, after)}
	case condition.All:
		return condition.All(all(n))
	case condition.Any:
		return condition.Any(all(n))
	case *condition.Comparison:
		if p, err := text.ParseField(n.Property); err != nil || p.Property != etagProperty {
			return n
		}
		other := *n
		other.Values = slices.Clone(n.Values)
		for i, value := range other.Values {
			tag := ""
			if data, ok := value.(json.RawMessage); ok && json.Unmarshal(data, &tag) == nil && tag == before {
				other.Values[i] = json.RawMessage(text.Quote(after))
			}
		}
		return &other
	}
	return n
}

var etagProperty = text.Property("/_etag")
