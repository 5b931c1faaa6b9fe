package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// maxTuples is the maximum number of combinations that FROM makes of one document, in all
// subqueries together, so that a cross product of large arrays ends. It is our own limit; the
// service limits the time and charge of such a query.
const maxTuples = 1 << 22

// selection is a compiled select.
type selection struct {
	node       *cosmossql.Select
	inner      *selection // the subquery over the container that is the first source
	sources    []sourceCode
	where      *code                   // nil without WHERE
	test       func(row) value.Truth   // nil without WHERE
	items      []func(row) value.Value // of the SELECT clause
	group      []func(row) value.Value // of GROUP BY
	arguments  []func(row) value.Value // of the aggregates
	badNumbers []*cosmossql.Error      // errors for items that JSON cannot hold
	tooMany    *cosmossql.Error
	tooLarge   *cosmossql.Error
	weight     int // the approximate number of steps for a combination
	meter      *work.Meter
}

// sourceCode is a compiled part of FROM, a path or a subquery. It is empty for the
// container, whose documents the caller passes in.
type sourceCode struct {
	slot       int
	iterate    bool
	collection func(row) value.Value
	query      *selection
}

// selection compiles a select.
func (c *compiler) selection(node *cosmossql.Select) (*selection, error) {
	s := &selection{node: node, meter: c.meter}
	before := c.nodes
	for i, from := range node.Sources {
		source, err := c.source(from)
		if err != nil {
			return nil, err
		}
		if i == 0 && node.Derived() != nil {
			s.inner = source.query
		}
		s.sources = append(s.sources, source)
		s.tooMany = c.failure(from.Token, cosmossql.CodeEvaluation, "FROM gives more than %d combinations for one document; filter arrays in subqueries before they are joined", maxTuples)
	}
	err := c.clauses(s)
	s.weight = 4 * (c.nodes - before + 1)
	return s, err
}

// clauses compiles all clauses but FROM.
func (c *compiler) clauses(s *selection) error {
	node := s.node
	if node.Kind == cosmossql.SelectStar && (node != c.query.Main || node.Distinct) {
		c.reads(newPath(node.Sources[0].Binding.Slot))
	}
	for _, item := range node.Items {
		code, err := c.compile(item.Expr)
		if err != nil {
			return err
		}
		s.items = append(s.items, code.result())
		s.badNumbers = append(s.badNumbers, c.failure(item.Expr.At(), cosmossql.CodeEvaluation,
			"the result is or holds NaN or an infinity, as of a division by zero, which JSON cannot hold"))
		s.tooLarge = c.tooLarge(item.Expr.At())
	}
	group, err := c.all(node.GroupBy)
	if err != nil {
		return err
	}
	s.group = results(group)
	for _, a := range node.Aggregates {
		code, err := c.compile(a.Arg)
		if err != nil {
			return err
		}
		s.arguments = append(s.arguments, code.result())
	}
	if node.Where != nil {
		if s.where, err = c.compile(node.Where); err != nil {
			return err
		}
		s.test = s.where.condition()
	}
	return nil
}

// source compiles a part of FROM.
func (c *compiler) source(from *cosmossql.Source) (sourceCode, error) {
	code := sourceCode{slot: from.Binding.Slot, iterate: from.Iterate}
	if code.slot == 0 {
		return code, nil
	}
	c.framed = true
	if from.Query != nil {
		var err error
		code.query, err = c.selection(from.Query)
		return code, err
	}
	slot := 0
	if from.Base != nil {
		slot = from.Base.Binding.Slot
	}
	p := newPath(slot)
	for _, step := range from.Steps {
		p = p.to(step)
	}
	c.reads(p)
	code.collection = p.eval()
	return code, nil
}

// tuples calls yield for the combinations of the sources from number from on for which WHERE
// is true. It stops and returns false if yield returns false or the evaluation fails.
func (s *selection) tuples(r row, from int, yield func(row) bool) bool {
	if from == len(s.sources) {
		if !s.meter.Spend(s.weight) {
			return false
		}
		if s.test != nil && s.test(r) != value.True {
			return r.frame.err == nil
		}
		return yield(r) && r.frame.err == nil
	}
	source := &s.sources[from]
	if source.slot == 0 {
		return s.tuples(r, from+1, yield)
	}
	if source.query == nil {
		return s.bind(r, from, source.collection(r), yield)
	}
	return source.query.rows(r, func(v value.Value) bool { return s.bind(r, from, v, yield) }) && r.frame.err == nil
}

// bind binds a source to each value of a collection in turn, and continues with the next
// source. It leaves undefined values out.
func (s *selection) bind(r row, from int, collection value.Value, yield func(row) bool) bool {
	source := &s.sources[from]
	if !source.iterate {
		return s.bindValue(r, from, collection, yield)
	}
	if collection.Kind() != value.Array {
		return true
	}
	for _, item := range collection.Items() {
		if !s.bindValue(r, from, item, yield) {
			return false
		}
	}
	return true
}

func (s *selection) bindValue(r row, from int, v value.Value, yield func(row) bool) bool {
	if v.Kind() == value.Undefined {
		return true
	}
	if !s.meter.Spend(4) {
		return false
	}
	if r.frame.tuples++; r.frame.tuples > maxTuples {
		r.frame.fail(s.tooMany)
		return false
	}
	r.frame.slots[s.sources[from].slot-1] = v
	return s.tuples(r, from+1, yield)
}

// rows calls yield for the rows of a subquery, until yield returns false.
func (s *selection) rows(r row, yield func(value.Value) bool) bool {
	var seen distinct
	out := func(r row) bool {
		v := s.value(r)
		if v.Kind() == value.Undefined || s.node.Distinct && !seen.add(s.meter, r.frame, v) {
			return r.frame.err == nil && s.meter.Err() == nil
		}
		return yield(v)
	}
	if !s.node.Grouped() {
		return s.tuples(r, 0, out)
	}
	groups := s.newGroups()
	return s.tuples(r, 0, groups.add) && groups.each(r, out)
}

// value returns the value of the SELECT clause for a combination.
func (s *selection) value(r row) value.Value {
	switch s.node.Kind {
	case cosmossql.SelectStar:
		return r.at(s.node.Sources[0].Binding.Slot)
	case cosmossql.SelectValue:
		return s.items[0](r)
	}
	var b value.Builder
	for i, item := range s.items {
		b.Set(s.node.Items[i].Name, item(r))
	}
	if b.Full() {
		return r.frame.fail(s.tooLarge)
	}
	return b.Object()
}

// project returns the value of the SELECT clause for a combination, as JSON. ok is
// false if the value is undefined.
func (s *selection) project(r row) (raw []byte, ok bool, err error) {
	if s.node.Kind != cosmossql.SelectList {
		v := s.value(r)
		if v.NonFinite() {
			return nil, false, s.badNumbers[0]
		}
		return v.JSON(), v.Kind() != value.Undefined, nil
	}
	raw = []byte{'{'}
	for i, item := range s.items {
		v := item(r)
		if v.Kind() == value.Undefined {
			continue
		}
		if v.NonFinite() {
			return nil, false, s.badNumbers[i]
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = cosmossql.AppendQuoted(raw, s.node.Items[i].Name)
		raw = append(raw, ':')
		raw = v.AppendJSON(raw)
		s.meter.Spend(v.Bytes() / 16)
	}
	return append(raw, '}'), true, nil
}
