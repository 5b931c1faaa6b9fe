package cosmossql

// maxTuples is how many combinations FROM may make of one document, in all
// subqueries together, so that a cross product of large arrays ends. It is our own
// limit; the service ends such a query by its time and charge.
const maxTuples = 1 << 22

// selection is a compiled select.
type selection struct {
	node       *selectNode
	inner      *selection // the subquery over the container that is the first source
	sources    []sourceCode
	where      *code             // nil without WHERE
	test       func(row) truth   // nil without WHERE
	items      []func(row) Value // of the SELECT clause
	group      []func(row) Value // of GROUP BY
	arguments  []func(row) Value // of the aggregates
	badNumbers []*Error          // for items that JSON cannot hold
	tooMany    *Error
	tooLarge   *Error
}

// sourceCode is a compiled part of FROM, a path or a subquery. It is empty for the
// container, whose documents the caller passes in.
type sourceCode struct {
	slot       int
	iterate    bool
	collection func(row) Value
	query      *selection
}

// selection compiles a select.
func (c *compiler) selection(node *selectNode) (*selection, error) {
	s := &selection{node: node}
	for i, from := range node.sources {
		source, err := c.source(from)
		if err != nil {
			return nil, err
		}
		if i == 0 && node.derived() != nil {
			s.inner = source.query
		}
		s.sources = append(s.sources, source)
		s.tooMany = c.failure(from.token, codeRun, "FROM gives more than %d combinations for one document; filter arrays in subqueries before they are joined", maxTuples)
	}
	return s, c.clauses(s)
}

// clauses compiles all but FROM.
func (c *compiler) clauses(s *selection) error {
	node := s.node
	for _, item := range node.items {
		code, err := c.compile(item.expr)
		if err != nil {
			return err
		}
		s.items = append(s.items, code.result())
		s.badNumbers = append(s.badNumbers, c.failure(item.expr.at(), codeRun,
			"the result is or holds NaN or an infinity, as of a division by zero, which JSON cannot hold"))
		s.tooLarge = c.tooLarge(item.expr.at())
	}
	group, err := c.all(node.group)
	if err != nil {
		return err
	}
	s.group = results(group)
	for _, a := range node.aggregates {
		code, err := c.compile(a.arg)
		if err != nil {
			return err
		}
		s.arguments = append(s.arguments, code.result())
	}
	if node.where != nil {
		if s.where, err = c.compile(node.where); err != nil {
			return err
		}
		s.test = s.where.condition()
	}
	return nil
}

// source compiles a part of FROM.
func (c *compiler) source(from *source) (sourceCode, error) {
	code := sourceCode{slot: from.binding.slot, iterate: from.iterate}
	if code.slot == 0 {
		return code, nil
	}
	c.framed = true
	if from.query != nil {
		var err error
		code.query, err = c.selection(from.query)
		return code, err
	}
	slot := 0
	if from.base != nil {
		slot = from.base.binding.slot
	}
	p := newPath(slot)
	for _, step := range from.steps {
		p = p.to(step)
	}
	code.collection = p.eval()
	return code, nil
}

// tuples calls yield for the combinations of the sources, beginning with source
// number from, for which WHERE is true. It stops and returns false if yield returns
// false or the evaluation fails.
func (s *selection) tuples(r row, from int, yield func(row) bool) bool {
	if from == len(s.sources) {
		if s.test != nil && s.test(r) != isTrue {
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
	return source.query.rows(r, func(v Value) bool { return s.bind(r, from, v, yield) }) && r.frame.err == nil
}

// bind binds a source to the values of a collection, one after another, and goes on
// with the next source. It leaves undefined values out.
func (s *selection) bind(r row, from int, collection Value, yield func(row) bool) bool {
	source := &s.sources[from]
	if !source.iterate {
		return s.bindValue(r, from, collection, yield)
	}
	if collection.kind != Array {
		return true
	}
	for _, item := range collection.items() {
		if !s.bindValue(r, from, item, yield) {
			return false
		}
	}
	return true
}

func (s *selection) bindValue(r row, from int, v Value, yield func(row) bool) bool {
	if v.kind == Undefined {
		return true
	}
	if r.frame.tuples++; r.frame.tuples > maxTuples {
		r.frame.fail(s.tooMany)
		return false
	}
	r.frame.slots[s.sources[from].slot-1] = v
	return s.tuples(r, from+1, yield)
}

// rows calls yield for the rows of a subquery, until yield returns false.
func (s *selection) rows(r row, yield func(Value) bool) bool {
	var seen *valueSet
	if s.node.distinct {
		seen = &valueSet{}
	}
	out := func(r row) bool {
		v := s.value(r)
		return v.kind == Undefined || seen != nil && !seen.add(v) || yield(v)
	}
	if !s.node.grouped() {
		return s.tuples(r, 0, out)
	}
	groups := s.newGroups()
	return s.tuples(r, 0, groups.add) && groups.each(r, out)
}

// value returns the value of the SELECT clause for a combination.
func (s *selection) value(r row) Value {
	switch s.node.kind {
	case selectStar:
		return r.at(s.node.sources[0].binding.slot)
	case selectValue:
		return s.items[0](r)
	}
	var b builder
	for i, item := range s.items {
		b.set(s.node.items[i].name, item(r))
	}
	if b.full() {
		return r.frame.fail(s.tooLarge)
	}
	return b.object()
}

// project returns the value of the SELECT clause for a combination, as JSON. ok is
// false if the value is undefined.
func (s *selection) project(r row) (raw []byte, ok bool, err error) {
	if s.node.kind != selectList {
		v := s.value(r)
		if v.odd() {
			return nil, false, s.badNumbers[0]
		}
		return v.JSON(), v.kind != Undefined, nil
	}
	raw = []byte{'{'}
	for i, item := range s.items {
		v := item(r)
		if v.kind == Undefined {
			continue
		}
		if v.odd() {
			return nil, false, s.badNumbers[i]
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = appendString(raw, s.node.items[i].name)
		raw = append(raw, ':')
		raw = v.AppendJSON(raw)
	}
	return append(raw, '}'), true, nil
}
