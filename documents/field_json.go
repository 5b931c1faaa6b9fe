package documents

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// FullText is a field of documents of type D with a text of type V, or a pointer to one, that
// has a full-text index, in NoSQL. It has the methods of [String], and methods that find words
// by the index.
//
// The service divides texts into words, ignores case, and reduces words to their stems by the
// language of the field: "run" finds "running". It leaves out words that are in most texts,
// such as "the". Conditions do not rank documents; Score does.
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
	if err := checkWords(words); err != nil {
		return fails[D](string(f.String), op, err)
	}
	return compare[D](string(f.String), op, false, words...)
}

// checkWords returns an error if words are invalid.
func checkWords(words []string) error {
	if len(words) == 0 {
		return errors.New("there are no words: pass at least one")
	}
	for _, w := range words {
		if strings.TrimSpace(w) == "" || !utf8.ValidString(w) {
			return errors.New("a word is empty or not UTF-8: pass only words")
		}
	}
	return nil
}

// Score ranks documents by the words in the text, for repository.OrderByRank, by BM25. The
// score grows with each occurrence of a word, and is higher for rare words and short texts.
// The greatest score is the best. A text with none of the words has the score 0. It needs one
// or more words.
func (f FullText[D, V]) Score(words ...string) Score[D] {
	err := checkWords(words)
	return Score[D]{condition.Score{Property: string(f.String), Words: slices.Clone(words), Weight: 1, Err: err}}
}

// Map is a field of documents of type D with a map whose values are fields of kind F, in
// NoSQL: Map[D, Number[D, int]] is a map of int. The string is the property's JSON pointer;
// see [Predicate].
type Map[D any, F ~string] string

// Key returns the field of the value under a key, such as Counters.Key("starts").Gt(3). The
// key is spelled as in JSON. A key that is not in the map is an absent property, although Go's
// map would return zero.
func (f Map[D, F]) Key(key string) F {
	pointer := strings.TrimPrefix(string(f), condition.Element)
	if i := strings.IndexAny(pointer, "/<"); i > 0 {
		pointer = pointer[i:] // a missing map does not make a value zero
	}
	return F(pointer + jsonpointer.Of(key))
}

// HasValue holds where there is a map. A nil map is not a map.
func (f Map[D, F]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Object is a field of documents of type D with a struct, or a pointer to one, in NoSQL. The
// properties of the struct have their own fields. The string is the property's JSON pointer;
// see [Predicate].
type Object[D any] string

// HasValue holds where there is a struct. A nil pointer is not a struct.
func (f Object[D]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Component are the Go types of the numbers in vectors.
type Component interface {
	~float32 | ~float64 | ~int8 | ~uint8
}

// Vector is a field of documents of type D with a vector of E, in NoSQL, for
// repository.Nearest and repository.OrderByRank. The string is the number of dimensions, the
// metric and the property's JSON pointer, such as 1536,cosine/embedding.
type Vector[D any, E Component] string

// HasValue holds where there is a vector. A nil slice is not a vector.
func (f Vector[D, E]) HasValue() Predicate[D] { return hasValue[D](f.pointer()) }

// Distance ranks documents by the distance of their vectors from a vector, for
// repository.OrderByRank, which combines it with other scores.
func (f Vector[D, E]) Distance(to []E) Score[D] {
	bits := 64
	if reflect.TypeFor[E]().Kind() == reflect.Float32 {
		bits = 32
	}
	numbers := make([]float64, len(to))
	for i, x := range to {
		numbers[i] = float64(x)
	}
	return Score[D]{condition.Score{Property: string(f), Vector: numbers, Bits: bits, Weight: 1}}
}

// Score is a score by which repository.OrderByRank ranks documents of type D: the words in a
// text ([FullText.Score]), or the distance of a vector ([Vector.Distance]). A score of another
// document type does not compile.
//
// A Score is an immutable value. If it is invalid, the query returns the error.
type Score[D any] struct{ score condition.Score }

// Weight returns s with a weight among the scores of a query. The default is 1; a score of
// weight 2 counts twice. The weight must be greater than 0.
func (s Score[D]) Weight(w float64) Score[D] {
	if !(w > 0) || math.IsInf(w, 1) {
		s.score.Err = cmp.Or(s.score.Err, fmt.Errorf("the weight %v of a score is not a finite number greater than 0", w))
	}
	s.score.Weight = w
	return s
}

// Node returns the content of s, for the packages of the APIs.
func (s Score[D]) Node() condition.Score { return s.score }

// pointer is the JSON pointer of the property.
func (f Vector[D, E]) pointer() string { return string(f)[max(0, strings.IndexByte(string(f), '/')):] }
