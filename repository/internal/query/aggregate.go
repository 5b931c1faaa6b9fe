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

// Aggregates is a row of aggregates: those of a page, or their sum. The service may
// send several pages for one query.
type Aggregates struct {
	N       float64         `json:"n"`       // documents
	Present float64         `json:"present"` // those that have the property
	S       float64         `json:"s"`       // sum
	Low     json.RawMessage `json:"low"`     // nil if there is none
	High    json.RawMessage `json:"high"`
}

// add adds the aggregates of other documents.
func (a *Aggregates) add(b Aggregates) error {
	a.N += b.N
	a.Present += b.Present
	a.S += b.S
	var err, errHigh error
	a.Low, err = Extreme(a.Low, b.Low, -1)
	a.High, errHigh = Extreme(a.High, b.High, 1)
	return errors.Join(err, errHigh)
}

// Extreme returns the lesser of two JSON values if sign is -1, the greater if 1.
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

// Aggregate adds up columns over what q selects. Name is for errors.
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

// combining returns the execution of a statement that combines documents, and its jobs, in
// the one container of q, or in several.
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

// errRelaid says that the parts of a query no longer add up to the whole: the
// physical partitions among which it was divided are gone, and the present ones are
// not pieces of them.
var errRelaid = errors.New("the physical partitions have been merged, or are of another container")

// whole emits what a job reads when it has all of it. If its physical partition
// was split, the halves count anew, each for itself. If it was merged with
// another one, whose documents the aggregates cannot leave out, or the container
// was made again, the error is errRelaid.
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

// exactSum is a sum of float64 numbers that loses nothing, so that it does not depend on
// their sequence: numbers that do not overlap, the least first, whose sum it is (Shewchuk,
// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
// 1997).
type exactSum struct{ parts []float64 }

func (s *exactSum) add(x float64) {
	kept := 0
	for _, y := range s.parts {
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		high := x + y
		if low := y - (high - x); low != 0 {
			s.parts[kept] = low // which was read
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
	// Halfway between two numbers, what is left decides.
	if n > 0 && (low < 0 && s.parts[n-1] < 0 || low > 0 && s.parts[n-1] > 0) {
		twice := low * 2
		if x := sum + twice; x-sum == twice {
			return x
		}
	}
	return sum
}

// Grouping says by which properties documents are put into groups, and what is counted
// and added up of each group.
type Grouping struct {
	By      []GroupKey
	Columns []GroupColumn
}

// GroupKey is a property by whose values documents are put into groups.
type GroupKey struct {
	Name     string // in rows
	Property string // in SQL
	Zero     []byte // what an absent property counts as; nil if it is a group of its own
}

// GroupColumn is what is told of each group.
type GroupColumn struct {
	Name  string // in rows
	Of    GroupFunction
	Value string // in SQL, undefined where a document has no value; of COUNT empty
}

// GroupFunction is how values are put together.
type GroupFunction string

// The functions, as SQL has them.
const (
	GroupCount GroupFunction = "COUNT"
	GroupSum   GroupFunction = "SUM"
	GroupAvg   GroupFunction = "AVG"
	GroupMin   GroupFunction = "MIN"
	GroupMax   GroupFunction = "MAX"
)

// Properties of an item, as the query plan of the service names them when it rewrites
// GROUP BY for physical partitions.
const (
	groupKeys    = "groupByItems"
	groupPayload = "payload"
	groupItem    = "item"
)

var groupKeysPath = []string{groupKeys}

// statement returns the statement by which a physical partition puts its own documents
// into groups.
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

// group is a group, or the part of one that a page tells.
type group struct {
	keys   []json.RawMessage // nil where the property is absent
	sorted []text.SortValue
	same   string // equal for parts of one group
	n      int64
	cells  []groupCell
}

type groupCell struct {
	n   int64 // values
	sum exactSum
	raw json.RawMessage // the least or the greatest; nil if there is none
}

// read returns the part of a group that an item of a page is.
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

// addKey adds the value of a property, nil if it is absent.
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

// add adds a part of the same group.
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

// row returns a group as an object of JSON. What a group does not have is left out.
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

// numberFormat writes integers without an exponent, so that they fit into Go's, as long
// as encoding/json does.
func numberFormat(v float64) byte {
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return 'e'
	}
	return 'f'
}

// Group puts the documents that q selects into groups, and returns each as an object of
// JSON, in the order of their keys.
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

// combine calls add with what decode makes of each item of a statement over all that q
// selects, and returns when it has had all of them. If physical partitions have changed
// so that nothing fits, it calls begin again and starts anew.
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

// combineOnce is one attempt of combine.
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
