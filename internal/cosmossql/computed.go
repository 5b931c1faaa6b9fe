package cosmossql

import "slices"

// A computed property is an expression over one document, which the service evaluates when a query
// reads the property. The rules below are from Microsoft's page "Computed properties in Azure
// Cosmos DB for NoSQL".

// MaxComputed is the maximum number of computed properties of a container.
const MaxComputed = 20

// expressionNoun is the noun for a tag's expression in errors.
const expressionNoun = "expression"

// ParseExpression parses an expression over the document c for a computed property, such as
// LOWER(c.email). Errors are of type *Error. It refuses expressions that the service refuses, and
// undocumented ones: the whole document, and functions of vectors and full text.
func ParseExpression(text string) (Expr, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	p.noun = expressionNoun
	p.node = &Select{visible: -1, container: true, clause: "a computed property"}
	p.node.Sources = []*Source{{Binding: &Binding{name: "c", owner: p.node}}}
	p.node.Sources[0].Binding.from = p.node.Sources[0]
	if err := p.advance(); err != nil {
		return nil, err
	}
	e, err := p.expression()
	switch {
	case err != nil:
		return nil, err
	case p.tok.kind != tokenEnd:
		return nil, p.unexpected("the end of the expression")
	case p.lexer.comment > 0:
		return nil, NewError(text, p.lexer.comment-1, len(text), CodeUnsupported, "the expression of a computed property has no comments: put a blank between two minus signs")
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	return e, p.checkComputed(e)
}

// ParseComputed parses the query of a computed property: SELECT VALUE, an expression, and FROM with
// a name. Errors are of type *Error.
func ParseComputed(text string) (*Query, error) {
	q, err := Parse(text)
	if err != nil {
		return nil, err
	}
	p := &parser{lexer: lexer{text: text}}
	clause := ""
	switch main := q.Main; {
	case main.Kind != SelectValue:
		return nil, p.fail(CodeUnsupported, "the query of a computed property selects one VALUE: write SELECT VALUE expression FROM c")
	case len(main.Sources) == 0:
		return nil, p.fail(CodeUnsupported, "the query of a computed property has a FROM clause: write SELECT VALUE expression FROM c")
	case len(main.Sources) > 1 || main.Sources[0].Binding.Slot > 0:
		clause = "anything but the container in FROM"
	case main.Distinct:
		clause = "DISTINCT"
	case main.Where != nil:
		clause = "WHERE"
	default:
		if clauses := q.Combines(); len(clauses) > 0 {
			clause = clauses[0]
		}
	}
	if clause != "" {
		return nil, p.fail(CodeUnsupported, "the query of a computed property cannot have %s: write SELECT VALUE expression FROM c", clause)
	}
	return q, p.checkComputed(q.Main.Items[0].Expr)
}

// ComputedQuery returns the query of a computed property with an expression over c.
func ComputedQuery(e Expr) string { return "SELECT VALUE " + Format(e) + " FROM c" }

// SameComputed reports whether the queries of two computed properties are equivalent, however they
// are spelled. Queries that cannot be parsed are compared as texts.
func SameComputed(a, b string) bool {
	if a == b {
		return true
	}
	x, err := ParseComputed(a)
	if err != nil {
		return false
	}
	y, err := ParseComputed(b)
	return err == nil && canonical(x.Main.Items[0].Expr) == canonical(y.Main.Items[0].Expr)
}

// checkComputed checks an expression, and all its parts, for a computed property.
func (p *parser) checkComputed(e Expr) error {
	fail := func(format string, args ...any) error {
		return p.failAt(e.At(), CodeUnsupported, format, args...)
	}
	switch e := e.(type) {
	case *Alias:
		return fail("a computed property is made of properties, and not of the document as a whole: write %s.name", e.Word)
	case *Access:
		if _, ok := e.Base.(*Alias); !ok {
			break
		}
		for i, s := range e.Steps {
			literal, constant := s.Index.(*Literal)
			switch {
			case i == 0 && s.Index != nil:
				return fail("a computed property is made of properties that have names: write %s.name", p.text(e.Token))
			case s.Index != nil && (!constant || literal.Kind != KindNumber):
				if err := p.checkComputed(s.Index); err != nil {
					return err
				}
			}
		}
		return nil
	case *Parameter:
		return fail("the expression of a computed property has no parameters, such as %s: write the value", e.Word)
	case *Subquery:
		return fail("the expression of a computed property has no subqueries: write functions of arrays, such as ARRAY_CONTAINS")
	case *Aggregate:
		return fail("the expression of a computed property is over one document, and %s is over many", e.Function.Name)
	case *Call:
		if why := e.Function.uncomputed(); why != "" {
			return fail("a computed property cannot call %s: %s", e.Function.Name, why)
		}
	}
	for _, operand := range operands(e) {
		if err := p.checkComputed(operand); err != nil {
			return err
		}
	}
	return nil
}

// uncomputed returns why a computed property cannot call f, or "".
func (f *Function) uncomputed() string {
	switch {
	case f.Volatile || f.Clock:
		return "it changes without the document; compare with a parameter in the query"
	case f.Category == Spatial:
		return "the service allows no spatial functions there"
	case f.Name == VectorDistance || f.Category == fullText:
		return "Microsoft documents it for queries only"
	}
	return ""
}

// References returns the properties of documents that an expression reads, in the order of its
// text. Each is an Access whose Base is an Alias.
func References(e Expr) []*Access {
	var all []*Access
	for part := range Inside(e) {
		if access, ok := part.(*Access); ok {
			if _, ok := access.Base.(*Alias); ok {
				all = append(all, access)
			}
		}
	}
	return all
}

// ResultKinds returns the kinds that an expression may evaluate to, besides undefined. The function
// property returns the kinds of a property.
func ResultKinds(e Expr, property func(*Access) Kinds) Kinds {
	const boolean, number, text = 1 << KindBool, 1 << KindNumber, 1 << KindString
	union := func(all []Expr) (set Kinds) {
		for _, e := range all {
			set |= ResultKinds(e, property)
		}
		return set
	}
	switch e := e.(type) {
	case *Literal:
		return KindsOf(e.Kind) &^ KindsOf(KindUndefined)
	case *Access:
		if _, ok := e.Base.(*Alias); ok {
			return property(e)
		}
	case *Unary:
		if e.Word == "NOT" {
			return boolean
		}
		return number
	case *Binary:
		switch level := binaryLevels[e.Word]; {
		case e.Word == "||":
			return text
		case level == binaryLevels["="] || level == binaryLevels["<"]:
			return boolean
		}
		return number
	case *Logical, *In, *Between, *Like:
		return boolean
	case *Coalesce:
		return union(e.Terms)
	case *Conditional:
		return union([]Expr{e.Then, e.Otherwise})
	case *Array:
		return KindsOf(KindArray)
	case *Object:
		return KindsOf(KindObject)
	case *Call:
		if e.Function.Category == conditional {
			return union(e.Args[1:])
		}
		return e.Function.Result
	}
	return AnyKind
}

// Comma returns the position of the first comma outside parentheses, brackets, braces and strings,
// where an expression in a list ends, or len(text).
func Comma(text string) int {
	l := lexer{text: text}
	depth := 0
	for {
		t, err := l.next()
		switch {
		case err != nil || t.kind == tokenEnd:
			return len(text)
		case t.kind != tokenSymbol:
		case slices.Contains([]string{"(", "[", "{"}, t.Word):
			depth++
		case slices.Contains([]string{")", "]", "}"}, t.Word):
			depth--
		case t.Word == "," && depth <= 0:
			return t.Start
		}
	}
}
