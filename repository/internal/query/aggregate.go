package query

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Aggregates has the aggregates of a page, or their sum. The service may send several pages
// for one query.
type Aggregates struct {
	N       float64         `json:"n"`       // documents
	Present float64         `json:"present"` // documents with the property
	S       float64         `json:"s"`       // sum
	Low     json.RawMessage `json:"low"`     // nil if none
	High    json.RawMessage `json:"high"`
}

func (a *Aggregates) add(b Aggregates) error {
	a.N += b.N
	a.Present += b.Present
	a.S += b.S
	var err, errHigh error
	a.Low, err = Extreme(a.Low, b.Low, -1)
	a.High, errHigh = Extreme(a.High, b.High, 1)
	return errors.Join(err, errHigh)
}

// Extreme returns the lesser of two JSON values if sign is -1, or the greater if sign is 1.
// If one is nil, it returns the other.
func Extreme(a, b json.RawMessage, sign int) (json.RawMessage, error) {
	if a == nil || b == nil {
		if a == nil {
			a = b
		}
		return a, nil
	}
	v, err := text.SortValueOf(a)
	if err != nil {
		return nil, err
	}
	w, err := text.SortValueOf(b)
	if err != nil {
		return nil, err
	}
	if w.Compare(v)*sign > 0 {
		return b, nil
	}
	return a, nil
}

// Aggregate sums columns over the documents of q. Name is for errors.
func Aggregate(ctx context.Context, q Selection, name string, columns ...string) (sum Aggregates, err error) {
	if err := q.Validate(); err != nil {
		return Aggregates{}, err
	}
	if q.Limit > 0 {
		return Aggregates{}, fmt.Errorf("query %s: %s covers all documents: call it without Limit", q.TypeName(), name)
	}
	s := Statement{Columns: columns, Combined: true, conditions: q.Conditions, parameters: q.Parameters}
	err = q.combine(ctx, s, Untyped(decodeAggregated), func() { sum = Aggregates{} }, func(item any) error {
		part, _ := item.(Aggregates)
		return sum.add(part)
	})
	if err != nil {
		return Aggregates{}, err
	}
	return sum, nil
}

// combining returns the execution and the jobs of a statement that combines documents, in
// the container of q or in parts.
func (q Selection) combining(ctx context.Context, parts []Part, s Statement, decode func([]byte) (any, error)) (*execution, []job, error) {
	if parts == nil {
		jobs, _, err := q.jobs(ctx, s)
		return q.newExecution(s, decode), jobs, err
	}
	return q.together(ctx, parts, s, func(Part) func([]byte) (any, error) { return decode })
}

func decodeAggregated(item []byte) (a Aggregates, err error) {
	err = json.Unmarshal(item, &a)
	return a, err
}

// errRelaid says that the parts of a query no longer add up, because the physical
// partitions among which it was divided have changed in another way than by splits.
var errRelaid = errors.New("the physical partitions have been merged, or are of another container")

// whole emits the results of a job once they are complete. If the physical partition was
// split, each half is read anew. If it was merged, its aggregates include other documents;
// then, or if the container was created again, the error is errRelaid.
func (e *execution) whole(ctx context.Context, j job, emit func([]any) bool) error {
	var all []any
	err := e.pages(ctx, j, func(raw [][]byte, more bool) error {
		items, err := e.page(&j, raw, more)
		if err != nil {
			return e.failure(j, err)
		}
		all = append(all, items...)
		return nil
	})
	if err == nil && len(all) == 0 && !e.base().missing.Load() && e.certain() != "" && e.group == nil {
		err = e.failure(j, wire.Broken("it has no count"))
	}
	switch {
	case err == nil && emit(all):
		return nil
	case err == nil:
		return errStopped
	case !j.scoped || !route.Gone(err):
		return err
	}
	parts, err := e.successors(ctx, j, err)
	if err != nil {
		return err
	}
	for _, part := range parts {
		prefixes := slices.ContainsFunc(part.values, func(v Target) bool { return v.prefix })
		if part.rid != j.rid || (!part.listed || prefixes) && !route.Contains(part.low, part.high, part.in) {
			return e.failure(j, errRelaid)
		}
	}
	for _, part := range parts {
		if err := e.whole(ctx, part, emit); err != nil {
			return err
		}
	}
	return nil
}

// exactSum is an exact sum of float64 numbers, independent of their order. It has
// non-overlapping parts, the least first (Shewchuk, "Adaptive Precision Floating-Point
// Arithmetic and Fast Robust Geometric Predicates", 1997).
type exactSum struct{ parts []float64 }

func (s *exactSum) add(x float64) {
	kept := 0
	for _, y := range s.parts {
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		high := x + y
		if low := y - (high - x); low != 0 {
			s.parts[kept] = low // this element was read already
			kept++
		}
		x = high
	}
	s.parts = append(s.parts[:kept], x)
}

func (s *exactSum) addAll(other exactSum) {
	for _, x := range other.parts {
		s.add(x)
	}
}

// value returns the float64 that is closest to the sum.
func (s *exactSum) value() float64 {
	n := len(s.parts)
	if n == 0 {
		return 0
	}
	sum, low := s.parts[n-1], 0.0
	for n--; n > 0; n-- {
		x, y := sum, s.parts[n-1]
		sum = x + y
		if low = y - (sum - x); low != 0 {
			n--
			break
		}
	}
	// Halfway between two numbers, the rest decides.
	if n > 0 && (low < 0 && s.parts[n-1] < 0 || low > 0 && s.parts[n-1] > 0) {
		twice := low * 2
		if x := sum + twice; x-sum == twice {
			return x
		}
	}
	return sum
}

// Grouping has the properties by which documents are grouped, and the aggregates of each
// group.
type Grouping struct {
	By      []GroupKey
	Columns []GroupColumn
}

// GroupKey is a property by whose values documents are grouped.
type GroupKey struct {
	Name     string // in rows
	Property string // in SQL
	Zero     []byte // the value of an absent property; nil makes a group of its own
}

// GroupColumn is an aggregate of each group.
type GroupColumn struct {
	Name  string // in rows
	Of    GroupFunction
	Value string // in SQL, undefined if a document has no value; empty for COUNT
}

// GroupFunction is an aggregate function.
type GroupFunction string

// The functions, as in SQL.
const (
	GroupCount GroupFunction = "COUNT"
	GroupSum   GroupFunction = "SUM"
	GroupAvg   GroupFunction = "AVG"
	GroupMin   GroupFunction = "MIN"
	GroupMax   GroupFunction = "MAX"
)

// Properties of an item, as in the service's query plan for GROUP BY over physical
// partitions.
const (
	groupKeys    = "groupByItems"
	groupPayload = "payload"
	groupItem    = "item"
)

var groupKeysPath = []string{groupKeys}

// statement returns the statement by which a physical partition groups its own documents.
func (g Grouping) statement(q Selection) Statement {
	items := make([]string, len(g.By))
	s := Statement{Combined: true, conditions: q.Conditions, parameters: q.Parameters}
	for i, k := range g.By {
		items[i] = `{"` + groupItem + `": ` + k.Property + `}`
		s.group = append(s.group, k.Property)
	}
	payload := []string{groupTerm("n", "COUNT(1)")}
	for i, c := range g.Columns {
		at := strconv.Itoa(i)
		switch c.Of {
		case GroupCount:
		case GroupSum, GroupAvg:
			payload = append(payload, groupTerm("k"+at, "COUNT("+c.Value+")"), groupTerm("v"+at, "SUM("+c.Value+")"))
		default:
			payload = append(payload, groupTerm("v"+at, string(c.Of)+"("+c.Value+")"))
		}
	}
	s.Columns = []string{
		"[" + strings.Join(items, ", ") + "] AS " + groupKeys,
		"{" + strings.Join(payload, ", ") + "} AS " + groupPayload,
	}
	return s
}

func groupTerm(name, aggregate string) string {
	return `"` + name + `": {"` + groupItem + `": ` + aggregate + `}`
}

// group is a group, or its part from one page.
type group struct {
	keys   []json.RawMessage // nil if the property is absent
	sorted []text.SortValue
	same   string // equal for parts of one group
	n      int64
	cells  []groupCell
}

type groupCell struct {
	n   int64 // number of values
	sum exactSum
	raw json.RawMessage // the least or the greatest; nil if none
}

// read returns the part of a group from an item of a page.
func (g Grouping) read(item []byte) (*group, error) {
	part := &group{cells: make([]groupCell, len(g.Columns))}
	items := text.Elements(text.ValueAt(item, groupKeysPath))
	payload := text.Member(item, groupPayload)
	if len(items) != len(g.By) {
		return nil, wire.Broken("a group has other keys than were asked for")
	}
	for i, k := range g.By {
		key := json.RawMessage(bytes.Clone(text.Member(items[i], groupItem)))
		if key == nil {
			key = k.Zero
		}
		if err := part.addKey(key); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Property, err)
		}
	}
	cell := func(name string, v any) error {
		raw := text.Member(text.Member(payload, name), groupItem)
		if raw == nil {
			return wire.Broken("a group has no " + name)
		}
		return json.Unmarshal(raw, v)
	}
	if err := cell("n", &part.n); err != nil {
		return nil, err
	}
	for i, c := range g.Columns {
		at, own := strconv.Itoa(i), &part.cells[i]
		switch c.Of {
		case GroupCount:
		case GroupSum, GroupAvg:
			if err := cell("k"+at, &own.n); err != nil {
				return nil, err
			}
			if own.n == 0 {
				continue
			}
			var sum float64
			if err := cell("v"+at, &sum); err != nil {
				return nil, err
			}
			own.sum.add(sum)
		default:
			own.raw = bytes.Clone(text.Member(text.Member(payload, "v"+at), groupItem))
		}
	}
	return part, nil
}

// addKey adds the value of a property, or nil if it is absent.
func (p *group) addKey(raw json.RawMessage) error {
	v, err := text.SortValueOf(raw)
	if err != nil {
		return err
	}
	same := v.Canonical()
	if len(raw) > 0 && (raw[0] == '[' || raw[0] == '{') {
		var whole any
		if err := json.Unmarshal(raw, &whole); err != nil {
			return err
		}
		canonical, err := json.Marshal(whole)
		if err != nil {
			return err
		}
		same = string(canonical)
	}
	p.keys, p.sorted = append(p.keys, raw), append(p.sorted, v)
	p.same += strconv.Itoa(len(same)) + ":" + same
	return nil
}

func (p *group) add(g Grouping, other *group) (err error) {
	p.n += other.n
	for i := range p.cells {
		own, more := &p.cells[i], &other.cells[i]
		own.n += more.n
		own.sum.addAll(more.sum)
		switch g.Columns[i].Of {
		case GroupMin:
			own.raw, err = Extreme(own.raw, more.raw, -1)
		case GroupMax:
			own.raw, err = Extreme(own.raw, more.raw, 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare orders groups by their keys, as ORDER BY does.
func (p *group) compare(other *group) int {
	for i, v := range p.sorted {
		if c := v.Compare(other.sorted[i]); c != 0 {
			return c
		}
	}
	return strings.Compare(p.same, other.same)
}

// row returns a group as a JSON object. It omits missing values.
func (g Grouping) row(p *group) ([]byte, error) {
	row := []byte("{")
	add := func(name string, value []byte) {
		if value == nil {
			return
		}
		if len(row) > 1 {
			row = append(row, ',')
		}
		quoted, _ := json.Marshal(name) // a text
		row = append(append(append(row, quoted...), ':'), value...)
	}
	for i, k := range g.By {
		add(k.Name, p.keys[i])
	}
	for i, c := range g.Columns {
		cell := &p.cells[i]
		switch c.Of {
		case GroupCount:
			add(c.Name, strconv.AppendInt(nil, p.n, 10))
		case GroupSum, GroupAvg:
			v := cell.sum.value()
			if c.Of == GroupAvg {
				if cell.n == 0 {
					continue
				}
				v /= float64(cell.n)
			}
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, fmt.Errorf("the %s of %s is beyond float64", strings.ToLower(string(c.Of)), c.Name)
			}
			add(c.Name, strconv.AppendFloat(nil, v, numberFormat(v), -1, 64))
		default:
			add(c.Name, cell.raw)
		}
	}
	return append(row, '}'), nil
}

// numberFormat avoids exponents of integers to the same limits as encoding/json, so that Go
// decodes them into integer types.
func numberFormat(v float64) byte {
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return 'e'
	}
	return 'f'
}

// Group groups the documents of q, and returns each group as a JSON object, in the order of
// their keys.
func (q Selection) Group(ctx context.Context, g Grouping) (rows [][]byte, err error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	switch {
	case q.Limit > 0:
		return nil, fmt.Errorf("query %s: GroupBy covers all documents: call it without Limit", q.TypeName())
	case len(q.Orders) > 0:
		return nil, fmt.Errorf("query %s: GroupBy returns groups in the order of their keys: call it without OrderBy, and sort the groups", q.TypeName())
	}
	var groups map[string]*group
	decode := func(item []byte) (any, error) { return g.read(item) }
	err = q.combine(ctx, g.statement(q), decode, func() { groups = map[string]*group{} }, func(item any) error {
		part := item.(*group)
		known := groups[part.same]
		if known == nil {
			groups[part.same] = part
			return nil
		}
		return known.add(g, part)
	})
	if err != nil {
		return nil, err
	}
	all := make([]*group, 0, len(groups))
	for _, p := range groups {
		all = append(all, p)
	}
	slices.SortFunc(all, (*group).compare)
	for _, p := range all {
		row, err := g.row(p)
		if err != nil {
			return nil, &documents.Error{Op: "query", Type: q.TypeName(), Err: err}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// combine calls add with each decoded item of a statement over the documents of q. If
// physical partitions change so that parts do not add up, it starts again: begin is called
// before each attempt.
func (q Selection) combine(ctx context.Context, s Statement, decode func([]byte) (any, error), begin func(), add func(any) error) error {
	return q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (_ bool, err error) {
		ctx, end := q.start(ctx)
		defer func() { end(err) }()
		s := s
		if err = q.settle(ctx, &s); err != nil {
			return false, err
		}
		for restarts := 0; ; restarts++ {
			begin()
			err = q.combineOnce(ctx, parts, s, decode, add)
			if err == nil || !errors.Is(err, errRelaid) || restarts == maxRestarts {
				return false, err
			}
		}
	})
}

func (q Selection) combineOnce(ctx context.Context, parts []Part, s Statement, decode func([]byte) (any, error), add func(any) error) error {
	e, jobs, err := q.combining(ctx, parts, s, decode)
	if err != nil {
		return err
	}
	whole := func(ctx context.Context, j job, emit func([]any) bool) error { return e.in(j).whole(ctx, j, emit) }
	for part, err := range e.each(ctx, jobs, whole) {
		if err == nil {
			err = add(part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
