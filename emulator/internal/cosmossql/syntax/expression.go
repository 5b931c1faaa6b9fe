package cosmossql

// expr is a node of a scalar expression. at returns the token that errors about it
// name.
type expr interface{ at() token }

type (
	// literalExpr is a constant.
	literalExpr struct {
		value Value
		token token
	}

	// parameterExpr is a parameter; token.word is its name with the @.
	parameterExpr struct{ token token }

	// aliasExpr is a name of FROM. Its binding is set when the parser has read the
	// select that declares the name.
	aliasExpr struct {
		token   token
		binding *binding
	}

	// accessExpr follows properties and elements from a base: c.a["b"][0].
	accessExpr struct {
		base  expr
		steps []accessStep
	}

	// unaryExpr is NOT, -, + or ~ before an expression; token.word is the operator.
	unaryExpr struct {
		operand expr
		token   token
	}

	// binaryExpr is an operator of two operands, other than AND and OR.
	binaryExpr struct {
		left, right expr
		token       token
	}

	// logicalExpr is a flat chain of AND or of OR, at least two terms.
	logicalExpr struct {
		or    bool
		terms []expr
		token token
	}

	// coalesceExpr is a flat chain of ??, at least two terms.
	coalesceExpr struct {
		terms []expr
		token token
	}

	// conditionalExpr is condition ? then : otherwise.
	conditionalExpr struct {
		condition, then, otherwise expr
		token                      token
	}

	// inExpr is x [NOT] IN (items).
	inExpr struct {
		operand expr
		items   []expr
		not     bool
		token   token
	}

	// betweenExpr is x [NOT] BETWEEN low AND high.
	betweenExpr struct {
		operand, low, high expr
		not                bool
		token              token
	}

	// likeExpr is x [NOT] LIKE pattern [ESCAPE escape]; escape is 0 without one.
	likeExpr struct {
		operand, pattern expr
		escape           rune
		not              bool
		token            token
	}

	// arrayExpr is an array constructor.
	arrayExpr struct {
		items []expr
		token token
	}

	// objectExpr is an object constructor.
	objectExpr struct {
		names  []string
		values []expr
		token  token
	}

	// callExpr is a call of a scalar function, with all its optional arguments.
	callExpr struct {
		function *Function
		args     []expr
		token    token
	}

	// aggregateExpr is an aggregate; slot is its place among those of the query.
	aggregateExpr struct {
		function *Function
		arg      expr
		slot     int
		token    token
	}

	// subqueryExpr is a subquery as a value: EXISTS(…), ARRAY(…) or (SELECT …).
	subqueryExpr struct {
		kind  subqueryKind
		query *selectNode
		token token
	}
)

// subqueryKind is the value of a subquery.
type subqueryKind uint8

const (
	subqueryScalar subqueryKind = iota // its only row
	subqueryExists                     // whether it has rows
	subqueryArray                      // all rows
)

// accessStep is a property of a fixed name, or an index in brackets whose value is
// known only when parameters are bound. name is used if index is nil.
type accessStep struct {
	name  string
	index expr
	token token
}

func (e *literalExpr) at() token     { return e.token }
func (e *parameterExpr) at() token   { return e.token }
func (e *aliasExpr) at() token       { return e.token }
func (e *accessExpr) at() token      { return e.base.at() }
func (e *unaryExpr) at() token       { return e.token }
func (e *binaryExpr) at() token      { return e.token }
func (e *logicalExpr) at() token     { return e.token }
func (e *coalesceExpr) at() token    { return e.token }
func (e *conditionalExpr) at() token { return e.token }
func (e *inExpr) at() token          { return e.token }
func (e *betweenExpr) at() token     { return e.token }
func (e *likeExpr) at() token        { return e.token }
func (e *arrayExpr) at() token       { return e.token }
func (e *objectExpr) at() token      { return e.token }
func (e *callExpr) at() token        { return e.token }
func (e *aggregateExpr) at() token   { return e.token }
func (e *subqueryExpr) at() token    { return e.token }

// operands returns the expressions that e is made of. It returns nil for a subquery,
// which has a scope of its own.
func operands(e expr) []expr {
	switch e := e.(type) {
	case *accessExpr:
		list := []expr{e.base}
		for _, s := range e.steps {
			if s.index != nil {
				list = append(list, s.index)
			}
		}
		return list
	case *unaryExpr:
		return []expr{e.operand}
	case *binaryExpr:
		return []expr{e.left, e.right}
	case *logicalExpr:
		return e.terms
	case *coalesceExpr:
		return e.terms
	case *conditionalExpr:
		return []expr{e.condition, e.then, e.otherwise}
	case *inExpr:
		return append([]expr{e.operand}, e.items...)
	case *betweenExpr:
		return []expr{e.operand, e.low, e.high}
	case *likeExpr:
		return []expr{e.operand, e.pattern}
	case *arrayExpr:
		return e.items
	case *objectExpr:
		return e.values
	case *callExpr:
		return e.args
	case *aggregateExpr:
		return []expr{e.arg}
	default:
		return nil
	}
}
