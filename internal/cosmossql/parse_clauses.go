package cosmossql

import (
	"math"
	"strconv"
)

func (p *parser) selectClause() error {
	p.node.clause = "SELECT"
	if err := p.expect("SELECT"); err != nil {
		return err
	}
	var err error
	if p.node.Distinct, err = p.accept("DISTINCT"); err != nil {
		return err
	}
	if err := p.topClause(); err != nil {
		return err
	}
	star, err := p.accept("*")
	if err != nil {
		return err
	}
	if star && p.tok.Is(",") {
		return p.fail(codeSyntax, "incorrect syntax near %q: SELECT * takes nothing else; expected FROM", ",")
	}
	if star {
		return nil
	}
	value, err := p.accept("VALUE")
	if err != nil {
		return err
	}
	if value {
		return p.selectValue()
	}
	return p.selectList()
}

func (p *parser) topClause() error {
	at := p.tok
	top, err := p.accept("TOP")
	if err != nil || !top {
		return err
	}
	if p.node.parent != nil {
		return p.failAt(at, codeSubTop, "TOP is not supported in subqueries")
	}
	p.query.Top, err = p.count("TOP")
	return err
}

// selectValue parses SELECT VALUE. An alias after the value has no effect.
func (p *parser) selectValue() error {
	p.node.Kind = SelectValue
	e, err := p.expression()
	if err != nil {
		return err
	}
	p.node.Items = []SelectItem{{Expr: e}}
	_, _, err = p.itemName()
	return err
}

func (p *parser) selectList() error {
	p.node.Kind = SelectList
	names := map[string]bool{}
	unnamed := 0
	return p.series(func() error {
		e, err := p.expression()
		if err != nil {
			return err
		}
		at := e.At()
		name, ok := propertyName(e)
		alias, named, err := p.itemName()
		switch {
		case err != nil:
			return err
		case named:
			at, name = alias, alias.Word
		case !ok:
			unnamed++
			name = "$" + strconv.Itoa(unnamed)
		}
		if names[name] {
			return p.failAt(at, CodeUnsupported, "two projections are called %q; give one of them another name with AS", name)
		}
		names[name] = true
		p.node.Items = append(p.node.Items, SelectItem{e, name, named})
		return nil
	})
}

// alias parses [AS] name, if present. Microsoft's pages "SELECT" and "FROM" make AS optional.
func (p *parser) alias() (name Token, ok bool, err error) {
	as, err := p.accept("AS")
	if err != nil || !as && !p.isName("") {
		return Token{}, false, err
	}
	name = p.tok
	_, err = p.identifier("a name after AS")
	return name, true, err
}

// itemName parses [AS] name after an item of SELECT, if present. After AS the name may be a string
// in either kind of quotes, with any characters, as microsoft/gocosmos sends it.
func (p *parser) itemName() (name Token, ok bool, err error) {
	if !p.tok.Is("AS") {
		return p.alias()
	}
	if err := p.advance(); err != nil {
		return Token{}, false, err
	}
	name = p.tok
	if name.kind == tokenString && name.Word != "" {
		return name, true, p.advance()
	}
	_, err = p.identifier("a name after AS")
	return name, true, err
}

// propertyName returns the property name of an item without AS: the last name of a path. Other
// expressions are named $1, $2, and so on.
func propertyName(e Expr) (string, bool) {
	switch e := e.(type) {
	case *Alias:
		return e.Word, true
	case *Access:
		last := e.Steps[len(e.Steps)-1]
		return last.Name, last.Index == nil
	default:
		return "", false
	}
}

func (p *parser) whereClause() error {
	p.node.clause = "WHERE"
	where, err := p.accept("WHERE")
	if err != nil || !where {
		return err
	}
	p.node.Where, err = p.expression()
	return err
}

func (p *parser) groupClause() error {
	p.node.clause = "GROUP BY"
	group, err := p.accept("GROUP")
	if err != nil || !group {
		return err
	}
	if err := p.expect("BY"); err != nil {
		return err
	}
	return p.series(func() error {
		e, err := p.expression()
		p.node.GroupBy = append(p.node.GroupBy, e)
		return err
	})
}

func (p *parser) orderClause() error {
	p.node.clause = "ORDER BY"
	at := p.tok
	order, err := p.accept("ORDER")
	if err != nil || !order {
		return err
	}
	if len(p.node.GroupBy) > 0 {
		return p.failAt(at, CodeUnsupported, "GROUP BY cannot be combined with ORDER BY; sort the groups after the query")
	}
	if err := p.expect("BY"); err != nil {
		return err
	}
	rank := p.tok
	ranked := p.isName("RANK")
	switch {
	case p.node.parent != nil && ranked:
		return p.failAt(at, codeSubRank, "The ORDER BY RANK clause is not supported in subqueries.")
	case p.node.parent != nil:
		return p.failAt(at, codeSubOrder, "ORDER BY is not supported in subqueries")
	}
	names := len(p.node.names)
	e, err := p.expression()
	if err != nil {
		return err
	}
	if ranked && p.isName("") { // otherwise it is a name of FROM
		p.node.names = p.node.names[:names]
		return p.ranking(rank)
	}
	return p.orderItems(e)
}

// orderItems parses the keys of ORDER BY, after the expression of the first one.
func (p *parser) orderItems(first Expr) error {
	return p.series(func() (err error) {
		e := first
		if first = nil; e == nil {
			if e, err = p.expression(); err != nil {
				return err
			}
		}
		item, err := p.orderItem(e)
		p.query.Order = append(p.query.Order, item)
		return err
	})
}

// orderItem parses the direction of a key.
func (p *parser) orderItem(e Expr) (OrderItem, error) {
	at := p.tok
	descending, err := p.accept("DESC")
	said := descending
	if err == nil && !descending {
		said, err = p.accept("ASC")
	}
	item := OrderItem{e, descending}
	call := item.Score()
	switch {
	case err != nil || call == nil:
	case said && call.Function.Name == VectorDistance:
		return item, p.failAt(at, CodeOrderPath, "ORDER BY VectorDistance has no direction: it sorts the nearest first")
	case !said && call.Function.Name == PlanVectorScore:
		item.Descending = true // the nearest come first
	}
	return item, err
}

func (p *parser) offsetClause() error {
	at := p.tok
	offset, err := p.accept("OFFSET")
	if err != nil || !offset {
		return err
	}
	switch {
	case p.node.parent != nil:
		return p.failAt(at, codeSubOffset, "OFFSET LIMIT is not supported in subqueries")
	case p.query.Top != nil:
		return p.failAt(at, CodeUnsupported, "TOP and OFFSET LIMIT in one query are not supported; use LIMIT alone")
	}
	if p.query.Offset, err = p.count("OFFSET"); err != nil {
		return err
	}
	if err := p.expect("LIMIT"); err != nil {
		return err
	}
	p.query.Limit, err = p.count("LIMIT")
	return err
}

// count parses the number or parameter after TOP, OFFSET or LIMIT.
func (p *parser) count(clause string) (*Count, error) {
	t := p.tok
	if t.kind != tokenNumber && t.kind != tokenParameter {
		return nil, p.unexpected("a number or a parameter after " + clause)
	}
	rows, ok := Position(t.num)
	if !ok {
		return nil, p.fail(CodeCount, "%s takes a whole number from 0 to %d", clause, MaxCount)
	}
	return &Count{clause, rows, t.kind == tokenParameter, t}, p.advance()
}

// MaxCount is the maximum of TOP, OFFSET and LIMIT.
const MaxCount = math.MaxInt32
