package cosmossql

import "math"

// maxCount is the largest number that TOP, OFFSET and LIMIT take.
const maxCount = math.MaxInt32

// Plan is a query whose parameters have values, compiled for evaluation. It is
// immutable and safe for concurrent use.
type Plan struct {
	query     *Query
	where     *code // nil without WHERE
	test      func(row) truth
	items     []func(row) Value
	order     []orderKey
	arguments []func(row) Value // of the aggregates
	top       int               // -1 without TOP
	offset    int
	limit     int // -1 without LIMIT
}

type orderKey struct {
	path       *path
	eval       func(row) Value
	descending bool
}

// Bind compiles the query with values for its parameters, by their names with
// the @. A parameter that the query uses and that has no value is an error; one
// that it does not use is ignored. Errors are of type *Error. The cost is linear
// in the length of the query.
func (q *Query) Bind(parameters map[string]Value) (*Plan, error) {
	c := &compiler{query: q, parameters: parameters}
	p := &Plan{query: q}
	var err error
	if p.top, err = c.count(q.top); err != nil {
		return nil, err
	}
	if p.offset, err = c.count(q.offset); err != nil {
		return nil, err
	}
	p.offset = max(p.offset, 0)
	if p.limit, err = c.count(q.limit); err != nil {
		return nil, err
	}
	for _, item := range q.selection.items {
		code, err := c.compile(item.expr)
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, code.result())
	}
	for _, a := range q.aggregates {
		code, err := c.compile(a.arg)
		if err != nil {
			return nil, err
		}
		p.arguments = append(p.arguments, code.result())
	}
	if q.where != nil {
		if p.where, err = c.compile(q.where); err != nil {
			return nil, err
		}
		p.test = p.where.condition()
	}
	return p, c.order(p)
}

// count gives the value of TOP, OFFSET or LIMIT, or -1 without one.
func (c *compiler) count(n *count) (int, error) {
	if n == nil {
		return -1, nil
	}
	v := numberValue(n.at.num)
	if n.at.kind == tokenParameter {
		var err error
		if v, err = c.parameter(n.at); err != nil {
			return 0, err
		}
	}
	i, ok := countOf(v)
	if !ok {
		return 0, newError(c.query.text, n.at.start, n.at.end, codeCount,
			"%s takes a whole number from 0 to %d", n.clause, maxCount)
	}
	return i, nil
}

// countOf reads a value as a number of rows.
func countOf(v Value) (int, bool) {
	if v.kind != Number || v.num < 0 || v.num > maxCount || v.num != math.Trunc(v.num) {
		return 0, false
	}
	return int(v.num), true
}

// order compiles the ORDER BY keys of the query into p.
func (c *compiler) order(p *Plan) error {
	for _, item := range c.query.order {
		code, err := c.access(item.path)
		if err != nil {
			return err
		}
		if code.path == nil {
			t := item.path.at()
			return newError(c.query.text, t.start, t.end, codeUnread,
				"ORDER BY takes property paths such as c.name; an index in brackets must be a string or a whole number")
		}
		p.order = append(p.order, orderKey{code.path, code.eval, item.descending})
	}
	return nil
}

// Match says whether WHERE is true for a document. It allocates nothing for
// comparisons of properties with constants.
func (p *Plan) Match(doc Value) bool {
	return p.test == nil || p.test(row{doc: doc}) == isTrue
}

// Project gives the row that the query makes of a document, as JSON. ok is false
// if it gives none, because the value that it selects is undefined. For SELECT *
// the row is the text that the document was decoded from, shared and not copied:
// the caller must not change it. Queries with aggregates make their row with
// Aggregation instead.
func (p *Plan) Project(doc Value) (raw []byte, ok bool) {
	if p.query.selection.kind == selectStar {
		return doc.JSON(), doc.kind != Undefined
	}
	return p.project(row{doc: doc})
}

func (p *Plan) project(r row) ([]byte, bool) {
	if p.query.selection.kind == selectValue {
		v := p.items[0](r)
		return v.JSON(), v.kind != Undefined
	}
	raw := []byte{'{'}
	for i, item := range p.items {
		v := item(r)
		if v.kind == Undefined {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = appendString(raw, p.query.selection.items[i].name)
		raw = append(raw, ':')
		raw = v.AppendJSON(raw)
	}
	return append(raw, '}'), true
}

// HasAggregates says whether the query computes aggregates, and so gives at most
// one row for all documents together.
func (p *Plan) HasAggregates() bool { return len(p.query.aggregates) > 0 }

// HasOrderBy says whether the query has an ORDER BY clause.
func (p *Plan) HasOrderBy() bool { return len(p.order) > 0 }

// Window gives the part of the rows that TOP, or OFFSET and LIMIT, leave: skip
// rows first, then at most take; take is -1 if there is no limit.
func (p *Plan) Window() (skip, take int) {
	if p.top >= 0 {
		return 0, p.top
	}
	return p.offset, p.limit
}

// OrderKey is a key of ORDER BY.
type OrderKey struct {
	Path       []string // property names; nil if the path leads through an array
	Descending bool
}

// OrderBy gives the keys of ORDER BY, for instance to look for the composite
// index that the service requires for more than one.
func (p *Plan) OrderBy() []OrderKey {
	keys := make([]OrderKey, len(p.order))
	for i, k := range p.order {
		names, _ := k.path.names()
		keys[i] = OrderKey{names, k.descending}
	}
	return keys
}

// SortKey gives the values by which ORDER BY sorts a document, one a key. It
// allocates the slice.
func (p *Plan) SortKey(doc Value) []Value {
	key := make([]Value, len(p.order))
	for i, k := range p.order {
		key[i] = k.eval(row{doc: doc})
	}
	return key
}

// CompareKeys orders two results of SortKey, as slices.SortFunc wants it. Equal
// keys should keep the order of the documents in their partition.
func (p *Plan) CompareKeys(a, b []Value) int {
	for i, k := range p.order {
		order := Compare(a[i], b[i])
		if k.descending {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// Combines lists the clauses of the query whose result over several partitions
// is not simply the results of each, one after another: TOP, ORDER BY,
// OFFSET LIMIT and aggregates. The gateway of the service refuses to run such a
// query across partitions (Microsoft's page "Querying Azure Cosmos DB resources
// using the REST API").
func (q *Query) Combines() []string {
	var clauses []string
	if q.top != nil {
		clauses = append(clauses, "TOP")
	}
	if len(q.order) > 0 {
		clauses = append(clauses, "ORDER BY")
	}
	if q.offset != nil {
		clauses = append(clauses, "OFFSET LIMIT")
	}
	if len(q.aggregates) > 0 {
		clauses = append(clauses, "aggregates")
	}
	return clauses
}
