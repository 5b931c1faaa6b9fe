package cosmossql

import (
	"slices"
	"strconv"
	"strings"
)

// checkSelect applies the rules that concern a select as a whole.
func (p *parser) checkSelect() error {
	node := p.node
	if node.kind == selectStar {
		return p.checkStar()
	}
	groups := map[string]bool{}
	for _, e := range node.group {
		if sub := findSubquery(e); sub != nil {
			return p.failAt(sub.token, codeUnread, "GROUP BY takes no subqueries; join the subquery in FROM")
		}
		if !node.mentions(e) {
			return p.failAt(e.at(), codeUnread, "GROUP BY takes expressions that mention a property, such as c.name")
		}
		groups[canonical(e)] = true
	}
	if !node.grouped() {
		return nil
	}
	for _, item := range node.items {
		if err := p.checkGrouped(item.expr, groups); err != nil {
			return err
		}
	}
	return nil
}

// checkStar checks a SELECT *: Microsoft's page "SELECT" allows it for exactly
// one source.
func (p *parser) checkStar() error {
	switch {
	case len(p.node.group) > 0:
		return p.failAt(p.node.group[0].at(), codeStar, "SELECT * is not allowed with GROUP BY")
	case len(p.node.sources) == 1:
		return nil
	case len(p.node.sources) == 0:
		return p.fail(codeStar, "SELECT * needs a FROM clause")
	default:
		return p.failAt(p.node.sources[1].token, codeStar,
			"SELECT * is only valid with a single input set; select the values by name, such as SELECT VALUE %s", p.node.sources[0].binding.name)
	}
}

// checkGrouped checks that a projection of a grouped select is made of aggregates,
// constants and the expressions of GROUP BY.
func (p *parser) checkGrouped(e expr, groups map[string]bool) error {
	switch e := e.(type) {
	case *aggregateExpr:
		return nil
	case *subqueryExpr:
		return p.failAt(e.token, codeUnread, "a subquery together with an aggregate or GROUP BY is not supported")
	case *aliasExpr:
		if e.binding != nil && e.binding.owner == p.node && !groups[canonical(e)] {
			return p.failAt(e.token, codeUngrouped,
				"property reference %q is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause", e.token.word)
		}
		return nil
	case *accessExpr:
		for i := range e.steps {
			if groups[canonical(&accessExpr{e.base, e.steps[:i+1]})] {
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
func (s *selectNode) mentions(e expr) bool {
	if alias, ok := e.(*aliasExpr); ok {
		return alias.binding != nil && alias.binding.owner == s
	}
	return slices.ContainsFunc(operands(e), s.mentions)
}

// findSubquery returns a subquery in an expression, or nil.
func findSubquery(e expr) *subqueryExpr {
	if sub, ok := e.(*subqueryExpr); ok {
		return sub
	}
	for _, operand := range operands(e) {
		if sub := findSubquery(operand); sub != nil {
			return sub
		}
	}
	return nil
}

// checkOrder checks that ORDER BY has only paths in documents, which the service can
// find in its index. With aggregates ORDER BY has no effect and may be anything, as
// in the query plan baselines of the .NET SDK.
func (p *parser) checkOrder() error {
	if p.query.main.grouped() {
		p.query.order = nil
	}
	for _, item := range p.query.order {
		e, ok := item.path.(*accessExpr)
		var alias *aliasExpr
		if ok {
			alias, ok = e.base.(*aliasExpr)
		}
		t := item.path.at()
		if !ok {
			return p.failAt(t, codeOrderPath, "unsupported ORDER BY clause: %q could not be mapped to a document path; order by properties such as c.name", p.text(t))
		}
		if _, ok := alias.binding.documentPath(); !ok {
			return p.failAt(t, codeOrderPath, "unsupported ORDER BY clause: %q is not a document of the container; ordering by elements of arrays is not supported", t.word)
		}
	}
	return nil
}

// documentPath returns the path in documents of the container that a name means.
// The second result is false if the name does not always mean one path.
func (b *binding) documentPath() ([]pathStep, bool) {
	s := b.from
	switch {
	case s.iterate:
		return nil, false
	case s.query == nil && s.base == nil:
		return s.steps, true
	case s.query == nil:
		return joined(s.base.binding, s.steps)
	case s.query.grouped() || s.query.distinct || len(s.query.sources) == 0:
		return nil, false
	case s.query.kind == selectStar:
		return s.query.sources[0].binding.documentPath()
	case s.query.kind == selectList:
		return nil, false
	}
	switch e := s.query.items[0].expr.(type) {
	case *aliasExpr:
		return e.binding.documentPath()
	case *accessExpr:
		alias, ok := e.base.(*aliasExpr)
		if !ok {
			return nil, false
		}
		var steps []pathStep
		for _, step := range e.steps {
			if step.index != nil {
				return nil, false
			}
			steps = append(steps, pathStep{step.name, -1})
		}
		return joined(alias.binding, steps)
	default:
		return nil, false
	}
}

func joined(b *binding, steps []pathStep) ([]pathStep, bool) {
	before, ok := b.documentPath()
	return append(before[:len(before):len(before)], steps...), ok
}

// canonical returns a text that two expressions share exactly if they are the same,
// however the query spells them. The service compares the expressions of SELECT and
// GROUP BY in that way.
func canonical(e expr) string {
	var b strings.Builder
	writeCanonical(&b, e)
	return b.String()
}

func writeCanonical(b *strings.Builder, e expr) {
	switch e := e.(type) {
	case *literalExpr:
		b.WriteString(e.value.kind.String())
		b.Write(e.value.JSON())
	case *parameterExpr:
		b.WriteString(e.token.word)
	case *aliasExpr:
		if e.binding == nil {
			b.WriteString(e.token.word)
		} else {
			b.WriteString("#" + strconv.Itoa(e.binding.slot))
		}
	case *accessExpr:
		writeCanonical(b, e.base)
		for _, s := range e.steps {
			b.WriteByte('[')
			if s.index == nil {
				b.WriteString(strconv.Quote(s.name))
			} else {
				writeCanonical(b, s.index)
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

// heading distinguishes expressions that have equal operands.
func heading(e expr) string {
	switch e := e.(type) {
	case *logicalExpr:
		return strconv.FormatBool(e.or)
	case *inExpr:
		return "in" + strconv.FormatBool(e.not)
	case *betweenExpr:
		return "between" + strconv.FormatBool(e.not)
	case *likeExpr:
		return "like" + strconv.FormatBool(e.not) + strconv.QuoteRune(e.escape)
	case *objectExpr:
		return strconv.Quote(strings.Join(e.names, "\x00"))
	case *callExpr:
		return e.function.Name
	default:
		return e.at().word
	}
}
