package cosmossql

import (
	"strconv"
	"strings"
)

// Format returns the text of an expression as the service writes it in rewritten queries: each
// operator in parentheses with its operands, strings in double quotes. Parsing the text returns the
// same expression.
func Format(e Expr) string {
	var w formatter
	w.expr(e)
	return w.String()
}

// FormatFrom returns the text of a FROM clause, or "" without one.
func FormatFrom(s *Select) string {
	if len(s.Sources) == 0 {
		return ""
	}
	var w formatter
	w.from(s)
	return w.String()
}

// FormatItems returns the text of a SELECT clause after SELECT, DISTINCT and TOP.
func FormatItems(s *Select) string {
	var w formatter
	w.items(s)
	return w.String()
}

// FormatSelect returns the text of a select with all its clauses, on one line.
func FormatSelect(s *Select) string {
	var w formatter
	w.selection(s)
	return w.String()
}

// formatter writes the text of a query.
type formatter struct{ strings.Builder }

func (w *formatter) put(parts ...string) {
	for _, p := range parts {
		_, _ = w.WriteString(p)
	}
}

// list writes expressions with a separator between them.
func (w *formatter) list(separator string, items []Expr) {
	for i, e := range items {
		if i > 0 {
			w.put(separator)
		}
		w.expr(e)
	}
}

// chain writes expressions with an operator between them, in parentheses.
func (w *formatter) chain(operator string, items ...Expr) {
	w.put("(")
	w.list(" "+operator+" ", items)
	w.put(")")
}

func (w *formatter) expr(e Expr) {
	switch e := e.(type) {
	case *Literal:
		w.put(e.String())
	case *Parameter:
		w.put(e.Word)
	case *Alias:
		w.put(e.Word)
	case *Access:
		w.access(e)
	case *Array:
		w.put("[")
		w.list(", ", e.Items)
		w.put("]")
	case *Object:
		w.object(e)
	case *Call:
		w.put(e.Function.Name, "(")
		w.list(", ", e.Args)
		w.put(")")
	case *Aggregate:
		w.put(e.Function.Name, "(")
		w.expr(e.Arg)
		w.put(")")
	case *Subquery:
		w.put([]string{"", "EXISTS", "ARRAY"}[e.Kind], "(")
		w.selection(e.Query)
		w.put(")")
	default:
		w.operator(e)
	}
}

func (w *formatter) operator(e Expr) {
	switch e := e.(type) {
	case *Unary:
		w.put("(", e.Word, " ")
		w.expr(e.Operand)
		w.put(")")
	case *Binary:
		w.chain(e.Word, e.Left, e.Right)
	case *Logical:
		word := "AND"
		if e.Or {
			word = "OR"
		}
		w.chain(word, e.Terms...)
	case *Coalesce:
		w.chain("??", e.Terms...)
	case *Conditional:
		w.put("(")
		w.expr(e.Condition)
		w.put(" ? ")
		w.expr(e.Then)
		w.put(" : ")
		w.expr(e.Otherwise)
		w.put(")")
	default:
		w.comparison(e)
	}
}

func (w *formatter) comparison(e Expr) {
	w.put("(")
	switch e := e.(type) {
	case *In:
		w.expr(e.Operand)
		w.put(negated(e.Not), " IN (")
		w.list(", ", e.Items)
		w.put(")")
	case *Between:
		w.expr(e.Operand)
		w.put(negated(e.Not), " BETWEEN ")
		w.expr(e.Low)
		w.put(" AND ")
		w.expr(e.High)
	case *Like:
		w.expr(e.Operand)
		w.put(negated(e.Not), " LIKE ")
		w.expr(e.Pattern)
		if e.Escape != 0 {
			w.put(" ESCAPE ", Quote(string(e.Escape)))
		}
	}
	w.put(")")
}

func negated(not bool) string {
	if not {
		return " NOT"
	}
	return ""
}

func (w *formatter) access(e *Access) {
	switch e.Base.(type) {
	case *Alias, *Parameter:
		w.expr(e.Base)
	default: // a number would absorb the dot
		w.put("(")
		w.expr(e.Base)
		w.put(")")
	}
	for _, s := range e.Steps {
		if s.Index == nil {
			w.property(s.Name)
			continue
		}
		w.put("[")
		w.expr(s.Index)
		w.put("]")
	}
}

// property writes a step to a property.
func (w *formatter) property(name string) {
	if isIdentifier(name) {
		w.put(".", name)
	} else {
		w.put("[", Quote(name), "]")
	}
}

// isIdentifier reports whether a name needs no quotes in a path.
func isIdentifier(name string) bool {
	_, reserved := Keyword(name)
	return IsName(name) && !reserved
}

func (w *formatter) object(e *Object) {
	w.put("{")
	for i, v := range e.Values {
		if i > 0 {
			w.put(", ")
		}
		w.put(Quote(e.Names[i]), ": ")
		w.expr(v)
	}
	w.put("}")
}

// selection writes a subquery.
func (w *formatter) selection(s *Select) {
	w.put("SELECT ")
	if s.Distinct {
		w.put("DISTINCT ")
	}
	w.items(s)
	if len(s.Sources) > 0 {
		w.put(" FROM ")
		w.from(s)
	}
	if s.Where != nil {
		w.put(" WHERE ")
		w.expr(s.Where)
	}
	if len(s.GroupBy) > 0 {
		w.put(" GROUP BY ")
		w.list(", ", s.GroupBy)
	}
}

func (w *formatter) items(s *Select) {
	switch s.Kind {
	case SelectStar:
		w.put("*")
	case SelectValue:
		w.put("VALUE ")
		w.expr(s.Items[0].Expr)
	default:
		unnamed := 1
		for i, item := range s.Items {
			if i > 0 {
				w.put(", ")
			}
			w.expr(item.Expr)
			name, ok := propertyName(item.Expr)
			if !ok {
				name = "$" + strconv.Itoa(unnamed)
			}
			switch {
			case name == item.Name && !ok:
				unnamed++
			case name == item.Name:
			case isIdentifier(item.Name):
				w.put(" AS ", item.Name)
			default:
				w.put(" AS ", Quote(item.Name))
			}
		}
	}
}

func (w *formatter) from(s *Select) {
	for i, source := range s.Sources {
		if i > 0 {
			w.put(" JOIN ")
		}
		w.source(source)
	}
}

func (w *formatter) source(s *Source) {
	if s.Iterate {
		w.put(s.Binding.name, " IN ")
	}
	if s.Query != nil {
		w.put("(")
		w.selection(s.Query)
		w.put(")")
	} else {
		w.path(s)
	}
	if !s.Iterate && s.Binding.name != s.lastName() {
		w.put(" AS ", s.Binding.name)
	}
}

// path writes the collection of a source that is not a subquery.
func (w *formatter) path(s *Source) {
	w.put(s.rootName())
	for _, step := range s.Steps {
		if step.Element < 0 {
			w.property(step.Name)
		} else {
			w.put("[", strconv.Itoa(step.Element), "]")
		}
	}
}

// rootName returns the first name of a source's path. A container may be called by any name.
func (s *Source) rootName() string {
	switch {
	case s.Base != nil:
		return s.Base.Word
	case s.Iterate: // the token is the name that the source declares
		return "root"
	}
	return s.Token.Word
}

// lastName returns the name of a source without AS.
func (s *Source) lastName() string {
	switch {
	case s.Query != nil:
		return ""
	case len(s.Steps) > 0:
		return s.Steps[len(s.Steps)-1].Name
	}
	return s.rootName()
}

// Name returns the name that a source declares, or "".
func (s *Source) Name() string { return s.Binding.name }
