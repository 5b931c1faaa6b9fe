package cosmossql

// HasAggregates reports whether the query computes aggregates in its own SELECT
// clause. Without GROUP BY, such a query has at most one row for all documents
// together.
func (p *Plan) HasAggregates() bool { return len(p.query.main.aggregates) > 0 }

// HasGroupBy reports whether the query has a GROUP BY clause.
func (p *Plan) HasGroupBy() bool { return len(p.query.main.group) > 0 }

// HasDistinct reports whether the query has SELECT DISTINCT.
func (p *Plan) HasDistinct() bool { return p.query.main.distinct }

// HasOrderBy reports whether the query has an ORDER BY clause that has an effect. It
// has no effect together with aggregates.
func (p *Plan) HasOrderBy() bool { return len(p.order) > 0 }

// ReadsDocuments reports whether the query has a container in FROM. A query without,
// such as SELECT 1, has its rows once, whatever the documents are: the service runs
// it in one partition only.
func (p *Plan) ReadsDocuments() bool { return p.query.main.readsDocuments() }

func (s *selectNode) readsDocuments() bool {
	if inner := s.derived(); inner != nil {
		return inner.readsDocuments()
	}
	return len(s.sources) > 0
}

// WholeSet reports whether the rows depend on many documents at once, so that only
// Run can make them: aggregates, GROUP BY, DISTINCT, also in a subquery in FROM
// over the container, and queries that read no documents.
func (p *Plan) WholeSet() bool { return p.query.main.wholeSet() }

func (s *selectNode) wholeSet() bool {
	if s.grouped() || s.distinct || len(s.sources) == 0 {
		return true
	}
	inner := s.derived()
	return inner != nil && inner.wholeSet()
}

// Window returns the part of the rows that TOP, or OFFSET and LIMIT, select: leave
// out skip rows, then take at most take. take is -1 if there is no limit.
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

// OrderBy returns the keys of ORDER BY, for instance to look for the composite
// index that the service requires for more than one.
func (p *Plan) OrderBy() []OrderKey {
	keys := make([]OrderKey, len(p.order))
	for i, k := range p.order {
		names, _ := k.path.names()
		keys[i] = OrderKey{names, k.descending}
	}
	return keys
}

// SortKey returns the values by which ORDER BY sorts a document and so all its rows,
// one value for each key. It allocates the slice.
func (p *Plan) SortKey(doc Value) []Value {
	key := make([]Value, len(p.order))
	if doc.kind != Object {
		return key
	}
	for i, k := range p.order {
		key[i] = k.eval(row{doc: doc.comp})
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

// Combines lists the clauses of the query for which the results of several
// partitions cannot simply follow each other: DISTINCT, TOP, GROUP BY, aggregates,
// ORDER BY and OFFSET LIMIT, also of a subquery in FROM over the container. The
// gateway of the service refuses to run such a query across partitions (Microsoft's
// page "Querying Azure Cosmos DB resources using the REST API"). JOIN and subqueries
// within a document are not among them.
func (q *Query) Combines() []string {
	var clauses []string
	note := func(has bool, clause string) {
		if has {
			clauses = append(clauses, clause)
		}
	}
	distinct, group, aggregates := false, false, false
	for s := q.main; s != nil; s = s.derived() {
		distinct = distinct || s.distinct
		group = group || len(s.group) > 0
		aggregates = aggregates || len(s.aggregates) > 0
	}
	note(distinct, "DISTINCT")
	note(q.top != nil, "TOP")
	note(group, "GROUP BY")
	note(aggregates, "aggregates")
	note(len(q.order) > 0, "ORDER BY")
	note(q.offset != nil, "OFFSET LIMIT")
	return clauses
}
