package repository

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Valued is a field of documents of type D that holds a value of type V: a
// [Number], a [String], a [FullText], a [Text], a [Bool] or an [Instant]. No other types
// implement it.
type Valued[D, V any] interface {
	// of returns the field. Its parameters are for type inference alone.
	of(D, V) string
}

func (f Number[D, V]) of(D, V) string  { return string(f) }
func (f String[D, V]) of(D, V) string  { return string(f) }
func (f Text[D, V]) of(D, V) string    { return string(f) }
func (f Bool[D, V]) of(D, V) string    { return string(f) }
func (f Instant[D]) of(D, Time) string { return string(f) }

// valuedField is a field in terms of SQL, for aggregates and for Values. As with
// predicates, a document has a value if the property has the type that V has in
// JSON, or if Go has left a zero out.
type valuedField struct {
	property string
	typed    string // the SQL function that recognizes values of V's type
	omitted  bool   // whether an absent property counts as zero
	where    string // holds for the documents that have a value
	zero     []byte // JSON of V's zero value
}

func fieldOf[D, V any](f Valued[D, V]) (valuedField, error) {
	var document D
	var zero V
	p, err := text.ParseField(f.of(document, zero))
	if err != nil {
		return valuedField{}, err
	}
	if p.Aliases != nil {
		return valuedField{}, fmt.Errorf("field %s: %w", p.Property, text.ErrRenamed)
	}
	field := valuedField{property: p.Property, omitted: p.Omitted}
	if field.zero, field.typed, err = predicate.Encode(&zero); err != nil {
		return valuedField{}, fmt.Errorf("field %s: %w", p.Property, err)
	}
	field.where = field.typed + "(" + p.Property + ")"
	if p.Omitted {
		field.where += " OR " + p.Absent()
	}
	return field, nil
}

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
	if c := comparison(p); c != nil && c.Typed != text.IsNumber {
		return fails[D](string(f), method,
			fmt.Errorf("%T is not a number in JSON, so the service cannot order it: use Eq or In", values[0]))
	}
	return p
}

// Bool is a field of documents of type D that holds a bool of type V, or a
// pointer to one. The string is the property's JSON pointer, with a question mark
// before it if Go leaves false out; see [Predicate].
type Bool[D any, V ~bool] string

// Eq holds where the value is v.
func (f Bool[D, V]) Eq(v V) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", !bool(v), v)
}

// Ne holds where there is a value other than v.
func (f Bool[D, V]) Ne(v V) Predicate[D] { return different[D](string(f), v) }

// IsDefined holds where the property is present, even as null.
func (f Bool[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Bool[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts false first.
func (f Bool[D, V]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts true first.
func (f Bool[D, V]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }

// Instant is a field of documents of type D that holds a [Time], or a pointer to
// one. The string is the property's JSON pointer, with a question mark before it
// if Go leaves the zero Time out; see [Predicate]. A field of type time.Time is
// [Opaque].
type Instant[D any] string

// Eq holds where the time is t.
func (f Instant[D]) Eq(t Time) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", t.IsZero(), t)
}

// Ne holds where there is a time other than t.
func (f Instant[D]) Ne(t Time) Predicate[D] { return different[D](string(f), t) }

// Lt holds where the time is before t.
func (f Instant[D]) Lt(t Time) Predicate[D] {
	return compareField[D](string(f), "Lt", "$ < @", Time{}.Compare(t) < 0, t)
}

// Le holds where the time is t or before it.
func (f Instant[D]) Le(t Time) Predicate[D] {
	return compareField[D](string(f), "Le", "$ <= @", Time{}.Compare(t) <= 0, t)
}

// Gt holds where the time is after t.
func (f Instant[D]) Gt(t Time) Predicate[D] {
	return compareField[D](string(f), "Gt", "$ > @", Time{}.Compare(t) > 0, t)
}

// Ge holds where the time is t or after it.
func (f Instant[D]) Ge(t Time) Predicate[D] {
	return compareField[D](string(f), "Ge", "$ >= @", Time{}.Compare(t) >= 0, t)
}

// Between holds where the time is from first to last, both included: nowhere if
// first is after last.
func (f Instant[D]) Between(first, last Time) Predicate[D] {
	zero := first.Compare(Time{}) <= 0 && Time{}.Compare(last) <= 0
	return compareField[D](string(f), "Between", "$ BETWEEN @ AND @", zero, first, last)
}

// In holds where the time is one of times, nowhere if there are none.
func (f Instant[D]) In(times ...Time) Predicate[D] { return among[D](string(f), times) }

// IsDefined holds where the property is present, even as null.
func (f Instant[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Instant[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts the earliest time first.
func (f Instant[D]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts the latest time first.
func (f Instant[D]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }

// List is a field of documents of type D that holds a slice or array of V. The
// string is the property's JSON pointer; see [Predicate]. A []byte is not a list:
// JSON writes it as text, and its field is [Opaque].
type List[D, V any] string

// Contains holds where an element of the list is v. Both are compared as JSON,
// where the order of an object's properties does not matter.
func (f List[D, V]) Contains(v V) Predicate[D] {
	data, _, err := predicate.Encode(&v)
	if err != nil {
		return fails[D](string(f), "Contains", err)
	}
	return comparing[D](&predicate.Comparison{
		Field: string(f), Test: "ARRAY_CONTAINS($, @)", Typed: text.IsArray, Values: []json.RawMessage{data},
	})
}

// IsEmpty holds where the list has no element. A list that is null or absent has
// none: Go writes a nil slice so.
func (f List[D, V]) IsEmpty() Predicate[D] { return testOf[D](string(f), "NOT IS_DEFINED($[0])") }

// IsDefined holds where the property is there, be it null.
func (f List[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil slice.
func (f List[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Map is a field of documents of type D that holds a map whose values are fields
// of kind F: Map[D, Number[D, int]] is a map of int. The string is the
// property's JSON pointer; see [Predicate].
type Map[D any, F ~string] string

// Key returns the field of the value under a key, such as
// Counters.Key("starts").Gt(3). The key is spelled as in JSON. A key that is not
// in the map is an absent property, although Go's map would return zero.
func (f Map[D, F]) Key(key string) F {
	pointer := string(f)
	if i := strings.IndexAny(pointer, "/<"); i > 0 {
		pointer = pointer[i:] // a value is not zero because the map was left out
	}
	return F(pointer + "/" + text.Escape(key))
}

// IsDefined holds where the property is there, be it null.
func (f Map[D, F]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil map.
func (f Map[D, F]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Object is a field of documents of type D that holds a struct, or a pointer to
// one. The properties of the struct have fields of their own. The string is the
// property's JSON pointer; see [Predicate].
type Object[D any] string

// IsDefined holds where the property is there, be it null.
func (f Object[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil pointer.
func (f Object[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Opaque is a field of documents of type D whose values queries cannot compare.
// The string is the property's JSON pointer; see [Predicate].
//
// A time.Time is opaque: its text has as many digits of a second as it needs, and
// any offset. Comparing such texts does not compare the instants. Use [Time]
// instead. A []byte, an interface, and a type with a MarshalJSON and no
// MarshalText are opaque, too. [Query.WhereRaw] compares them in SQL.
type Opaque[D any] string

// IsDefined holds where the property is there, be it null.
func (f Opaque[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Opaque[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }
