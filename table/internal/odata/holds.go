package odata

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// Holds reports whether the condition holds for an entity. value returns the stored
// properties, or nil for an absent one.
func (f *Filter) Holds(value func(name string) any) bool {
	return f.holds(f.nodes, value)
}

func (f *Filter) holds(n condition.Node, value func(string) any) bool {
	switch n := n.(type) {
	case condition.All:
		for _, m := range n {
			if !f.holds(m, value) {
				return false
			}
		}
		return true
	case condition.Any:
		for _, m := range n {
			if f.holds(m, value) {
				return true
			}
		}
		return false
	case condition.Not:
		return !f.holds(n.Of, value)
	case *condition.Comparison:
		name, p, err := f.find(n.Property)
		if err != nil {
			return false
		}
		v := value(name)
		return v != nil && decide(p, n, v)
	}
	return false
}

// decide evaluates a comparison for a value.
func decide(p *flat.Property, c *condition.Comparison, v any) bool {
	is := func(i int, ok func(int) bool) bool {
		order, alike := order(p, v, c.Values[i])
		return alike && ok(order)
	}
	switch c.Op {
	case condition.Eq:
		return is(0, func(o int) bool { return o == 0 })
	case condition.Ne:
		return is(0, func(o int) bool { return o != 0 })
	case condition.Lt:
		return is(0, func(o int) bool { return o < 0 })
	case condition.Le:
		return is(0, func(o int) bool { return o <= 0 })
	case condition.Gt:
		return is(0, func(o int) bool { return o > 0 })
	case condition.Ge:
		return is(0, func(o int) bool { return o >= 0 })
	case condition.Between:
		return is(0, func(o int) bool { return o >= 0 }) && is(1, func(o int) bool { return o <= 0 })
	case condition.In:
		for i := range c.Values {
			if is(i, func(o int) bool { return o == 0 }) {
				return true
			}
		}
		return false
	case condition.Exists:
		return true
	}
	text, ok := v.(string)
	part, isText := c.Values[0].(string)
	if !ok || !isText {
		return false
	}
	switch c.Op {
	case condition.EqFold:
		return strings.EqualFold(text, part)
	case condition.StartsWith:
		return strings.HasPrefix(text, part)
	case condition.EndsWith:
		return strings.HasSuffix(text, part)
	case condition.Contains:
		return strings.Contains(text, part)
	}
	return false
}

// order compares a stored value with the value of a condition. It returns false if their kinds
// differ.
func order(p *flat.Property, stored, v any) (int, bool) {
	switch v := v.(type) {
	case string:
		s, ok := stored.(string)
		if p.UUID {
			return strings.Compare(strings.ToLower(s), strings.ToLower(v)), ok
		}
		return strings.Compare(s, v), ok
	case bool:
		s, ok := stored.(bool)
		switch {
		case s == v:
			return 0, ok
		case v:
			return -1, ok
		}
		return 1, ok
	case time.Time:
		s, ok := stored.(time.Time)
		return s.Compare(v), ok
	case []byte:
		s, ok := stored.([]byte)
		return bytes.Compare(s, v), ok
	case int64:
		switch s := stored.(type) {
		case int64:
			return cmp.Compare(s, v), true
		case float64:
			return cmp.Compare(s, float64(v)), !math.IsNaN(s)
		}
	case uint64:
		switch s := stored.(type) {
		case int64:
			if s < 0 || v > math.MaxInt64 {
				return -1, true
			}
			return cmp.Compare(s, int64(v)), true
		case float64:
			return cmp.Compare(s, float64(v)), !math.IsNaN(s)
		}
	case float64:
		switch s := stored.(type) {
		case int64:
			return cmp.Compare(float64(s), v), !math.IsNaN(v)
		case float64:
			return cmp.Compare(s, v), !math.IsNaN(s) && !math.IsNaN(v)
		}
	}
	return 0, false
}
