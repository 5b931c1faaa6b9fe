package repository

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// String is a field of documents of type D that holds a text of type V, or a
// pointer to one. The string is the property's JSON pointer, with a question mark
// before it if Go leaves an empty text out; see [Predicate].
//
// Eq, In, StartsWith and the comparisons of order go straight to a place in the index. EqualFold searches
// the index. Contains and EndsWith read all its texts, which costs more the more
// different texts there are; see "Index usage" on Microsoft's page "Overview of
// indexing in Azure Cosmos DB".
type String[D any, V ~string] string

// Eq holds where the text is v.
func (f String[D, V]) Eq(v V) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", v == "", v)
}

// Ne holds where there is a text other than v.
func (f String[D, V]) Ne(v V) Predicate[D] { return different[D](string(f), v) }

// Lt holds where the text is before v. Texts are ordered by their UTF-8 bytes, as in Go.
func (f String[D, V]) Lt(v V) Predicate[D] { return f.ordered("Lt", "$ < @", "" < v, v) }

// Le holds where the text is v or before it.
func (f String[D, V]) Le(v V) Predicate[D] { return f.ordered("Le", "$ <= @", true, v) }

// Gt holds where the text is after v.
func (f String[D, V]) Gt(v V) Predicate[D] { return f.ordered("Gt", "$ > @", false, v) }

// Ge holds where the text is v or after it.
func (f String[D, V]) Ge(v V) Predicate[D] { return f.ordered("Ge", "$ >= @", v == "", v) }

// Between holds where the text is from first to last, both included: nowhere if first is
// after last.
func (f String[D, V]) Between(first, last V) Predicate[D] {
	return f.ordered("Between", "$ BETWEEN @ AND @", first == "", first, last)
}

// In holds where the text is one of values, nowhere if there are none.
func (f String[D, V]) In(values ...V) Predicate[D] { return among[D](string(f), values) }

// EqualFold holds where the text is v in upper case, lower case or both. Beyond
// ASCII, the service decides which letters are pairs.
func (f String[D, V]) EqualFold(v V) Predicate[D] {
	return compareField[D](string(f), "EqualFold", "STRINGEQUALS($, @, true)", v == "", v)
}

// StartsWith holds where the text begins with prefix, which is valid UTF-8.
func (f String[D, V]) StartsWith(prefix string) Predicate[D] {
	return f.part("StartsWith", "STARTSWITH($, @)", prefix)
}

// EndsWith holds where the text ends with suffix, which is valid UTF-8.
func (f String[D, V]) EndsWith(suffix string) Predicate[D] {
	return f.part("EndsWith", "ENDSWITH($, @)", suffix)
}

// Contains holds where the text contains part, which is valid UTF-8.
func (f String[D, V]) Contains(part string) Predicate[D] {
	return f.part("Contains", "CONTAINS($, @)", part)
}

// IsDefined holds where the property is present, even as null.
func (f String[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f String[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts texts by their UTF-8 bytes, as Go does.
func (f String[D, V]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts texts by their UTF-8 bytes, the last first.
func (f String[D, V]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }

// ordered is compareField for the order of texts. It refuses a type that marshals as
// something else than a text, since Cosmos DB would order it differently, and a text that no
// document holds.
func (f String[D, V]) ordered(method, test string, zero bool, values ...V) Predicate[D] {
	for _, v := range values {
		if !utf8.ValidString(string(v)) {
			return fails[D](string(f), method, errNotUTF8)
		}
	}
	p := compareField[D](string(f), method, test, zero, values...)
	if c := comparison(p); c != nil && c.Typed != text.IsString {
		return fails[D](string(f), method, fmt.Errorf("%T is not a text in JSON, so the service cannot order it: use Eq or In", values[0]))
	}
	return p
}

var errNotUTF8 = errors.New("the text is not valid UTF-8, and documents are: cut texts between runes")

// part compares with a part of the text. Every text contains the empty text. No
// document contains half a rune, since JSON replaces it.
func (f String[D, V]) part(method, test, part string) Predicate[D] {
	switch {
	case part == "":
		return comparing[D](&predicate.Comparison{Field: string(f), Test: text.IsString + "($)", Zero: true})
	case !utf8.ValidString(part):
		return fails[D](string(f), method, errNotUTF8)
	}
	return compareField[D](string(f), method, test, false, part)
}

// Text is a field of documents of type D that holds a V, or a pointer to one. V
// writes itself as a text, by a MarshalText: a UUID, an address. The string is
// the property's JSON pointer, with a question mark before it if Go leaves the
// zero V out; see [Predicate].
//
// Queries compare the texts. Values that differ in Go and have one text are equal
// here. If V's MarshalJSON writes something else than a text, the query returns
// an error.
//
// Eq and In go straight to a place in the index. There is no order, because texts
// seldom sort as their values do. If they do, convert the field to a [String].
type Text[D any, V comparable] string

// Eq holds where the text is that of v.
func (f Text[D, V]) Eq(v V) Predicate[D] {
	var zero V
	return f.written("Eq", compareField[D](string(f), "Eq", "$ = @", v == zero, v))
}

// Ne holds where there is a text other than that of v.
func (f Text[D, V]) Ne(v V) Predicate[D] {
	return f.written("Ne", different[D](string(f), v))
}

// In holds where the text is that of one of the values, nowhere if there are
// none.
func (f Text[D, V]) In(values ...V) Predicate[D] {
	return f.written("In", among[D](string(f), values))
}

// IsDefined holds where the property is present, even as null.
func (f Text[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Text[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// written returns p, or an invalid predicate if V is not written as a text in
// JSON.
func (f Text[D, V]) written(method string, p Predicate[D]) Predicate[D] {
	if c := comparison(p); c != nil && c.Typed != text.IsString {
		var v V
		return fails[D](string(f), method, fmt.Errorf("%T is not a text in JSON: use WhereRaw", v))
	}
	return p
}
