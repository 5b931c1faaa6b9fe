package cosmossql

// Query is a parsed query. It is immutable and safe for concurrent use; one
// Query may be bound many times.
type Query struct {
	text       string
	top        *count
	offset     *count
	limit      *count
	selection  selection
	where      expr // nil without WHERE
	order      []orderItem
	aggregates []*aggregateExpr
}

// count is the number behind TOP, OFFSET or LIMIT, a literal or a parameter.
type count struct {
	clause string
	at     token
}

// selection is what stands between SELECT and FROM.
type selection struct {
	kind  selectKind
	items []selectItem // one for SELECT VALUE, none for SELECT *
}

type selectKind uint8

const (
	selectStar selectKind = iota
	selectValue
	selectList
)

// selectItem is one projection and the name of its property.
type selectItem struct {
	expr expr
	name string
}

// orderItem is one ORDER BY key.
type orderItem struct {
	path       *accessExpr
	descending bool
}

// expr is a node of a scalar expression. at gives the token that stands for it
// in errors.
type expr interface{ at() token }

type (
	// literalExpr is a constant.
	literalExpr struct {
		value Value
		token token
	}

	// parameterExpr is a parameter; token.word is its name with the @.
	parameterExpr struct{ token token }

	// aliasExpr is the alias of FROM, the document itself.
	aliasExpr struct {
		token       token
		inAggregate bool
	}

	// accessExpr follows properties and elements from a base: c.a["b"][0].
	accessExpr struct {
		base  expr
		steps []accessStep
	}

	// parenExpr is an expression in parentheses. It is kept because some
	// operators are refused beside each other without them.
	parenExpr struct {
		inner expr
		token token
	}

	// unaryExpr is NOT, - or + before an expression; token.word is the operator.
	unaryExpr struct {
		operand expr
		token   token
	}

	// binaryExpr is an arithmetic, comparing or concatenating operator.
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

	// callExpr is a call of a scalar function, with all its optional arguments.
	callExpr struct {
		function *function
		args     []expr
		token    token
	}

	// aggregateExpr is an aggregate; slot is its place in Query.aggregates.
	aggregateExpr struct {
		operator aggregateOperator
		arg      expr
		slot     int
		token    token
	}
)

// accessStep is a property of a fixed name, or an index in brackets that is only
// known once parameters are bound. name is used when index is nil.
type accessStep struct {
	name  string
	index expr
	token token
}

func (e *literalExpr) at() token   { return e.token }
func (e *parameterExpr) at() token { return e.token }
func (e *aliasExpr) at() token     { return e.token }
func (e *accessExpr) at() token    { return e.base.at() }
func (e *parenExpr) at() token     { return e.token }
func (e *unaryExpr) at() token     { return e.token }
func (e *binaryExpr) at() token    { return e.token }
func (e *logicalExpr) at() token   { return e.token }
func (e *inExpr) at() token        { return e.token }
func (e *betweenExpr) at() token   { return e.token }
func (e *callExpr) at() token      { return e.token }
func (e *aggregateExpr) at() token { return e.token }

// unparen gives the expression within parentheses.
func unparen(e expr) expr {
	for {
		p, ok := e.(*parenExpr)
		if !ok {
			return e
		}
		e = p.inner
	}
}
