package conformance

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// conditions compares random conditions on random documents with a model.
func conditions(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 17))
	values := valuesOf(f)
	var all []*Event
	for i := range 60 {
		e := &Event{ID: fmt.Sprintf("c%02d", i), Device: fmt.Sprint("d", i%5)}
		if f.Narrow {
			e.Device = "d0"
		}
		e.At = pick(random, values["at"]).(time.Time)
		e.Text = pick(random, values["text"]).(string)
		e.Number = pick(random, values["number"]).(int64)
		e.Ratio = pick(random, values["ratio"]).(float64)
		e.Flag = random.IntN(2) == 0
		if random.IntN(3) > 0 {
			e.Optional = text(pick(random, values["optional"]).(string))
		}
		all = append(all, e)
	}
	store(t, events, slices.Values(all))
	lacking, asked := map[string]bool{}, 0
	ask := func(n condition.Node) {
		t.Helper()
		q, ok := f.many(events, "d0").Where(n)
		if !ok {
			return
		}
		asked++
		want := []string{}
		for _, e := range all {
			if holds(n, *e) {
				want = append(want, e.ID)
			}
		}
		if got := sorted(ids(t, q.All(ctx))); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", show(n), got, want)
		}
		if got, err := q.Count(ctx); err != nil || got != len(want) {
			t.Errorf("%s: Count is %d, %v, want %d", show(n), got, err, len(want))
		}
	}
	comparison := func() *condition.Comparison {
		for {
			c := &condition.Comparison{Property: Properties[random.IntN(len(Properties))], Op: condition.Op(1 + random.IntN(int(condition.Exists)))}
			n := 1
			switch c.Op {
			case condition.Between:
				n = 2
			case condition.In:
				n = 1 + random.IntN(4)
			case condition.Exists:
				n = 0
			}
			for range n {
				c.Values = append(c.Values, pick(random, values[c.Property]))
			}
			if _, ok := f.many(events, "d0").Where(c); ok {
				return c
			}
			lacking[fmt.Sprint(c.Property, " ", names[c.Op])] = true
		}
	}
	for range few(150) {
		c := comparison()
		ask(c)
		ask(condition.Not{Of: c})
	}
	var tree func(depth int) condition.Node
	tree = func(depth int) condition.Node {
		if depth == 0 {
			return comparison()
		}
		switch random.IntN(4) {
		case 0:
			return condition.All{tree(depth - 1), tree(depth - 1)}
		case 1:
			return condition.Any{tree(depth - 1), tree(depth - 1), tree(depth - 1)}
		case 2:
			return condition.Not{Of: tree(depth - 1)}
		}
		return comparison()
	}
	for range few(150) {
		ask(tree(3))
	}
	var list []string
	for name := range lacking {
		list = append(list, name)
	}
	slices.Sort(list)
	t.Logf("%d conditions; the API has none such: %s", asked, strings.Join(list, ", "))
	for _, p := range Properties {
		v := values[p][0]
		if _, ok := f.many(events, "d0").Where(&condition.Comparison{Property: p, Op: condition.Eq, Values: []any{v}}); !ok {
			t.Errorf("%s cannot be compared", p)
		}
	}
	for _, p := range []string{"number", "ratio", "at"} {
		for _, op := range []condition.Op{condition.Lt, condition.Ge} {
			if _, ok := f.many(events, "d0").Where(&condition.Comparison{Property: p, Op: op, Values: values[p][:1]}); !ok {
				t.Errorf("%s has no %s", p, names[op])
			}
		}
	}
}

// valuesOf are the values of each property, for documents and conditions.
func valuesOf(f Face) map[string][]any {
	list := map[string][]any{
		"number": {int64(0), int64(-1), int64(1), int64(1 << 40), f.MaxInteger, -f.MaxInteger},
		"ratio":  {0.0, 0.5, -2.25, 1e300, 3.0},
		"flag":   {false, true},
		"at":     {day, day.Add(f.Resolution), day.Add(12 * time.Hour), day.Add(24*time.Hour - f.Resolution)},
		"text":   {"", "a", "A", "ab", "abc", "b'c", "\"", "é", "\U0001F697", "zz%_", "a b", "$a"},
		"device": {"d0", "d1", "d4", "d"},
		"id":     {"c00", "c07", "c59", "c"},
	}
	list["optional"] = list["text"]
	return list
}

func pick(random *rand.Rand, list []any) any { return list[random.IntN(len(list))] }

var names = map[condition.Op]string{
	condition.Eq: "=", condition.Ne: "≠", condition.Lt: "<", condition.Le: "≤", condition.Gt: ">", condition.Ge: "≥",
	condition.Between: "between", condition.In: "in", condition.EqFold: "equal fold", condition.StartsWith: "starts with",
	condition.EndsWith: "ends with", condition.Contains: "contains", condition.Exists: "exists",
}

// show returns a condition as text.
func show(n condition.Node) string {
	join := func(list []condition.Node, by string) string {
		var texts []string
		for _, n := range list {
			texts = append(texts, show(n))
		}
		return "(" + strings.Join(texts, by) + ")"
	}
	switch n := n.(type) {
	case *condition.Comparison:
		return fmt.Sprintf("%s %s %q", n.Property, names[n.Op], fmt.Sprint(n.Values))
	case condition.All:
		return join(n, " and ")
	case condition.Any:
		return join(n, " or ")
	case condition.Not:
		return "not " + show(n.Of)
	}
	return fmt.Sprint(n)
}

// holds is the model: it reports whether a condition holds for an event.
func holds(n condition.Node, e Event) bool {
	switch n := n.(type) {
	case condition.Not:
		return !holds(n.Of, e)
	case condition.All:
		return !slices.ContainsFunc(n, func(n condition.Node) bool { return !holds(n, e) })
	case condition.Any:
		return slices.ContainsFunc(n, func(n condition.Node) bool { return holds(n, e) })
	}
	c := n.(*condition.Comparison)
	v := valueOf(e, c.Property)
	if v == nil {
		return false // neither does ≠
	}
	if c.Op == condition.Exists {
		return true
	}
	order := compareValues(v, c.Values[0])
	value, _ := v.(string)
	other, _ := c.Values[0].(string)
	switch c.Op {
	case condition.Eq:
		return order == 0
	case condition.Ne:
		return order != 0
	case condition.Lt:
		return order < 0
	case condition.Le:
		return order <= 0
	case condition.Gt:
		return order > 0
	case condition.Ge:
		return order >= 0
	case condition.Between:
		return order >= 0 && compareValues(v, c.Values[1]) <= 0
	case condition.In:
		return slices.ContainsFunc(c.Values, func(o any) bool { return compareValues(v, o) == 0 })
	case condition.EqFold:
		return fold(value) == fold(other)
	case condition.StartsWith:
		return strings.HasPrefix(value, other)
	case condition.EndsWith:
		return strings.HasSuffix(value, other)
	case condition.Contains:
		return strings.Contains(value, other)
	}
	panic("no such comparison")
}

// fold writes ASCII letters in lower case.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// valueOf returns the value of a property, or nil if it has none.
func valueOf(e Event, property string) any {
	switch property {
	case "id":
		return e.ID
	case "device":
		return e.Device
	case "at":
		return e.At
	case "text":
		return e.Text
	case "number":
		return e.Number
	case "ratio":
		return e.Ratio
	case "flag":
		return e.Flag
	}
	if e.Optional == nil {
		return nil
	}
	return *e.Optional
}

func compareValues(a, b any) int {
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		if a == b.(bool) {
			return 0
		}
		return 1 // bools have no order
	}
	panic("no such value")
}
