package conformance

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Compare returns [Repository].Compare for generated fields, by the names in [Properties]:
// EventFields.Text and so on. It returns false for a comparison for which the field has no method.
func Compare[P any](fields map[string]any) func(*condition.Comparison) (P, bool) {
	return func(c *condition.Comparison) (P, bool) {
		field := fields[c.Property]
		if len(c.Values) == 0 {
			if f, ok := field.(interface{ HasValue() P }); ok && c.Op == condition.Exists {
				return f.HasValue(), true
			}
			var none P
			return none, false
		}
		switch c.Values[0].(type) {
		case string:
			return compare[P, string](field, c)
		case int64:
			return compare[P, int64](field, c)
		case float64:
			return compare[P, float64](field, c)
		case bool:
			return compare[P, bool](field, c)
		case time.Time:
			return compare[P, time.Time](field, c)
		}
		var none P
		return none, false
	}
}

// compare calls the method of a field for a comparison with values of type V.
func compare[P, V any](field any, c *condition.Comparison) (p P, ok bool) {
	values := make([]V, len(c.Values))
	for i, v := range c.Values {
		values[i] = v.(V)
	}
	one := func(f func(V) P) (P, bool) { return f(values[0]), true }
	switch c.Op {
	case condition.Eq:
		if f, ok := field.(interface{ Eq(V) P }); ok {
			return one(f.Eq)
		}
	case condition.Ne:
		if f, ok := field.(interface{ Ne(V) P }); ok {
			return one(f.Ne)
		}
	case condition.Lt:
		if f, ok := field.(interface{ Lt(V) P }); ok {
			return one(f.Lt)
		}
		if f, ok := field.(interface{ Before(V) P }); ok {
			return one(f.Before)
		}
	case condition.Le:
		if f, ok := field.(interface{ Le(V) P }); ok {
			return one(f.Le)
		}
	case condition.Gt:
		if f, ok := field.(interface{ Gt(V) P }); ok {
			return one(f.Gt)
		}
		if f, ok := field.(interface{ After(V) P }); ok {
			return one(f.After)
		}
	case condition.Ge:
		if f, ok := field.(interface{ Ge(V) P }); ok {
			return one(f.Ge)
		}
	case condition.EqFold:
		if f, ok := field.(interface{ EqualFold(V) P }); ok {
			return one(f.EqualFold)
		}
	case condition.StartsWith:
		return textual(field, c, func(f interface{ StartsWith(string) P }) func(string) P { return f.StartsWith })
	case condition.EndsWith:
		return textual(field, c, func(f interface{ EndsWith(string) P }) func(string) P { return f.EndsWith })
	case condition.Contains:
		return textual(field, c, func(f interface{ Contains(string) P }) func(string) P { return f.Contains })
	case condition.Between:
		if f, ok := field.(interface{ Between(a, b V) P }); ok {
			return f.Between(values[0], values[1]), true
		}
	case condition.In:
		if f, ok := field.(interface{ In(...V) P }); ok {
			return f.In(values...), true
		}
	}
	return p, false
}

// textual calls a method that takes a text.
func textual[P, F any](field any, c *condition.Comparison, method func(F) func(string) P) (p P, ok bool) {
	f, ok := field.(F)
	text, isText := c.Values[0].(string)
	if !ok || !isText {
		return p, false
	}
	return method(f)(text), true
}
