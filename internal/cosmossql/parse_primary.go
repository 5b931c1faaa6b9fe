package cosmossql

import "strings"

func (p *parser) unary() (expr, error) {
	if p.tok.is("~") {
		return nil, p.unsupported("the operator ~")
	}
	if !p.tok.is("NOT") && !p.tok.is("-") && !p.tok.is("+") {
		return p.postfix()
	}
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e := &unaryExpr{token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	e.operand, err = p.unary()
	return e, err
}

// postfix reads a primary expression and the properties and indexes after it.
func (p *parser) postfix() (expr, error) {
	base, err := p.primary()
	if err != nil {
		return nil, err
	}
	var steps []accessStep
	for {
		var step accessStep
		switch {
		case p.tok.is("."):
			step, err = p.property()
		case p.tok.is("["):
			step, err = p.index()
		default:
			if steps == nil {
				return base, nil
			}
			return &accessExpr{base, steps}, nil
		}
		if err != nil {
			return nil, err
		}
		if steps = append(steps, step); len(steps) > maxDepth {
			return nil, p.failAt(step.token, codeSyntax, "the path is longer than %d steps", maxDepth)
		}
	}
}

func (p *parser) property() (accessStep, error) {
	if err := p.advance(); err != nil {
		return accessStep{}, err
	}
	step := accessStep{token: p.tok}
	var err error
	step.name, err = p.identifier("a property name")
	return step, err
}

func (p *parser) index() (accessStep, error) {
	if err := p.advance(); err != nil {
		return accessStep{}, err
	}
	step := accessStep{token: p.tok}
	e, err := p.expression()
	if err != nil {
		return accessStep{}, err
	}
	if s, ok := e.(*literalExpr); ok && s.value.kind == String {
		step.name = s.value.str
	} else {
		step.index = e
	}
	return step, p.expect("]")
}

func (p *parser) primary() (expr, error) {
	t := p.tok
	switch t.kind {
	case tokenNumber:
		return &literalExpr{Value{kind: Number, num: t.num}, t}, p.advance()
	case tokenString:
		return &literalExpr{stringValue(t.word), t}, p.advance()
	case tokenParameter:
		return &parameterExpr{t}, p.advance()
	case tokenIdentifier:
		return p.name()
	case tokenKeyword:
		return p.reserved()
	}
	switch t.word {
	case "(":
		return p.paren()
	case "[":
		return nil, p.unsupported("an array constructor")
	case "{":
		return nil, p.unsupported("an object constructor")
	default:
		return nil, p.unexpected("an expression")
	}
}

// constants are the values that have a word of their own.
var constants = map[string]Value{"undefined": {}, "null": nullValue, "false": falseValue, "true": trueValue}

// reserved reads the constants and refuses every other reserved word.
func (p *parser) reserved() (expr, error) {
	if v, ok := constants[p.tok.word]; ok {
		return &literalExpr{v, p.tok}, p.advance()
	}
	switch p.tok.word {
	case "EXISTS", "ARRAY", "SELECT":
		return nil, p.unsupported("a subquery")
	case "LEFT", "RIGHT":
		return nil, p.unsupported("the function " + p.tok.word)
	case "udf":
		return nil, p.unsupported("a user-defined function")
	default:
		return nil, p.unexpected("an expression")
	}
}

func (p *parser) paren() (expr, error) {
	e := &parenExpr{token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	if e.inner, err = p.expression(); err != nil {
		return nil, err
	}
	return e, p.expect(")")
}

// name reads an identifier: a function call, or the alias of FROM.
func (p *parser) name() (expr, error) {
	t := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.is("(") {
		return p.call(t)
	}
	e := &aliasExpr{t, p.inAggregate}
	p.aliases = append(p.aliases, e)
	return e, nil
}

func (p *parser) call(t token) (expr, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	name := strings.ToUpper(t.word)
	if operator, ok := aggregateOperators[name]; ok {
		return p.aggregate(operator, t)
	}
	f, ok := functions[name]
	if !ok {
		return nil, p.failAt(t, codeFunction, "%q is not a function that is supported here", t.word)
	}
	args, err := p.list(")")
	if err != nil {
		return nil, err
	}
	if len(args) < f.required || len(args) > f.required+len(f.defaults) {
		return nil, p.failAt(t, codeFunction, "%s takes %s, not %d", name, f.arity(), len(args))
	}
	for _, v := range f.defaults[len(args)-f.required:] {
		args = append(args, &literalExpr{v, t})
	}
	return &callExpr{f, args, t}, nil
}

func (p *parser) aggregate(operator aggregateOperator, t token) (expr, error) {
	switch {
	case p.inAggregate:
		return nil, p.failAt(t, codeUnread, "an aggregate cannot stand within another")
	case p.clause != "SELECT":
		return nil, p.failAt(t, codeUnread, "an aggregate cannot stand in %s", p.clause)
	}
	p.inAggregate = true
	args, err := p.list(")")
	p.inAggregate = false
	if err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, p.failAt(t, codeFunction, "%s takes 1 argument, not %d", strings.ToUpper(t.word), len(args))
	}
	e := &aggregateExpr{operator, args[0], len(p.query.aggregates), t}
	p.query.aggregates = append(p.query.aggregates, e)
	return e, nil
}
