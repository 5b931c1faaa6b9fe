package cosmossql

// Query is a parsed query. It is immutable and safe for concurrent use.
type Query struct {
	Text       string
	Top        *Count
	Offset     *Count
	Limit      *Count
	Order      []OrderItem
	Rank       *Ranking // nil without ORDER BY RANK
	Main       *Select
	Slots      int // the number of names in FROM, in all selects
	Aggregates int // in all selects
}

// Count is the literal or parameter after TOP, OFFSET or LIMIT.
type Count struct {
	Clause    string
	Rows      int // 0 for a parameter
	Parameter bool
	Token     Token
}

// OrderItem is one ORDER BY key.
type OrderItem struct {
	Path       Expr
	Descending bool
}

// Score returns the call by which an item sorts documents, or nil if it sorts by a path.
// VectorDistance sorts the nearest first; its metric decides the direction.
func (o OrderItem) Score() *Call {
	call, ok := o.Path.(*Call)
	if !ok {
		return nil
	}
	switch call.Function.Name {
	case VectorDistance, PlanTextScore, PlanVectorScore:
		return call
	}
	return nil
}

// Select is a query or a subquery, without the clauses that only a query may have.
type Select struct {
	Distinct   bool
	Kind       SelectKind
	Items      []SelectItem // one for SELECT VALUE, none for SELECT *
	Sources    []*Source
	Where      Expr // nil without WHERE
	GroupBy    []Expr
	Aggregates []*Aggregate

	parent *Select
	// visible is the number of sources of the parent that this select may refer to: for a subquery
	// in FROM the sources before it, otherwise all (-1).
	visible int
	// container is set for the query itself, and for the subquery that is its first source: there,
	// the first name of FROM denotes the container.
	container bool
	clause    string      // the clause being read
	names     []reference // names to resolve
}

// SelectKind is the form of a SELECT clause.
type SelectKind uint8

// Forms of SELECT.
const (
	SelectStar  SelectKind = iota // SELECT *
	SelectValue                   // SELECT VALUE expression
	SelectList                    // SELECT expression AS name, …
)

// SelectItem is one projection and the name of its property.
type SelectItem struct {
	Expr  Expr
	Name  string
	Named bool // the query has AS
}

// Source is one part of FROM: the container, a path from another name, or a subquery. With IN, each
// element is a row.
type Source struct {
	Token   Token
	Binding *Binding // its name may be empty
	Iterate bool
	Query   *Select // of a subquery
	Base    *Alias  // of a path; nil for the container
	Steps   []PathStep
}

// Binding is a name that FROM declares.
type Binding struct {
	name  string
	Slot  int // the index of its value; 0 is the document itself
	owner *Select
	from  *Source
}

// reference is an unresolved name. It may denote only the first visible sources of its select, or
// all of them if visible is -1.
type reference struct {
	alias   *Alias
	visible int
}

// Grouped reports whether each row of the select is made from a group of rows.
func (s *Select) Grouped() bool { return len(s.GroupBy) > 0 || len(s.Aggregates) > 0 }

// Derived returns the subquery that is the first source of a select over the container, or nil.
func (s *Select) Derived() *Select {
	if !s.container || len(s.Sources) == 0 {
		return nil
	}
	return s.Sources[0].Query
}

// PathStep is a property, or an element of an array.
type PathStep struct {
	Name    string
	Element int // -1 for a property
}

// ReadsDocuments reports whether FROM of the select has a container, directly or in the subquery
// that is its first source.
func (s *Select) ReadsDocuments() bool {
	if inner := s.Derived(); inner != nil {
		return inner.ReadsDocuments()
	}
	return len(s.Sources) > 0
}

// WholeSet reports whether a row of the select depends on many documents, by aggregates, GROUP BY
// or DISTINCT, or on none.
func (s *Select) WholeSet() bool {
	if s.Grouped() || s.Distinct || len(s.Sources) == 0 {
		return true
	}
	inner := s.Derived()
	return inner != nil && inner.WholeSet()
}

// Combines lists the clauses that prevent concatenating the results of several partitions:
// DISTINCT, TOP, GROUP BY, aggregates, ORDER BY and OFFSET LIMIT, including those of a subquery in
// FROM over the container. The service's gateway refuses to run these queries across partitions
// (Microsoft's page "Querying Azure Cosmos DB resources using the REST API"). JOIN and subqueries
// within a document are allowed.
func (q *Query) Combines() []string {
	var clauses []string
	note := func(has bool, clause string) {
		if has {
			clauses = append(clauses, clause)
		}
	}
	distinct, group, aggregates := false, false, false
	for s := q.Main; s != nil; s = s.Derived() {
		distinct = distinct || s.Distinct
		group = group || len(s.GroupBy) > 0
		aggregates = aggregates || len(s.Aggregates) > 0
	}
	note(distinct, "DISTINCT")
	note(q.Top != nil, "TOP")
	note(group, "GROUP BY")
	note(aggregates, "aggregates")
	note(len(q.Order) > 0, "ORDER BY")
	note(q.Rank != nil, "ORDER BY RANK")
	note(q.Offset != nil, "OFFSET LIMIT")
	return clauses
}
