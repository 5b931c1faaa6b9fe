package repository

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Numeric are the Go types that JSON writes as numbers.
type Numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

// Number is a field of documents of type D that holds a number of type V, or a
// pointer to one. The string is the property's JSON pointer, with a question mark
// before it if Go leaves a zero out; see [Predicate].
//
// JSON has no NaN and no infinities, and Cosmos DB keeps numbers as float64, in
// which integers beyond 2^53 may equal their neighbours. A query whose predicate
// compares with such a number returns an error.
type Number[D any, V Numeric] string

// Eq holds where the number is v.
func (f Number[D, V]) Eq(v V) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", v == 0, v)
}

// Ne holds where there is a number other than v.
func (f Number[D, V]) Ne(v V) Predicate[D] { return different[D](string(f), v) }

// Lt holds where the number is less than v.
func (f Number[D, V]) Lt(v V) Predicate[D] { return f.ordered("Lt", "$ < @", 0 < v, v) }

// Le holds where the number is v or less.
func (f Number[D, V]) Le(v V) Predicate[D] { return f.ordered("Le", "$ <= @", 0 <= v, v) }

// Gt holds where the number is greater than v.
func (f Number[D, V]) Gt(v V) Predicate[D] { return f.ordered("Gt", "$ > @", 0 > v, v) }

// Ge holds where the number is v or greater.
func (f Number[D, V]) Ge(v V) Predicate[D] { return f.ordered("Ge", "$ >= @", 0 >= v, v) }

// Between holds where the number is from low to high, both included: nowhere if
// low is greater than high.
func (f Number[D, V]) Between(low, high V) Predicate[D] {
	return f.ordered("Between", "$ BETWEEN @ AND @", low <= 0 && 0 <= high, low, high)
}

// In holds where the number is one of values, nowhere if there are none.
func (f Number[D, V]) In(values ...V) Predicate[D] { return among[D](string(f), values) }

// IsDefined holds where the property is present, even as null.
func (f Number[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Number[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts the smallest number first.
func (f Number[D, V]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts the greatest number first.
func (f Number[D, V]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }

// ordered is compareField for the order of numbers. It refuses a type that
// marshals as something else than a number, since Cosmos DB would order it
// differently.
func (f Number[D, V]) ordered(method, test string, zero bool, values ...V) Predicate[D] {
	p := compareField[D](string(f), method, test, zero, values...)
	if c, ok := p.condition.(*predicate.Comparison); ok && c.Typed != text.IsNumber {
		return fails[D](string(f), method,
			fmt.Errorf("%T is not a number in JSON, so the service cannot order it: use Eq or In", values[0]))
	}
	return p
}
