package cosmossql

import "iter"

// Selects yields a select and all its subqueries.
func (s *Select) Selects() iter.Seq[*Select] {
	return func(yield func(*Select) bool) { s.each(yield) }
}

func (s *Select) each(yield func(*Select) bool) bool {
	if !yield(s) {
		return false
	}
	for _, source := range s.Sources {
		if source.Query != nil && !source.Query.each(yield) {
			return false
		}
	}
	for _, root := range s.Clauses() {
		for e := range Inside(root) {
			if sub, ok := e.(*Subquery); ok && !sub.Query.each(yield) {
				return false
			}
		}
	}
	return true
}

// Clauses returns the expressions of SELECT, WHERE and GROUP BY.
func (s *Select) Clauses() (list []Expr) {
	for _, item := range s.Items {
		list = append(list, item.Expr)
	}
	if s.Where != nil {
		list = append(list, s.Where)
	}
	return append(list, s.GroupBy...)
}

// Inside yields an expression and all its parts. It yields subqueries, but nothing inside them.
func Inside(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) { inside(e, yield) }
}

func inside(e Expr, yield func(Expr) bool) bool {
	if e == nil || !yield(e) {
		return e == nil
	}
	for _, operand := range operands(e) {
		if !inside(operand, yield) {
			return false
		}
	}
	return true
}

// ReadsProperty reports whether an expression refers to a name of FROM outside of subqueries.
func ReadsProperty(e Expr) bool {
	for part := range Inside(e) {
		if _, ok := part.(*Alias); ok {
			return true
		}
	}
	return false
}
