package lists

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A rule is a predicate on values of type D, which are documents or elements, and its meaning: for
// their JSON, and for their Go values.
type rule[D any] struct {
	predicate repository.Predicate[D]
	ofJSON    func(any) bool
	inGo      func(*D) bool // nil for an element that is a nil pointer
}

// maker makes a random rule.
type maker[D any] func(*rand.Rand) rule[D]

// absent is the value of a property that JSON lacks.
type absent struct{}

// at returns the value at a path of JSON.
func at(v any, path ...string) any {
	for _, name := range path {
		object, _ := v.(map[string]any)
		inner, ok := object[name]
		if !ok {
			return absent{}
		}
		v = inner
	}
	return v
}

// access is how a field is reached in JSON and in Go. A nil pointer on the way leads to no value. If
// Go omits a zero, an absent property counts as zero where the path has an object after holder
// names.
type access[D, V any] struct {
	path    []string
	get     func(*D) (V, bool)
	omitted bool
	holder  int
}

// is returns a rule: a comparison of the values of one type of JSON.
func (a access[D, V]) is(p repository.Predicate[D], zero V, test func(V) bool) rule[D] {
	return rule[D]{
		p,
		func(v any) bool {
			raw := at(v, a.path...)
			if _, none := raw.(absent); none && a.omitted {
				_, object := at(v, a.path[:a.holder]...).(map[string]any)
				return object && test(zero)
			}
			value, ok := decoded[V](raw)
			return ok && test(value)
		},
		func(d *D) bool {
			if d == nil {
				return false
			}
			value, ok := a.get(d)
			return ok && test(value)
		},
	}
}

// decoded returns a value of JSON as one of type V, if it has that type in JSON.
func decoded[V any](raw any) (v V, ok bool) {
	if raw == nil || raw == (absent{}) {
		return v, false
	}
	text, err := json.Marshal(raw)
	return v, err == nil && json.Unmarshal(text, &v) == nil
}

func pick[V any](r *rand.Rand, values []V) V { return values[r.IntN(len(values))] }

// scalar is what fields of numbers, texts and times have in common.
type scalar[D, V any] interface {
	Eq(V) repository.Predicate[D]
	Ne(V) repository.Predicate[D]
	Lt(V) repository.Predicate[D]
	Le(V) repository.Predicate[D]
	Gt(V) repository.Predicate[D]
	Ge(V) repository.Predicate[D]
	Between(low, high V) repository.Predicate[D]
	In(...V) repository.Predicate[D]
}

// ordered makes rules about a field whose values have an order.
func ordered[D, V, W any](f scalar[D, V], a access[D, W], values []V, compare func(W, V) int) maker[D] {
	return func(r *rand.Rand) rule[D] {
		v, w := pick(r, values), pick(r, values)
		var zero W
		is := func(p repository.Predicate[D], test func(x W) bool) rule[D] { return a.is(p, zero, test) }
		switch r.IntN(8) {
		case 0:
			return is(f.Eq(v), func(x W) bool { return compare(x, v) == 0 })
		case 1:
			return is(f.Ne(v), func(x W) bool { return compare(x, v) != 0 })
		case 2:
			return is(f.Lt(v), func(x W) bool { return compare(x, v) < 0 })
		case 3:
			return is(f.Le(v), func(x W) bool { return compare(x, v) <= 0 })
		case 4:
			return is(f.Gt(v), func(x W) bool { return compare(x, v) > 0 })
		case 5:
			return is(f.Ge(v), func(x W) bool { return compare(x, v) >= 0 })
		case 6:
			return is(f.Between(v, w), func(x W) bool { return compare(x, v) >= 0 && compare(x, w) <= 0 })
		}
		list := []V{v, w}[:r.IntN(3)]
		return is(f.In(list...), func(x W) bool {
			return slices.ContainsFunc(list, func(y V) bool { return compare(x, y) == 0 })
		})
	}
}

// partOf makes rules about parts of texts.
func partOf[D any](f documents.String[D, string], a access[D, string]) maker[D] {
	return func(r *rand.Rand) rule[D] {
		v := pick(r, texts)
		switch r.IntN(4) {
		case 0:
			return a.is(f.StartsWith(v), "", func(x string) bool { return strings.HasPrefix(x, v) })
		case 1:
			return a.is(f.EndsWith(v), "", func(x string) bool { return strings.HasSuffix(x, v) })
		case 2:
			return a.is(f.Contains(v), "", func(x string) bool { return strings.Contains(x, v) })
		}
		return a.is(f.EqualFold(v), "", func(x string) bool { return strings.EqualFold(x, v) })
	}
}

// present makes rules about whether there is a value.
func present[D any](f documents.Field[D], has func() repository.Predicate[D], path []string, inGo func(*D) (defined, null bool)) maker[D] {
	return func(r *rand.Rand) rule[D] {
		of := func(d *D) (defined, null bool) {
			if d == nil {
				return false, false
			}
			return inGo(d)
		}
		switch r.IntN(3) {
		case 0:
			return rule[D]{repository.IsDefined(f), func(v any) bool { return at(v, path...) != absent{} }, func(d *D) bool { defined, _ := of(d); return defined }}
		case 1:
			return rule[D]{repository.IsNull(f), func(v any) bool { return at(v, path...) == nil }, func(d *D) bool { _, null := of(d); return null }}
		}
		return rule[D]{has(), func(v any) bool { x := at(v, path...); return x != absent{} && x != nil }, func(d *D) bool { defined, null := of(d); return defined && !null }}
	}
}

// joined makes rules that join others, depth times at most.
func joined[D any](makers []maker[D], depth int) maker[D] {
	return func(r *rand.Rand) rule[D] {
		if depth == 0 || r.IntN(3) == 0 {
			return pick(r, makers)(r)
		}
		inner := joined(makers, depth-1)
		if r.IntN(3) == 0 {
			x := inner(r)
			return rule[D]{repository.Not(x.predicate), func(v any) bool { return !x.ofJSON(v) }, func(d *D) bool { return !x.inGo(d) }}
		}
		all := make([]rule[D], r.IntN(4))
		for i := range all {
			all[i] = inner(r)
		}
		if r.IntN(2) == 0 {
			return rule[D]{repository.And(predicates(all)...), every(all).ofJSON, every(all).inGo}
		}
		return rule[D]{
			repository.Or(predicates(all)...),
			func(v any) bool { return slices.ContainsFunc(all, func(x rule[D]) bool { return x.ofJSON(v) }) },
			func(d *D) bool { return slices.ContainsFunc(all, func(x rule[D]) bool { return x.inGo(d) }) },
		}
	}
}

func predicates[D any](all []rule[D]) []repository.Predicate[D] {
	list := make([]repository.Predicate[D], len(all))
	for i, x := range all {
		list[i] = x.predicate
	}
	return list
}

// every is the rule that all the others hold. It has no predicate.
func every[D any](all []rule[D]) rule[D] {
	return rule[D]{
		ofJSON: func(v any) bool { return !slices.ContainsFunc(all, func(x rule[D]) bool { return !x.ofJSON(v) }) },
		inGo:   func(d *D) bool { return !slices.ContainsFunc(all, func(x rule[D]) bool { return !x.inGo(d) }) },
	}
}

// onList makes rules about a list and its elements.
func onList[D, V any](f documents.List[D, V], path []string, get func(*D) []*V, of maker[V]) maker[D] {
	elements := func(v any) []any { list, _ := at(v, path...).([]any); return list }
	own := func(d *D) []*V {
		if d == nil {
			return nil
		}
		return get(d)
	}
	return func(r *rand.Rand) rule[D] {
		all := make([]rule[V], r.IntN(3))
		for i := range all {
			all[i] = of(r)
		}
		both := every(all)
		switch r.IntN(5) {
		case 0, 1:
			return rule[D]{
				f.Any(predicates(all)...),
				func(v any) bool { return slices.ContainsFunc(elements(v), both.ofJSON) },
				func(d *D) bool { return slices.ContainsFunc(own(d), both.inGo) },
			}
		case 2:
			return rule[D]{
				f.All(predicates(all)...),
				func(v any) bool {
					return !slices.ContainsFunc(elements(v), func(e any) bool { return !both.ofJSON(e) })
				},
				func(d *D) bool { return !slices.ContainsFunc(own(d), func(e *V) bool { return !both.inGo(e) }) },
			}
		case 3:
			return rule[D]{f.IsEmpty(), func(v any) bool { return len(elements(v)) == 0 }, func(d *D) bool { return len(own(d)) == 0 }}
		}
		p, test := onLength(r, f.Len())
		return rule[D]{p, func(v any) bool { return test(len(elements(v))) }, func(d *D) bool { return test(len(own(d))) }}
	}
}

// onLength returns a predicate on the length of a list, and what it means.
func onLength[D any](r *rand.Rand, f documents.Length[D]) (repository.Predicate[D], func(int) bool) {
	n, m := r.IntN(5)-1, r.IntN(5)-1
	switch r.IntN(8) {
	case 0:
		return f.Eq(n), func(x int) bool { return x == n }
	case 1:
		return f.Ne(n), func(x int) bool { return x != n }
	case 2:
		return f.Lt(n), func(x int) bool { return x < n }
	case 3:
		return f.Le(n), func(x int) bool { return x <= n }
	case 4:
		return f.Gt(n), func(x int) bool { return x > n }
	case 5:
		return f.Ge(n), func(x int) bool { return x >= n }
	case 6:
		return f.Between(n, m), func(x int) bool { return n <= x && x <= m }
	}
	list := []int{n, m}[:r.IntN(3)]
	return f.In(list...), func(x int) bool { return slices.Contains(list, x) }
}
