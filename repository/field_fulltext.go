package repository

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// FullText is a field of documents of type D that holds a text of type V, or a pointer to
// one, with a full-text index. The string is the property's JSON pointer, with a question
// mark before it if Go leaves an empty text out; see [Predicate].
//
// ContainsText, ContainsAll and ContainsAny find words by that index. The service divides
// texts into words, in which case does not count, and brings them to their stems by the
// language of the field: "run" finds "running". It leaves out words that are in most texts,
// such as "the". The documents are not ranked: sort them, or compare vectors by [Nearest].
// The other predicates are those of [String].
type FullText[D any, V ~string] string

// ContainsText holds where the text contains the word or the phrase.
func (f FullText[D, V]) ContainsText(text string) Predicate[D] {
	return f.words("ContainsText", "FullTextContains", text)
}

// ContainsAll holds where the text contains all the words. It needs one or more.
func (f FullText[D, V]) ContainsAll(words ...string) Predicate[D] {
	return f.words("ContainsAll", "FullTextContainsAll", words...)
}

// ContainsAny holds where the text contains at least one of the words. It needs one or
// more.
func (f FullText[D, V]) ContainsAny(words ...string) Predicate[D] {
	return f.words("ContainsAny", "FullTextContainsAny", words...)
}

// words asks for words by a function of the service.
func (f FullText[D, V]) words(method, function string, words ...string) Predicate[D] {
	if len(words) == 0 {
		return fails[D](string(f), method, errors.New("there are no words: pass at least one"))
	}
	for _, w := range words {
		if strings.TrimSpace(w) == "" || !utf8.ValidString(w) {
			return fails[D](string(f), method, errors.New("a word is empty or not UTF-8: pass words alone"))
		}
	}
	return compareField[D](string(f), method, function+"($"+strings.Repeat(", @", len(words))+")", false, words...)
}

func (f FullText[D, V]) of(D, V) string { return string(f) }

// Eq is that of [String].
func (f FullText[D, V]) Eq(v V) Predicate[D] { return String[D, V](f).Eq(v) }

// Ne is that of [String].
func (f FullText[D, V]) Ne(v V) Predicate[D] { return String[D, V](f).Ne(v) }

// In is that of [String].
func (f FullText[D, V]) In(values ...V) Predicate[D] { return String[D, V](f).In(values...) }

// EqualFold is that of [String].
func (f FullText[D, V]) EqualFold(v V) Predicate[D] { return String[D, V](f).EqualFold(v) }

// StartsWith is that of [String].
func (f FullText[D, V]) StartsWith(prefix string) Predicate[D] {
	return String[D, V](f).StartsWith(prefix)
}

// EndsWith is that of [String].
func (f FullText[D, V]) EndsWith(suffix string) Predicate[D] { return String[D, V](f).EndsWith(suffix) }

// Contains is that of [String]: it looks for a part of the text, letter by letter.
func (f FullText[D, V]) Contains(part string) Predicate[D] { return String[D, V](f).Contains(part) }

// IsDefined holds where the property is present, even as null.
func (f FullText[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f FullText[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts texts by their UTF-8 bytes, as Go does.
func (f FullText[D, V]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts texts by their UTF-8 bytes, the last first.
func (f FullText[D, V]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }
