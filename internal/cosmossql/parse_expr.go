package cosmossql

// Levels of the binary operators, tighter ones higher, as in the published
// grammar; || is the loosest.
var binaryLevels = map[string]int{
	"||": 1,
	"=":  2, "!=": 2, "<>": 2,
	"<": 3, "<=": 3, ">": 3, ">=": 3,
	"+": 4, "-": 4,
	"*": 5, "/": 5, "%": 5,
}

// unsupportedOperators are the operators of the language that are not evaluated.
var unsupportedOperators = map[string]bool{
	"&": true, "|": true, "^": true, "~": true, "<<": true, ">>": true, ">>>": true,
	"?": true, "??": true,
}

// nest enters a level of nesting; the caller takes it back from p.depth.
func (p *parser) nest() error {
	p.depth++
	if p.depth > maxDepth {
		return p.fail(codeSyntax, "the expression is nested deeper than %d levels; split it, or use IN or parameters", maxDepth)
	}
	return nil
}

// expression reads a whole scalar expression.
func (p *parser) expression() (expr, error) {
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e, err := p.chain("OR", func() (expr, error) { return p.chain("AND", p.predicate) })
	if err != nil {
		return nil, err
	}
	if p.tok.kind == tokenSymbol && unsupportedOperators[p.tok.word] {
		return nil, p.unsupported("the operator " + p.tok.word)
	}
	return e, nil
}

// chain reads terms that are joined by one logical operator.
func (p *parser) chain(operator string, term func() (expr, error)) (expr, error) {
	first, err := term()
	if err != nil || !p.tok.is(operator) {
		return first, err
	}
	e := &logicalExpr{or: operator == "OR", terms: []expr{first}, token: p.tok}
	for p.tok.is(operator) {
		if err := p.advance(); err != nil {
			return nil, err
		}
		next, err := term()
		if err != nil {
			return nil, err
		}
		e.terms = append(e.terms, next)
	}
	return e, nil
}

// predicate reads an operand and IN, BETWEEN or LIKE after it.
func (p *parser) predicate() (expr, error) {
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
	case p.tok.is("IN"), p.tok.is("BETWEEN"):
		if loose(operand) {
			return nil, p.failAt(operand.at(), codeUnread,
				"%s before %s is ambiguous; put one of them in parentheses", operand.at().word, p.tok.word)
		}
		if p.tok.is("IN") {
			return p.in(operand, not)
		}
		return p.between(operand, not)
	case p.tok.is("LIKE"):
		return nil, p.unsupported("LIKE")
	case not:
		return nil, p.failAt(at, codeSyntax, "incorrect syntax near %q: expected IN or BETWEEN after it", "NOT")
	default:
		return operand, nil
	}
}

func (p *parser) in(operand expr, not bool) (expr, error) {
	e := &inExpr{operand: operand, not: not, token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var err error
	e.items, err = p.list(")")
	if err == nil && len(e.items) == 0 {
		err = p.failAt(e.token, codeSyntax, "incorrect syntax near %q: the list is empty", e.token.word)
	}
	return e, err
}

func (p *parser) between(operand expr, not bool) (expr, error) {
	e := &betweenExpr{operand: operand, not: not, token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	if e.low, err = p.binary(1); err != nil {
		return nil, err
	}
	if err := p.expect("AND"); err != nil {
		return nil, err
	}
	if e.high, err = p.binary(1); err != nil {
		return nil, err
	}
	for _, bound := range []expr{e.low, e.high} {
		if loose(bound) {
			return nil, p.failAt(bound.at(), codeUnread, "%s in BETWEEN is ambiguous; put it in parentheses", bound.at().word)
		}
	}
	return e, nil
}

// list reads expressions separated by commas, and the closing symbol.
func (p *parser) list(closing string) ([]expr, error) {
	var items []expr
	if ok, err := p.accept(closing); ok || err != nil {
		return nil, err
	}
	for {
		item, err := p.expression()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		more, err := p.accept(",")
		if err != nil {
			return nil, err
		}
		if !more {
			return items, p.expect(closing)
		}
	}
}

// binary reads a chain of binary operators of at least a level.
func (p *parser) binary(level int) (expr, error) {
	left, err := p.unary()
	if err != nil {
		return nil, err
	}
	chain := 0 // the left operands nest as deep as the chain is long
	for {
		operator := p.tok
		found := binaryLevels[operator.word]
		if operator.kind != tokenSymbol || found < level {
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
		e := &binaryExpr{left, right, operator}
		if err := p.ambiguous(e); err != nil {
			return nil, err
		}
		left = e
	}
}

// ambiguous refuses operators beside each other that the published grammar binds
// otherwise than most SQL dialects.
func (p *parser) ambiguous(e *binaryExpr) error {
	if not, ok := e.left.(*unaryExpr); ok && not.token.is("NOT") {
		return p.failAt(not.token, codeUnread,
			"NOT binds tighter than %s here; write NOT (… %s …)", e.token.word, e.token.word)
	}
	if !e.token.is("||") {
		return nil
	}
	for _, side := range []expr{e.left, e.right} {
		if b, ok := side.(*binaryExpr); ok && comparing(b) {
			return p.failAt(e.token, codeUnread, "|| binds looser than %s here; put the concatenation in parentheses", b.token.word)
		}
	}
	return nil
}

// loose says whether e, without parentheses, would surprise as an operand of IN
// or BETWEEN.
func loose(e expr) bool {
	switch e := e.(type) {
	case *unaryExpr:
		return e.token.is("NOT")
	case *binaryExpr:
		return comparing(e)
	default:
		return false
	}
}

// comparing says whether e is an equality or an ordering.
func comparing(e *binaryExpr) bool {
	level := binaryLevels[e.token.word]
	return level == 2 || level == 3
}
