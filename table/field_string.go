package table

import (
	"encoding"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// String is a field of documents of type D that holds a text of type V, or a pointer to
// one. The string is the property's name; see [Predicate].
//
// Texts are ordered by their UTF-8 bytes, as in Go. Services that order UTF-16 put emoji
// and other characters above U+FFFF before those from U+E000 to U+FFFF: where a query
// compares order between the two, it may leave documents out.
type String[D any, V ~string] string

// Eq holds where the text is v.
func (f String[D, V]) Eq(v V) Predicate[D] { return f.compare("Eq", condition.Eq, v) }

// Ne holds where there is a text other than v.
func (f String[D, V]) Ne(v V) Predicate[D] { return f.compare("Ne", condition.Ne, v) }

// Lt holds where the text is before v.
func (f String[D, V]) Lt(v V) Predicate[D] { return f.compare("Lt", condition.Lt, v) }

// Le holds where the text is v or before it.
func (f String[D, V]) Le(v V) Predicate[D] { return f.compare("Le", condition.Le, v) }

// Gt holds where the text is after v.
func (f String[D, V]) Gt(v V) Predicate[D] { return f.compare("Gt", condition.Gt, v) }

// Ge holds where the text is v or after it.
func (f String[D, V]) Ge(v V) Predicate[D] { return f.compare("Ge", condition.Ge, v) }

// Between holds where the text is from first to last, both included: nowhere if first is
// after last.
func (f String[D, V]) Between(first, last V) Predicate[D] {
	return f.compare("Between", condition.Between, first, last)
}

// In holds where the text is one of values, nowhere if there are none.
func (f String[D, V]) In(values ...V) Predicate[D] {
	return f.compare("In", condition.In, values...)
}

// StartsWith holds where the text begins with prefix.
func (f String[D, V]) StartsWith(prefix string) Predicate[D] {
	return f.compare("StartsWith", condition.StartsWith, V(prefix))
}

// Exists holds where there is a text.
func (f String[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

func (f String[D, V]) compare(method string, op condition.Op, values ...V) Predicate[D] {
	texts := make([]string, len(values)) // without the methods of V
	for i, v := range values {
		if texts[i] = string(v); !utf8.ValidString(texts[i]) {
			return fails[D](string(f), method, errors.New("the text is not valid UTF-8, and documents are: cut texts between runes"))
		}
	}
	return compare[D](string(f), method, op, texts...)
}

// Text is a field of documents of type D that holds a V, or a pointer to one. V writes
// itself as a text, by a MarshalText: a UUID, an address. The string is the property's
// name; see [Predicate].
//
// Queries compare the texts. Values that differ in Go and have one text are equal here.
// There is no order, because texts seldom sort as their values do. If they do, convert
// the field to a [String].
type Text[D any, V comparable] string

// Eq holds where the text is that of v.
func (f Text[D, V]) Eq(v V) Predicate[D] {
	return f.compare("Eq", condition.Eq, v)
}

// Ne holds where there is a text other than that of v.
func (f Text[D, V]) Ne(v V) Predicate[D] {
	return f.compare("Ne", condition.Ne, v)
}

// In holds where the text is that of one of the values, nowhere if there are none.
func (f Text[D, V]) In(values ...V) Predicate[D] {
	return f.compare("In", condition.In, values...)
}

// Exists holds where there is a text.
func (f Text[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

func (f Text[D, V]) compare(method string, op condition.Op, values ...V) Predicate[D] {
	texts := make([]string, len(values))
	for i := range values {
		m, ok := any(&values[i]).(encoding.TextMarshaler)
		if !ok {
			return fails[D](string(f), method, fmt.Errorf("%T has no MarshalText", values[i]))
		}
		text, err := m.MarshalText()
		if err != nil {
			return fails[D](string(f), method, err)
		}
		texts[i] = string(text)
	}
	return compare[D](string(f), method, op, texts...)
}
