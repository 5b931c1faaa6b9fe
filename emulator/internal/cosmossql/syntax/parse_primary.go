package cosmossql

import (
	"strings"
	"unicode/utf8"
)

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
		return &literalExpr{numberText(t.num, p.text(t)), t}, p.advance()
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
		if err := p.advance(); err != nil {
			return nil, err
		}
		items, err := p.list("]")
		return &arrayExpr{items, t}, err
	case "{":
		return p.object()
	default:
		return nil, p.unexpected("an expression")
	}
}

// constants are the values that have a word of their own.
var constants = map[string]Value{"undefined": {}, "null": nullOf(), "false": boolValue(false), "true": boolValue(true)}

// reserved reads an expression that begins with a reserved word: a constant, EXISTS,
// ARRAY, or one of the functions LEFT and RIGHT.
func (p *parser) reserved() (expr, error) {
	if v, ok := constants[p.tok.word]; ok {
		return &literalExpr{v, p.tok}, p.advance()
	}
	t := p.tok
	switch t.word {
	case "EXISTS", "ARRAY":
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.expect("("); err != nil {
			return nil, err
		}
		kind := subqueryExists
		if t.word == "ARRAY" {
			kind = subqueryArray
		}
		return p.subqueryValue(kind, t)
	case "LEFT", "RIGHT":
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.tok.is("(") {
			return nil, p.unexpected("(")
		}
		return p.call(t)
	case "udf":
		return nil, p.unsupported("a user-defined function")
	default:
		return nil, p.unexpected("an expression")
	}
}

// paren reads an expression or a subquery in parentheses.
func (p *parser) paren() (expr, error) {
	t := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.is("SELECT") {
		return p.subqueryValue(subqueryScalar, t)
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return e, p.expect(")")
}

// subqueryValue reads a subquery that is used as a value; its opening parenthesis
// has been consumed.
func (p *parser) subqueryValue(kind subqueryKind, t token) (expr, error) {
	if p.aggregate != nil {
		return nil, p.failAt(t, codeNested, "an aggregate cannot be computed over a subquery; join the subquery in FROM")
	}
	query, err := p.subquery(&selectNode{visible: -1})
	return &subqueryExpr{kind, query, t}, err
}

// object reads an object constructor. Its names are strings or, as on Microsoft's
// page "Scalar expressions", identifiers.
func (p *parser) object() (expr, error) {
	e := &objectExpr{token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if end, err := p.accept("}"); end || err != nil {
		return e, err
	}
	err := p.series(func() error {
		name := p.tok.word
		if p.tok.kind == tokenString {
			if err := p.advance(); err != nil {
				return err
			}
		} else if _, err := p.identifier("a property name in quotes"); err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		value, err := p.expression()
		e.names, e.values = append(e.names, name), append(e.values, value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return e, p.expect("}")
}

// name reads an identifier: a function call, or a name of FROM.
func (p *parser) name() (expr, error) {
	t := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.is("(") {
		return p.call(t)
	}
	e := &aliasExpr{token: t}
	p.node.names = append(p.node.names, reference{e, -1})
	return e, nil
}

// call reads the arguments of a function.
func (p *parser) call(t token) (expr, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	name := strings.ToUpper(t.word)
	f, ok := lookup(name)
	if !ok {
		return nil, p.failAt(t, codeFunction, "%q is not a function that is supported here", t.word)
	}
	if f.isAggregate() {
		return p.aggregateCall(f, t)
	}
	args, err := p.list(")")
	if err != nil {
		return nil, err
	}
	if len(args) < f.least || f.most >= 0 && len(args) > f.most {
		return nil, p.failAt(t, codeArity, "%s takes %s, not %d", name, f.arity(), len(args))
	}
	return &callExpr{f, args, t}, nil
}

func (p *parser) aggregateCall(f *Function, t token) (expr, error) {
	switch {
	case p.aggregate != nil:
		return nil, p.failAt(t, codeNested, "an aggregate is not allowed within another")
	case p.node.clause != "SELECT":
		return nil, p.failAt(t, codeUnread, "an aggregate is not allowed in %s", p.node.clause)
	}
	e := &aggregateExpr{function: f, slot: p.query.aggregates, token: t}
	p.query.aggregates++
	p.aggregate = e
	args, err := p.list(")")
	p.aggregate = nil
	if err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, p.failAt(t, codeArity, "%s takes 1 argument, not %d", f.Name, len(args))
	}
	e.arg = args[0]
	p.node.aggregates = append(p.node.aggregates, e)
	return e, nil
}

// like reads LIKE, its pattern, and ESCAPE if it is there.
func (p *parser) like(operand expr, not bool) (expr, error) {
	e := &likeExpr{operand: operand, not: not, token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	if e.pattern, err = p.binary(1); err != nil {
		return nil, err
	}
	escape, err := p.accept("ESCAPE")
	if err != nil || !escape {
		return e, err
	}
	if p.tok.kind != tokenString || utf8.RuneCountInString(p.tok.word) != 1 {
		return nil, p.unexpected("one character in quotes after ESCAPE")
	}
	e.escape = firstRune(p.tok.word)
	return e, p.advance()
}
