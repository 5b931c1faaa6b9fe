package cosmossql

// binaryLevels are the precedence levels of the binary operators. A higher level binds tighter. The
// levels follow the published grammar (sql.g4), where || is the loosest. The grammar has no shifts;
// they have the level of C, C# and JavaScript.
var binaryLevels = map[string]int{
	"||": 1,
	"|":  2,
	"^":  3,
	"&":  4,
	"=":  5, "!=": 5, "<>": 5,
	"<": 6, "<=": 6, ">": 6, ">=": 6,
	"<<": 7, ">>": 7, ">>>": 7,
	"+": 8, "-": 8,
	"*": 9, "/": 9, "%": 9,
}

// nest enters a level of nesting; the caller decrements p.depth afterwards.
func (p *parser) nest() error {
	p.depth++
	if p.depth > maxDepth {
		return p.fail(codeSyntax, "the expression is nested deeper than %d levels; split it, or use IN or parameters", maxDepth)
	}
	return nil
}

// expression parses a scalar expression. ?: and ?? are the loosest operators. Mixing them without
// parentheses is an error: the published grammar binds ?: tighter than ??, and C# and JavaScript
// bind it looser.
func (p *parser) expression() (Expr, error) {
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e, err := p.logical()
	if err != nil || !p.tok.Is("??") {
		return p.conditional(e, err)
	}
	c := &Coalesce{[]Expr{e}, p.tok}
	for p.tok.Is("??") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if e, err = p.logical(); err != nil {
			return nil, err
		}
		c.Terms = append(c.Terms, e)
	}
	if p.tok.Is("?") {
		return nil, p.fail(CodeUnsupported, "? next to ?? is ambiguous; put one of them in parentheses")
	}
	return c, nil
}

// conditional parses ? then : otherwise after a condition, if present. The otherwise part may be
// another conditional, as in the example of Microsoft's page "Operators".
func (p *parser) conditional(condition Expr, err error) (Expr, error) {
	if err != nil || !p.tok.Is("?") {
		return condition, err
	}
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e := &Conditional{Condition: condition, Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if e.Then, err = p.expression(); err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	if e.Otherwise, err = p.conditional(p.logical()); err != nil {
		return nil, err
	}
	if p.tok.Is("??") {
		return nil, p.fail(CodeUnsupported, "?? next to ? is ambiguous; put one of them in parentheses")
	}
	return e, nil
}

// logical parses a chain of OR of chains of AND.
func (p *parser) logical() (Expr, error) {
	return p.chain("OR", func() (Expr, error) { return p.chain("AND", p.predicate) })
}

// chain parses terms joined by one logical operator.
func (p *parser) chain(operator string, term func() (Expr, error)) (Expr, error) {
	first, err := term()
	if err != nil || !p.tok.Is(operator) {
		return first, err
	}
	e := &Logical{Or: operator == "OR", Terms: []Expr{first}, Token: p.tok}
	for p.tok.Is(operator) {
		if err := p.advance(); err != nil {
			return nil, err
		}
		next, err := term()
		if err != nil {
			return nil, err
		}
		e.Terms = append(e.Terms, next)
	}
	return e, nil
}

// predicate parses an operand and IN, BETWEEN or LIKE after it.
func (p *parser) predicate() (Expr, error) {
	operand, err := p.binary(1)
	if err != nil {
		return nil, err
	}
	at := p.tok
	not, err := p.accept("NOT")
	if err != nil {
		return nil, err
	}
	switch {
	case p.tok.Is("IN"):
		return p.in(operand, not)
	case p.tok.Is("BETWEEN"):
		return p.between(operand, not)
	case p.tok.Is("LIKE"):
		return p.like(operand, not)
	case not:
		return nil, p.failAt(at, codeSyntax, "incorrect syntax near %q: expected IN, BETWEEN or LIKE after it", "NOT")
	default:
		return operand, nil
	}
}

func (p *parser) in(operand Expr, not bool) (Expr, error) {
	e := &In{Operand: operand, Not: not, Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if p.tok.Is("SELECT") {
		return nil, p.fail(CodeUnsupported, "IN takes a list of values; write EXISTS(SELECT …) for a subquery")
	}
	var err error
	e.Items, err = p.list(")")
	if err == nil && len(e.Items) == 0 {
		err = p.failAt(e.Token, codeSyntax, "incorrect syntax near %q: the list is empty", p.text(e.Token))
	}
	return e, err
}

func (p *parser) between(operand Expr, not bool) (Expr, error) {
	e := &Between{Operand: operand, Not: not, Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	if e.Low, err = p.binary(1); err != nil {
		return nil, err
	}
	if err := p.expect("AND"); err != nil {
		return nil, err
	}
	e.High, err = p.binary(1)
	return e, err
}

// list parses comma-separated expressions and the closing symbol.
func (p *parser) list(closing string) ([]Expr, error) {
	var items []Expr
	if ok, err := p.accept(closing); ok || err != nil {
		return nil, err
	}
	err := p.series(func() error {
		item, err := p.expression()
		items = append(items, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return items, p.expect(closing)
}

// series parses comma-separated items.
func (p *parser) series(item func() error) error {
	for {
		if err := item(); err != nil {
			return err
		}
		if more, err := p.accept(","); err != nil || !more {
			return err
		}
	}
}

// binary parses a chain of binary operators of at least a level.
func (p *parser) binary(level int) (Expr, error) {
	left, err := p.unary()
	if err != nil {
		return nil, err
	}
	chain := 0 // the left operands nest as deep as the chain is long
	for {
		operator := p.tok
		found := binaryLevels[operator.Word]
		if operator.kind != tokenSymbol || found < level || found == 0 {
			p.depth -= chain
			return left, nil
		}
		chain++
		if err := p.nest(); err != nil {
			return nil, err
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		right, err := p.binary(found + 1)
		if err != nil {
			return nil, err
		}
		left = &Binary{left, right, operator}
	}
}

// unary parses the operators before an operand. NOT is one of them in the published grammar, so NOT
// c.a = 1 is (NOT c.a) = 1.
func (p *parser) unary() (Expr, error) {
	if !p.tok.Is("NOT") && !p.tok.Is("-") && !p.tok.Is("+") && !p.tok.Is("~") {
		return p.postfix()
	}
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e := &Unary{Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	e.Operand, err = p.unary()
	return e, err
}
