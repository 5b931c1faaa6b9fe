package cosmossql

import (
	"slices"
	"strconv"
	"strings"
)

// checkSelect checks the rules for a select as a whole.
func (p *parser) checkSelect() error {
	node := p.node
	if node.Kind == SelectStar {
		return p.checkStar()
	}
	groups := map[string]bool{}
	for _, e := range node.GroupBy {
		if sub := findSubquery(e); sub != nil {
			return p.failAt(sub.Token, CodeUnsupported, "GROUP BY takes no subqueries; join the subquery in FROM")
		}
		if !node.mentions(e) {
			return p.failAt(e.At(), CodeUnsupported, "GROUP BY takes expressions that mention a property, such as c.name")
		}
		groups[canonical(e)] = true
	}
	if !node.Grouped() {
		return nil
	}
	for _, item := range node.Items {
		if err := p.checkGrouped(item.Expr, groups); err != nil {
			return err
		}
	}
	return nil
}

// checkStar checks a SELECT *: Microsoft's page "SELECT" allows it for exactly
// one source.
func (p *parser) checkStar() error {
	switch {
	case len(p.node.GroupBy) > 0:
		return p.failAt(p.node.GroupBy[0].At(), codeStar, "SELECT * is not allowed with GROUP BY")
	case len(p.node.Sources) == 1:
		return nil
	case len(p.node.Sources) == 0:
		return p.fail(codeStar, "SELECT * needs a FROM clause")
	default:
		return p.failAt(p.node.Sources[1].Token, codeStar,
			"SELECT * is only valid with a single input set; select the values by name, such as SELECT VALUE %s", p.node.Sources[0].Binding.name)
	}
}

// checkGrouped checks that a projection of a grouped select consists of aggregates, constants and
// the expressions of GROUP BY.
func (p *parser) checkGrouped(e Expr, groups map[string]bool) error {
	switch e := e.(type) {
	case *Aggregate:
		return nil
	case *Subquery:
		return p.failAt(e.Token, CodeUnsupported, "a subquery together with an aggregate or GROUP BY is not supported")
	case *Alias:
		if e.Binding != nil && e.Binding.owner == p.node && !groups[canonical(e)] {
			return p.failAt(e.Token, codeUngrouped,
				"property reference %q is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause", e.Word)
		}
		return nil
	case *Access:
		for i := range e.Steps {
			if groups[canonical(&Access{e.Base, e.Steps[:i+1], e.Token})] {
				return nil
			}
		}
	}
	if len(groups) > 0 && groups[canonical(e)] {
		return nil
	}
	for _, operand := range operands(e) {
		if err := p.checkGrouped(operand, groups); err != nil {
			return err
		}
	}
	return nil
}

// mentions reports whether an expression reads a source of the select.
func (s *Select) mentions(e Expr) bool {
	if alias, ok := e.(*Alias); ok {
		return alias.Binding != nil && alias.Binding.owner == s
	}
	return slices.ContainsFunc(operands(e), s.mentions)
}

// findSubquery returns a subquery in an expression, or nil.
func findSubquery(e Expr) *Subquery {
	if sub, ok := e.(*Subquery); ok {
		return sub
	}
	for _, operand := range operands(e) {
		if sub := findSubquery(operand); sub != nil {
			return sub
		}
	}
	return nil
}

// checkOrder checks that ORDER BY has only paths in documents, which the index serves. With
// aggregates ORDER BY has no effect, and any expression is allowed, as in the query plan baselines
// of the .NET SDK.
func (p *parser) checkOrder() error {
	if p.query.Main.Grouped() {
		p.query.Order = nil
	}
	for _, item := range p.query.Order {
		if call := item.Score(); call != nil {
			if len(p.query.Order) > 1 {
				return p.failAt(call.At(), CodeOrderPath, "ORDER BY %s takes no other order besides it", call.Word)
			}
			if err := p.checkScore(call); err != nil {
				return err
			}
			continue
		}
		e, ok := item.Path.(*Access)
		var alias *Alias
		if ok {
			alias, ok = e.Base.(*Alias)
		}
		t := item.Path.At()
		if !ok {
			return p.failAt(t, CodeOrderPath, "unsupported ORDER BY clause: %q could not be mapped to a document path; order by properties such as c.name", p.text(t))
		}
		if _, ok := alias.Binding.DocumentPath(); !ok {
			return p.failAt(t, CodeOrderPath, "unsupported ORDER BY clause: %q is not a document of the container; ordering by elements of arrays is not supported", t.Word)
		}
	}
	return nil
}

// checkScore checks that a score is one of documents: all rows of a document have one place in
// the order.
func (p *parser) checkScore(call *Call) error {
	for part := range Inside(call) {
		switch part := part.(type) {
		case *Subquery:
			return p.failAt(part.Token, CodeOrderPath, "ORDER BY %s takes no subqueries; write a property such as c.vector", call.Word)
		case *Alias:
			if part.Binding.Slot != 0 {
				return p.failAt(part.Token, CodeOrderPath, "ORDER BY %s takes properties of the container's documents, and %q is a part of one", call.Word, part.Word)
			}
		}
	}
	return nil
}

// DocumentPath returns the path in documents of the container that a name denotes, and false if it
// does not always denote the same path.
func (b *Binding) DocumentPath() ([]PathStep, bool) {
	s := b.from
	switch {
	case s.Iterate:
		return nil, false
	case s.Query == nil && s.Base == nil:
		return s.Steps, true
	case s.Query == nil:
		return joined(s.Base.Binding, s.Steps)
	case s.Query.Grouped() || s.Query.Distinct || len(s.Query.Sources) == 0:
		return nil, false
	case s.Query.Kind == SelectStar:
		return s.Query.Sources[0].Binding.DocumentPath()
	case s.Query.Kind == SelectList:
		return nil, false
	}
	switch e := s.Query.Items[0].Expr.(type) {
	case *Alias:
		return e.Binding.DocumentPath()
	case *Access:
		alias, ok := e.Base.(*Alias)
		if !ok {
			return nil, false
		}
		var steps []PathStep
		for _, step := range e.Steps {
			if step.Index != nil {
				return nil, false
			}
			steps = append(steps, PathStep{step.Name, -1})
		}
		return joined(alias.Binding, steps)
	default:
		return nil, false
	}
}

func joined(b *Binding, steps []PathStep) ([]PathStep, bool) {
	before, ok := b.DocumentPath()
	return append(before[:len(before):len(before)], steps...), ok
}

// canonical returns the same text for two expressions exactly if they are equal, however the query
// spells them. The service compares SELECT and GROUP BY in the same way.
func canonical(e Expr) string {
	var b strings.Builder
	writeCanonical(&b, e)
	return b.String()
}

func writeCanonical(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case *Literal:
		b.WriteString(e.String())
	case *Parameter:
		b.WriteString(e.Word)
	case *Alias:
		if e.Binding == nil {
			b.WriteString(e.Word)
		} else {
			b.WriteString("#" + strconv.Itoa(e.Binding.Slot))
		}
	case *Access:
		writeCanonical(b, e.Base)
		for _, s := range e.Steps {
			b.WriteByte('[')
			if s.Index == nil {
				b.WriteString(strconv.Quote(s.Name))
			} else {
				writeCanonical(b, s.Index)
			}
			b.WriteByte(']')
		}
	default:
		b.WriteString(heading(e))
		for _, operand := range operands(e) {
			b.WriteByte('(')
			writeCanonical(b, operand)
			b.WriteByte(')')
		}
	}
}

// heading distinguishes expressions with equal operands.
func heading(e Expr) string {
	switch e := e.(type) {
	case *Logical:
		return strconv.FormatBool(e.Or)
	case *In:
		return "in" + strconv.FormatBool(e.Not)
	case *Between:
		return "between" + strconv.FormatBool(e.Not)
	case *Like:
		return "like" + strconv.FormatBool(e.Not) + strconv.QuoteRune(e.Escape)
	case *Object:
		return strconv.Quote(strings.Join(e.Names, "\x00"))
	case *Call:
		return e.Function.Name
	default:
		return e.At().Word
	}
}
