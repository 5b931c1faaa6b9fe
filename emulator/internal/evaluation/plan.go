package evaluation

import (
	"sync"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Plan is a query whose parameters have values, compiled for evaluation. Only [Plan.Resolve],
// [Plan.Compute] and [Plan.OnPlane] change it. It is safe for concurrent use unless it has a
// meter.
type Plan struct {
	query  *cosmossql.Query
	main   *selection
	order  []orderKey
	top    int // -1 without TOP
	offset int
	limit  int // -1 without LIMIT

	plain bool                  // whether FROM names the container and nothing needs a frame
	test  func(row) value.Truth // the WHERE clause of a plain query
	pool  sync.Pool             // of *pipeline, for one document at a time
	meter *work.Meter
	names map[string]bool // see Names

	read     map[string]bool // properties of documents that the query names
	anyName  bool            // whether it also reads properties whose names are not constant
	stored   map[string]bool // names before computed properties are added
	computed []computation   // the computed properties that it reads

	vectors []*vectorUse // the calls of VectorDistance
	nearest *vectorUse   // the call in ORDER BY, or nil
	texts   []textUse    // the calls of FullTextScore
	search  *function.Search

	scored     bool // whether ORDER BY names a score
	component  bool // see Component
	statistics bool // see Statistics

	shapes []*spatialUse // the calls of functions of shapes
}

type orderKey struct {
	path       *path
	eval       func(row) value.Value
	descending bool
}

// Bind compiles a query with the values of its parameters, by their names with the @. It fails
// if a parameter of the query has no value, and ignores a value that the query does not use.
// Errors are of type [*cosmossql.Error]. The cost is linear in the length of the query. The
// meter bounds the work of the query, including Bind: when it ends the work, all methods of
// the plan fail with its error. A nil meter bounds nothing.
func Bind(m *work.Meter, q *cosmossql.Query, parameters map[string]value.Value) (*Plan, error) {
	c := &compiler{query: q, parameters: parameters, meter: m, names: map[string]bool{}, search: &function.Search{}}
	p, err := c.plan(q)
	if m.Err() != nil {
		return nil, m.Err()
	}
	return p, err
}

// plan compiles a query.
func (c *compiler) plan(q *cosmossql.Query) (*Plan, error) {
	p := &Plan{query: q, meter: c.meter}
	var err error
	if p.top, err = c.count(q.Top); err != nil {
		return nil, err
	}
	if p.offset, err = c.count(q.Offset); err != nil {
		return nil, err
	}
	p.offset = max(p.offset, 0)
	if p.limit, err = c.count(q.Limit); err != nil {
		return nil, err
	}
	if p.main, err = c.selection(q.Main); err != nil {
		return nil, err
	}
	if err := c.score(p); err != nil {
		return nil, err
	}
	if err := c.ranking(); err != nil {
		return nil, err
	}
	if p.plain = !c.framed && !p.WholeSet(); p.plain {
		p.test = p.main.test
	}
	p.pool.New = func() any { return newPipeline(p.main, newFrame(q)) }
	if err := c.order(p); err != nil {
		return nil, err
	}
	p.vectors, p.texts, p.search, p.statistics, p.shapes = c.vectors, c.texts, c.search, c.statistics, c.shapes
	p.read, p.anyName = c.names, c.anyName
	if !c.whole {
		p.names, p.stored = c.names, c.names
	}
	return p, nil
}

// count returns the value of TOP, OFFSET or LIMIT, or -1 without one.
func (c *compiler) count(n *cosmossql.Count) (int, error) {
	if n == nil {
		return -1, nil
	}
	if !n.Parameter {
		return n.Rows, nil
	}
	v, err := c.parameter(n.Token)
	if err != nil {
		return 0, err
	}
	i, ok := v.Position()
	if !ok {
		return 0, c.failure(n.Token, cosmossql.CodeCount, "%s takes a whole number from 0 to %d", n.Clause, cosmossql.MaxCount)
	}
	return i, nil
}

// order compiles the ORDER BY keys of the query into p. The parser has checked that
// they are paths in documents.
func (c *compiler) order(p *Plan) error {
	for _, item := range c.query.Order {
		if item.Score() != nil {
			continue // see score
		}
		e := item.Path.(*cosmossql.Access)
		key := newPath(0)
		steps, _ := e.Base.(*cosmossql.Alias).Binding.DocumentPath()
		for _, step := range steps {
			key = key.to(step)
		}
		code, rest, err := c.fixed(key, e.Steps)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return c.failure(e.At(), cosmossql.CodeOrderPath, "ORDER BY takes property paths such as c.name; an index in brackets must be a string or a whole number")
		}
		p.order = append(p.order, orderKey{code.path, code.eval, item.Descending})
	}
	return nil
}
