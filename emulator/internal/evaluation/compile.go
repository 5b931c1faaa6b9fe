package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// code is a compiled expression. Either eval or test is set: test is for
// expressions whose result is always true, false or undefined.
type code struct {
	eval func(row) value.Value
	test func(row) value.Truth

	constant bool        // the same for every row
	value    value.Value // the result, when constant

	path *path // set for a path into a source

	// bounds are the values that paths must have for a condition to hold.
	bounds []bound
}

// result evaluates to a value.
func (c *code) result() func(row) value.Value {
	if c.eval != nil {
		return c.eval
	}
	test := c.test
	return func(r row) value.Value { return test(r).Value() }
}

// condition evaluates to a truth value.
func (c *code) condition() func(row) value.Truth {
	if c.test != nil {
		return c.test
	}
	eval := c.eval
	return func(r row) value.Truth { return eval(r).Condition() }
}

// constantCode is a code with a fixed result.
func constantCode(v value.Value) *code {
	return &code{eval: func(row) value.Value { return v }, constant: true, value: v}
}

// results returns the evaluations of several codes.
func results(codes []*code) []func(row) value.Value {
	list := make([]func(row) value.Value, len(codes))
	for i, c := range codes {
		list[i] = c.result()
	}
	return list
}

// compiler turns expressions into code, with the parameters filled in.
type compiler struct {
	query      *cosmossql.Query
	parameters map[string]value.Value
	framed     bool // whether an evaluation needs a frame
	meter      *work.Meter
	nodes      int             // expressions so far
	names      map[string]bool // properties of documents that are read
	whole      bool            // whether documents are read as a whole
	anyName    bool            // whether it reads properties whose names are not constant
	vectors    []*vectorUse    // the calls of VectorDistance so far
	texts      []textUse       // the calls of FullTextScore so far
	search     *function.Search
	statistics bool          // whether words are counted
	shapes     []*spatialUse // the calls of functions of shapes so far
}

// failure makes an error about a token, to be returned now or by an evaluation.
func (c *compiler) failure(t cosmossql.Token, code, format string, args ...any) *cosmossql.Error {
	return cosmossql.NewError(c.query.Text, t.Start, t.End, code, format, args...)
}

// folded evaluates a code once if all its operands are constant.
func (c *compiler) folded(result *code, operands ...*code) (*code, error) {
	for _, o := range operands {
		if !o.constant {
			return result, nil
		}
	}
	f := &frame{}
	v := result.result()(row{frame: f})
	if err := f.result(); err != nil {
		return nil, err
	}
	return constantCode(v), nil
}

// reads notes what a path reads of a document.
func (c *compiler) reads(p *path) {
	switch {
	case p.slot != 0:
	case len(p.steps) == 0 || p.steps[0].Element >= 0:
		c.whole = true
	default:
		c.names[p.steps[0].Name] = true
	}
}

func (c *compiler) compile(e cosmossql.Expr) (*code, error) {
	c.nodes++
	switch e := e.(type) {
	case *cosmossql.Literal:
		return constantCode(value.OfLiteral(e)), nil
	case *cosmossql.Parameter:
		v, err := c.parameter(e.Token)
		return constantCode(v), err
	case *cosmossql.Alias:
		return c.pathCode(newPath(e.Binding.Slot)), nil
	case *cosmossql.Access:
		return c.access(e)
	case *cosmossql.Unary:
		return c.unary(e)
	case *cosmossql.Binary:
		return c.binary(e)
	case *cosmossql.Logical:
		return c.logical(e)
	case *cosmossql.Coalesce:
		return c.coalesce(e)
	case *cosmossql.Conditional:
		return c.conditional(e)
	case *cosmossql.In:
		return c.in(e)
	case *cosmossql.Between:
		return c.between(e)
	case *cosmossql.Like:
		return c.like(e)
	case *cosmossql.Array:
		return c.array(e)
	case *cosmossql.Object:
		return c.object(e)
	case *cosmossql.Call:
		return c.call(e)
	case *cosmossql.Aggregate:
		c.framed = true
		slot := e.Slot
		return &code{eval: func(r row) value.Value { return r.frame.aggregates[slot] }}, nil
	default:
		return c.subquery(e.(*cosmossql.Subquery))
	}
}

// parameter returns the value of a parameter.
func (c *compiler) parameter(t cosmossql.Token) (value.Value, error) {
	v, ok := c.parameters[t.Word]
	if !ok {
		return value.Value{}, c.failure(t, cosmossql.CodeIdentifier,
			"parameter %s has no value; pass one under exactly this name, with the @", t.Word)
	}
	return v, nil
}

func (c *compiler) all(es []cosmossql.Expr) ([]*code, error) {
	codes := make([]*code, len(es))
	for i, e := range es {
		var err error
		if codes[i], err = c.compile(e); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// coalesce takes the first term that is defined; null is defined.
func (c *compiler) coalesce(e *cosmossql.Coalesce) (*code, error) {
	codes, err := c.all(e.Terms)
	if err != nil {
		return nil, err
	}
	terms := results(codes)
	return c.folded(&code{eval: func(r row) value.Value {
		for _, term := range terms {
			if v := term(r); v.Kind() != value.Undefined {
				return v
			}
		}
		return value.Value{}
	}}, codes...)
}

// conditional takes the second operand if the condition is true, else the third.
func (c *compiler) conditional(e *cosmossql.Conditional) (*code, error) {
	codes, err := c.all([]cosmossql.Expr{e.Condition, e.Then, e.Otherwise})
	if err != nil {
		return nil, err
	}
	test, then, otherwise := codes[0].condition(), codes[1].result(), codes[2].result()
	return c.folded(&code{eval: func(r row) value.Value {
		if test(r) == value.True {
			return then(r)
		}
		return otherwise(r)
	}}, codes...)
}

// array leaves undefined elements out.
func (c *compiler) array(e *cosmossql.Array) (*code, error) {
	codes, err := c.all(e.Items)
	if err != nil {
		return nil, err
	}
	c.framed = true
	items, tooLarge := results(codes), c.tooLarge(e.Token)
	return c.folded(&code{eval: func(r row) value.Value {
		var b value.Builder
		for _, item := range items {
			b.Add(item(r))
		}
		if b.Full() {
			return r.frame.fail(tooLarge)
		}
		return b.Array()
	}}, codes...)
}

// object leaves undefined properties out.
func (c *compiler) object(e *cosmossql.Object) (*code, error) {
	codes, err := c.all(e.Values)
	if err != nil {
		return nil, err
	}
	c.framed = true
	values, tooLarge := results(codes), c.tooLarge(e.Token)
	return c.folded(&code{eval: func(r row) value.Value {
		var b value.Builder
		for i, value := range values {
			b.Set(e.Names[i], value(r))
		}
		if b.Full() {
			return r.frame.fail(tooLarge)
		}
		return b.Object()
	}}, codes...)
}

// tooLarge is the error for an expression whose value exceeds the limits of a query.
func (c *compiler) tooLarge(t cosmossql.Token) *cosmossql.Error {
	return c.failure(t, cosmossql.CodeEvaluation, "%q makes a value of more than %d bytes or %d elements", c.query.Text[t.Start:t.End], value.MaxBytes, value.MaxItems)
}
