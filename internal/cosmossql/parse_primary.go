package cosmossql

import (
	"strings"
	"unicode/utf8"
)

// postfix parses a primary expression and the properties and indexes after it.
func (p *parser) postfix() (Expr, error) {
	base, err := p.primary()
	if err != nil {
		return nil, err
	}
	var steps []AccessStep
	for {
		var step AccessStep
		switch {
		case p.tok.Is("."):
			step, err = p.property()
		case p.tok.Is("["):
			step, err = p.index()
		default:
			if steps == nil {
				return base, nil
			}
			return &Access{base, steps, base.At()}, nil
		}
		if err != nil {
			return nil, err
		}
		if steps = append(steps, step); len(steps) > maxDepth {
			return nil, p.failAt(step.token, codeSyntax, "the path is longer than %d steps", maxDepth)
		}
	}
}

func (p *parser) property() (AccessStep, error) {
	if err := p.advance(); err != nil {
		return AccessStep{}, err
	}
	step := AccessStep{token: p.tok}
	var err error
	step.Name, err = p.identifier("a property name")
	return step, err
}

func (p *parser) index() (AccessStep, error) {
	if err := p.advance(); err != nil {
		return AccessStep{}, err
	}
	step := AccessStep{token: p.tok}
	e, err := p.expression()
	if err != nil {
		return AccessStep{}, err
	}
	if s, ok := e.(*Literal); ok && s.Kind == KindString {
		step.Name = s.Text
	} else {
		step.Index = e
	}
	return step, p.expect("]")
}

func (p *parser) primary() (Expr, error) {
	t := p.tok
	switch t.kind {
	case tokenNumber:
		return &Literal{Kind: KindNumber, Number: t.num, Text: p.text(t), Token: t}, p.advance()
	case tokenString:
		return &Literal{Kind: KindString, Text: t.Word, Token: t}, p.advance()
	case tokenParameter:
		return &Parameter{t}, p.advance()
	case tokenIdentifier:
		return p.name()
	case tokenKeyword:
		return p.reserved()
	}
	switch t.Word {
	case "(":
		return p.paren()
	case "[":
		if err := p.advance(); err != nil {
			return nil, err
		}
		items, err := p.list("]")
		return &Array{items, t}, err
	case "{":
		return p.object()
	default:
		return nil, p.unexpected("an expression")
	}
}

// reserved parses an expression that begins with a reserved word: a constant, EXISTS, ARRAY, or a
// call of LEFT or RIGHT.
func (p *parser) reserved() (Expr, error) {
	t := p.tok
	if constant, ok := constants[t.Word]; ok {
		constant.Token = t
		return &constant, p.advance()
	}
	switch t.Word {
	case "EXISTS", "ARRAY":
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.expect("("); err != nil {
			return nil, err
		}
		kind := SubqueryExists
		if t.Word == "ARRAY" {
			kind = SubqueryArray
		}
		return p.subqueryValue(kind, t)
	case "LEFT", "RIGHT":
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.tok.Is("(") {
			return nil, p.unexpected("(")
		}
		return p.call(t)
	case "udf":
		return nil, p.unsupported("a user-defined function")
	default:
		return nil, p.unexpected("an expression")
	}
}

// paren parses an expression or a subquery in parentheses.
func (p *parser) paren() (Expr, error) {
	t := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.Is("SELECT") {
		return p.subqueryValue(SubqueryScalar, t)
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return e, p.expect(")")
}

// subqueryValue parses a subquery that is a value, after its opening parenthesis.
func (p *parser) subqueryValue(kind SubqueryKind, t Token) (Expr, error) {
	if p.aggregate != nil {
		return nil, p.failAt(t, codeNested, "an aggregate cannot be computed over a subquery; join the subquery in FROM")
	}
	query, err := p.subquery(&Select{visible: -1})
	return &Subquery{kind, query, t}, err
}

// object parses an object constructor. Its names are strings or, as on Microsoft's page "Scalar
// expressions", identifiers.
func (p *parser) object() (Expr, error) {
	e := &Object{Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if end, err := p.accept("}"); end || err != nil {
		return e, err
	}
	err := p.series(func() error {
		name := p.tok.Word
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
		e.Names, e.Values = append(e.Names, name), append(e.Values, value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return e, p.expect("}")
}

// name parses an identifier: a function call, or a name of FROM.
func (p *parser) name() (Expr, error) {
	t := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.Is("(") {
		return p.call(t)
	}
	e := &Alias{Token: t}
	p.node.names = append(p.node.names, reference{e, -1})
	return e, nil
}

// call parses the arguments of a function.
func (p *parser) call(t Token) (Expr, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	scoring := p.scoring
	p.scoring = false // for the arguments
	name := strings.ToUpper(t.Word)
	f, ok := FindFunction(name)
	switch {
	case !ok:
		return nil, p.failAt(t, codeFunction, "%q is not a function that is supported here", t.Word)
	case name == fusion:
		return nil, p.failAt(t, codeFunction, "'RRF' is not a recognized built-in function name: it appears after ORDER BY RANK only, and not in another function.")
	case f.RankOnly && !scoring:
		return nil, p.failAt(t, codeTextScore, "The FullTextScore function is only allowed in the ORDER BY RANK clause.")
	}
	if f.IsAggregate() {
		return p.aggregateCall(f, t)
	}
	args, err := p.list(")")
	if err != nil {
		return nil, err
	}
	if len(args) < f.Least || f.Most >= 0 && len(args) > f.Most {
		return nil, p.failAt(t, CodeArity, "%s takes %s, not %d", name, f.Arity(), len(args))
	}
	return &Call{f, args, t}, nil
}

func (p *parser) aggregateCall(f *Function, t Token) (Expr, error) {
	switch {
	case p.aggregate != nil:
		return nil, p.failAt(t, codeNested, "an aggregate is not allowed within another")
	case p.node.clause != "SELECT":
		return nil, p.failAt(t, CodeUnsupported, "an aggregate is not allowed in %s", p.node.clause)
	}
	e := &Aggregate{Function: f, Slot: p.query.Aggregates, Token: t}
	p.query.Aggregates++
	p.aggregate = e
	args, err := p.list(")")
	p.aggregate = nil
	if err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, p.failAt(t, CodeArity, "%s takes 1 argument, not %d", f.Name, len(args))
	}
	e.Arg = args[0]
	p.node.Aggregates = append(p.node.Aggregates, e)
	return e, nil
}

// like parses LIKE, its pattern, and ESCAPE if present.
func (p *parser) like(operand Expr, not bool) (Expr, error) {
	e := &Like{Operand: operand, Not: not, Token: p.tok}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	if e.Pattern, err = p.binary(1); err != nil {
		return nil, err
	}
	escape, err := p.accept("ESCAPE")
	if err != nil || !escape {
		return e, err
	}
	if p.tok.kind != tokenString || utf8.RuneCountInString(p.tok.Word) != 1 {
		return nil, p.unexpected("one character in quotes after ESCAPE")
	}
	e.Escape = firstRune(p.tok.Word)
	return e, p.advance()
}
