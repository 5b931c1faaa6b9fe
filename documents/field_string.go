package documents

import (
	"encoding"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// String is a field of documents of type D with a text of type V, or a pointer to one. The
// string is the property's path; see [Predicate].
//
// NoSQL, MongoDB and Go order texts by their UTF-8 bytes. A service that orders UTF-16 puts
// emoji and other characters above U+FFFF before those from U+E000 to U+FFFF. The API for
// Gremlin has no EqualFold: a query with it returns an error, and sends nothing.
//
// In NoSQL, Eq, In, StartsWith and the comparisons of order seek in the index. EqualFold scans
// the index. Contains and EndsWith read all its texts, at a cost that grows with the number of
// distinct texts; see "Index usage" on Microsoft's page "Overview of indexing in Azure Cosmos
// DB".
type String[D any, V ~string] string

// Eq holds where the text is v.
func (f String[D, V]) Eq(v V) Predicate[D] { return f.compare(condition.Eq, v == "", v) }

// Ne holds where there is a text other than v.
func (f String[D, V]) Ne(v V) Predicate[D] { return f.compare(condition.Ne, v != "", v) }

// Lt holds where the text is before v, in the service's order of texts.
func (f String[D, V]) Lt(v V) Predicate[D] { return f.compare(condition.Lt, v != "", v) }

// Le holds where the text is v or before it.
func (f String[D, V]) Le(v V) Predicate[D] { return f.compare(condition.Le, true, v) }

// Gt holds where the text is after v.
func (f String[D, V]) Gt(v V) Predicate[D] { return f.compare(condition.Gt, false, v) }

// Ge holds where the text is v or after it.
func (f String[D, V]) Ge(v V) Predicate[D] { return f.compare(condition.Ge, v == "", v) }

// Between holds where the text is from first to last, inclusive, and nowhere if first is after
// last.
func (f String[D, V]) Between(first, last V) Predicate[D] {
	return f.compare(condition.Between, first == "", first, last)
}

// In holds where the text is one of values, and nowhere if there are none.
func (f String[D, V]) In(values ...V) Predicate[D] {
	return f.compare(condition.In, slices.Contains(values, ""), values...)
}

// EqualFold holds where the text is v if the case of the letters A to Z is ignored. Other
// letters must be equal; in NoSQL the service decides which of them differ only in case.
func (f String[D, V]) EqualFold(v V) Predicate[D] {
	return f.compare(condition.EqFold, v == "", v)
}

// StartsWith holds where the text begins with prefix.
func (f String[D, V]) StartsWith(prefix string) Predicate[D] {
	return f.compare(condition.StartsWith, prefix == "", V(prefix))
}

// EndsWith holds where the text ends with suffix.
func (f String[D, V]) EndsWith(suffix string) Predicate[D] {
	return f.compare(condition.EndsWith, suffix == "", V(suffix))
}

// Contains holds where the text contains part.
func (f String[D, V]) Contains(part string) Predicate[D] {
	return f.compare(condition.Contains, part == "", V(part))
}

// HasValue holds where there is a text.
func (f String[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Asc sorts texts in the service's order. MongoDB sorts documents without one first.
func (f String[D, V]) Asc() Order[D] { return sorts[D](string(f), false, false) }

// Desc sorts texts in the reverse of the service's order. MongoDB sorts documents without one
// last.
func (f String[D, V]) Desc() Order[D] { return sorts[D](string(f), true, false) }

func (f String[D, V]) compare(op condition.Op, zero bool, values ...V) Predicate[D] {
	texts := make([]string, len(values)) // without the methods of V
	for i, v := range values {
		if texts[i] = string(v); !utf8.ValidString(texts[i]) {
			return fails[D](string(f), op, errNotUTF8)
		}
	}
	if op < condition.StartsWith && condition.IsPointer(string(f)) {
		return compare[D](string(f), op, zero, values...) // as they marshal themselves
	}
	return compare[D](string(f), op, zero, texts...)
}

var errNotUTF8 = errors.New("the text is not valid UTF-8, as documents must be: cut texts between runes")

// Text is a field of documents of type D with a V, or a pointer to one, where V marshals to a
// text by a MarshalText: a UUID, an address. The string is the property's path; see
// [Predicate].
//
// Queries compare the texts. Values that differ in Go but have the same text are equal here.
// There is no order, because texts seldom sort like their values. If they do, convert the field
// to a [String].
type Text[D any, V comparable] string

// Eq holds where the text is v's.
func (f Text[D, V]) Eq(v V) Predicate[D] {
	var zero V
	return f.compare(condition.Eq, v == zero, v)
}

// Ne holds where there is a text other than v's.
func (f Text[D, V]) Ne(v V) Predicate[D] {
	var zero V
	return f.compare(condition.Ne, v != zero, v)
}

// In holds where the text is that of one of values, and nowhere if there are none.
func (f Text[D, V]) In(values ...V) Predicate[D] {
	var zero V
	return f.compare(condition.In, slices.Contains(values, zero), values...)
}

// HasValue holds where there is a text.
func (f Text[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

func (f Text[D, V]) compare(op condition.Op, zero bool, values ...V) Predicate[D] {
	if condition.IsPointer(string(f)) {
		c := &condition.Comparison{Property: string(f), Op: op, Zero: zero, Text: true}
		for _, v := range values {
			if err := add(c, &v); err != nil {
				return fails[D](string(f), op, err)
			}
		}
		return Predicate[D]{c}
	}
	texts := make([]string, len(values))
	for i := range values {
		m, ok := any(&values[i]).(encoding.TextMarshaler)
		if !ok {
			return fails[D](string(f), op, fmt.Errorf("%T has no MarshalText", values[i]))
		}
		text, err := m.MarshalText()
		if err != nil {
			return fails[D](string(f), op, err)
		}
		texts[i] = string(text)
	}
	return compare[D](string(f), op, zero, texts...)
}
