package cosmossql

// Query is a parsed query. It is immutable and safe for concurrent use; one
// Query may be bound many times.
type Query struct {
	text       string
	top        *count
	offset     *count
	limit      *count
	order      []orderItem
	main       *selectNode
	slots      int // of the names of FROM, in all selects
	aggregates int // in all selects
}

// count is the number after TOP, OFFSET or LIMIT, a literal or a parameter.
type count struct {
	clause    string
	value     Value // unless it is a parameter
	parameter bool
	token     token
}

// orderItem is one ORDER BY key.
type orderItem struct {
	path       expr
	descending bool
}

// selectNode is a query or a subquery, without the clauses that only a query may
// have.
type selectNode struct {
	distinct   bool
	kind       selectKind
	items      []selectItem // one for SELECT VALUE, none for SELECT *
	sources    []*source
	where      expr // nil without WHERE
	group      []expr
	aggregates []*aggregateExpr

	parent *selectNode
	// visible is how many sources of the parent the names in this select may mean:
	// for a subquery in FROM the sources before it, else all (-1).
	visible int
	// container is set for the query itself, and for the subquery that is its
	// first source: there the first name of FROM means the container.
	container bool
	clause    string      // the clause being read
	names     []reference // names that are not resolved yet
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

// source is one part of FROM: the container, a path from another name, or a
// subquery. It is taken whole or, with IN, element by element.
type source struct {
	token   token
	binding *binding // its name may be empty
	iterate bool
	query   *selectNode // of a subquery
	base    *aliasExpr  // of a path; nil for the container
	steps   []pathStep
}

// binding is a name that FROM declares.
type binding struct {
	name  string
	slot  int // where its value is found; 0 is the document itself
	owner *selectNode
	from  *source
}

// reference is a name that waits for its binding. It may mean only the first
// visible sources of its select, or all of them if visible is -1.
type reference struct {
	alias   *aliasExpr
	visible int
}

// grouped reports whether each row of the select is made of a group of rows.
func (s *selectNode) grouped() bool { return len(s.group) > 0 || len(s.aggregates) > 0 }

// derived returns the subquery that is the first source of a select over the
// container, or nil.
func (s *selectNode) derived() *selectNode {
	if !s.container || len(s.sources) == 0 {
		return nil
	}
	return s.sources[0].query
}
