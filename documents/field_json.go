package documents

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// FullText is a field of documents of type D that holds a text of type V, or a pointer to
// one, with a full-text index, which NoSQL has. Besides the methods of [String] it has those
// that find words by the index.
//
// The service divides texts into words, in which case does not count, and brings them to their
// stems by the language of the field: "run" finds "running". It leaves out words that are in
// most texts, such as "the". The documents are not ranked: sort them, or compare vectors.
type FullText[D any, V ~string] struct{ String[D, V] }

// ContainsText holds where the text contains the word or the phrase.
func (f FullText[D, V]) ContainsText(text string) Predicate[D] {
	return f.words(condition.HasText, text)
}

// ContainsAll holds where the text contains all the words. It needs one or more.
func (f FullText[D, V]) ContainsAll(words ...string) Predicate[D] {
	return f.words(condition.HasAllWords, words...)
}

// ContainsAny holds where the text contains at least one of the words. It needs one or
// more.
func (f FullText[D, V]) ContainsAny(words ...string) Predicate[D] {
	return f.words(condition.HasSomeWord, words...)
}

func (f FullText[D, V]) words(op condition.Op, words ...string) Predicate[D] {
	if len(words) == 0 {
		return fails[D](string(f.String), op, errors.New("there are no words: pass at least one"))
	}
	for _, w := range words {
		if strings.TrimSpace(w) == "" || !utf8.ValidString(w) {
			return fails[D](string(f.String), op, errors.New("a word is empty or not UTF-8: pass words alone"))
		}
	}
	return compare[D](string(f.String), op, false, words...)
}

// Map is a field of documents of type D that holds a map whose values are fields
// of kind F, in NoSQL: Map[D, Number[D, int]] is a map of int. The string is the
// property's JSON pointer; see [Predicate].
type Map[D any, F ~string] string

// Key returns the field of the value under a key, such as
// Counters.Key("starts").Gt(3). The key is spelled as in JSON. A key that is not
// in the map is an absent property, although Go's map would return zero.
func (f Map[D, F]) Key(key string) F {
	pointer := strings.TrimPrefix(string(f), condition.Element)
	if i := strings.IndexAny(pointer, "/<"); i > 0 {
		pointer = pointer[i:] // a value is not zero because the map was left out
	}
	return F(pointer + jsonpointer.Of(key))
}

// HasValue holds where there is a map. A nil map is not one.
func (f Map[D, F]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Object is a field of documents of type D that holds a struct, or a pointer to
// one, in NoSQL. The properties of the struct have fields of their own. The string is the
// property's JSON pointer; see [Predicate].
type Object[D any] string

// HasValue holds where there is a struct. A nil pointer is not one.
func (f Object[D]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Component are the Go types of the numbers in vectors.
type Component interface {
	~float32 | ~float64 | ~int8 | ~uint8
}

// Vector is a field of documents of type D that holds a vector of E, in NoSQL, for
// repository.Nearest. The string is the number of dimensions, the metric and the property's
// JSON pointer, such as 1536,cosine/embedding.
type Vector[D any, E Component] string

// HasValue holds where there is a vector. A nil slice is not one.
func (f Vector[D, E]) HasValue() Predicate[D] { return hasValue[D](f.pointer()) }

// pointer is the JSON pointer of the property.
func (f Vector[D, E]) pointer() string { return string(f)[max(0, strings.IndexByte(string(f), '/')):] }
