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

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
		return nil, fmt.Errorf("query %s: GroupBy goes over all documents: call it without Limit", q.TypeName())
	case len(q.Orders) > 0:
		return nil, fmt.Errorf("query %s: GroupBy gives groups in the order of their keys: call it without OrderBy, and sort the groups", q.TypeName())
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
			return nil, &wire.OperationError{Op: "query", Type: q.TypeName(), Err: err}
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
