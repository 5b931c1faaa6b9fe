package documents

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// List is a field of documents of type D with a slice or array of V, in NoSQL. The string is
// the property's JSON pointer; see [Predicate]. A []byte is not a list: JSON writes it as text,
// and its field is [Opaque].
//
// A property that is absent, null or not a list has no elements, like a nil slice.
type List[D, V any] string

// Any holds where at least one element of the list fulfils all predicates. Without predicates
// it holds where the list has an element.
//
//	OrderFields.Lines.Any(LineFields.SKU.Eq("x"), LineFields.Count.Gt(2))
//
// The predicates are about elements: a predicate about documents does not compile here, nor one
// about elements in [Query.Where]. The word elements in the tag of the list's field makes pkgen
// write the fields of its elements. And, Or and Not join predicates about elements, and a list
// within an element has its own Any.
//
// A predicate has two outcomes for every element. An element that is null or not an object has
// no properties, and none of them counts as zero.
//
// The service evaluates one subquery, EXISTS, for each candidate document. A condition of a
// patch cannot have subqueries and is refused: use Contains, Len, or Update.
func (f List[D, V]) Any(predicates ...Predicate[V]) Predicate[D] {
	return Predicate[D]{condition.Elements{Property: string(f), Of: condition.All(Conditions(predicates))}}
}

// All holds where every element of the list fulfils all predicates, and so where the list has
// no elements: All(p) is Not(Any(Not(p))). In all else it is like [List.Any].
func (f List[D, V]) All(predicates ...Predicate[V]) Predicate[D] {
	return Predicate[D]{condition.Elements{Property: string(f), Every: true, Of: condition.All(Conditions(predicates))}}
}

// Contains holds where an element of the list equals v. Both are compared as JSON; the order of
// an object's properties does not matter.
func (f List[D, V]) Contains(v V) Predicate[D] {
	return compare[D](string(f), condition.HasElement, false, v)
}

// IsEmpty holds where the list has no element, or is null or absent, like a nil slice.
func (f List[D, V]) IsEmpty() Predicate[D] {
	return compare[D, string](string(f), condition.IsEmpty, false)
}

// HasValue holds where there is a list. A nil slice is not a list.
func (f List[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Len is the number of elements, as in Lines.Len().Gt(2).
func (f List[D, V]) Len() Length[D] { return Length[D](f) }

// Length is the number of elements of a [List] of documents of type D. It is 0 if there is no
// list.
type Length[D any] string

// Eq holds where the list has n elements.
func (f Length[D]) Eq(n int) Predicate[D] { return f.compare(condition.Eq, n == 0, n) }

// Ne holds where the number of elements is not n.
func (f Length[D]) Ne(n int) Predicate[D] { return f.compare(condition.Ne, n != 0, n) }

// Lt holds where the list has fewer than n elements.
func (f Length[D]) Lt(n int) Predicate[D] { return f.compare(condition.Lt, 0 < n, n) }

// Le holds where the list has n elements or fewer.
func (f Length[D]) Le(n int) Predicate[D] { return f.compare(condition.Le, 0 <= n, n) }

// Gt holds where the list has more than n elements.
func (f Length[D]) Gt(n int) Predicate[D] { return f.compare(condition.Gt, 0 > n, n) }

// Ge holds where the list has n elements or more.
func (f Length[D]) Ge(n int) Predicate[D] { return f.compare(condition.Ge, 0 >= n, n) }

// Between holds where the list has from low to high elements, inclusive, and nowhere if low is
// greater than high.
func (f Length[D]) Between(low, high int) Predicate[D] {
	return f.compare(condition.Between, low <= 0 && 0 <= high, low, high)
}

// In holds where the number of elements is one of numbers, and nowhere if there are none.
func (f Length[D]) In(numbers ...int) Predicate[D] {
	return f.compare(condition.In, slices.Contains(numbers, 0), numbers...)
}

func (f Length[D]) compare(op condition.Op, zero bool, numbers ...int) Predicate[D] {
	p := compare[D](string(f), op, zero, numbers...)
	if c, ok := p.node.(*condition.Comparison); ok {
		p.node = condition.Length{Of: c}
	}
	return p
}
