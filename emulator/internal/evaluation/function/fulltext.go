package function

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// fullTextFunctions are the functions of full-text search that need no index, and the function
// for the statistics of a ranking.
var fullTextFunctions = []*Function{
	{Name: "FULLTEXTCONTAINS", Search: fullTextContains(every)},
	{Name: "FULLTEXTCONTAINSALL", Search: fullTextContains(every)},
	{Name: "FULLTEXTCONTAINSANY", Search: fullTextContains(some)},
	{Name: "_FULLTEXTWORDCOUNT", Fixed: func(args [MaxFixed]value.Value) value.Value {
		if args[0].Kind() != value.String {
			return value.Value{}
		}
		n := 0
		for range words(args[0].Text()) {
			n++
		}
		return value.OfFloat(float64(n))
	}},
}

// The number of the given words that a text must contain.
const (
	every = true
	some  = false
)

// Search says how words are found in texts. The service also reduces words to their stems and
// ignores frequent words (Microsoft's page "Full-text search in Azure Cosmos DB for NoSQL").
// The details are not documented.
type Search struct {
	// WholeWords ignores stems. Without it, the evaluation fails if stems decide the result:
	// if a text has another word that begins with the same three letters.
	WholeWords bool
}

// stopWords are the words that full-text indexes of English usually omit.
var stopWords = func() map[string]bool {
	list := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and are as at be but by for if in into is it no not of on or such
		that the their then there these they this to was will with`) {
		list[w] = true
	}
	return list
}()

// Term reads a word of a search. It refuses a phrase and a stop word, because it is not
// documented whether the service finds them.
func Term(text string) (string, error) {
	list := slices.Collect(words(text))
	if len(list) != 1 || stopWords[list[0]] {
		return "", fmt.Errorf("%q is not one word, or it is a stop word such as %q", text, "the")
	}
	return list[0], nil
}

// fullTextContains finds words: each argument after the first is one.
func fullTextContains(all bool) func(Search, string, []value.Value) (value.Value, error) {
	return func(s Search, name string, args []value.Value) (value.Value, error) {
		for i := range args {
			if args[i].Kind() != value.String {
				return value.Value{}, nil
			}
		}
		found, unsure := 0, error(nil)
		for i := range args[1:] {
			wanted, err := Term(args[1+i].Text())
			if err != nil {
				return value.Value{}, fmt.Errorf("%s: %w", name, err)
			}
			ok, similar := s.holds(args[0].Text(), wanted)
			switch {
			case ok:
				found++
			case similar != "":
				unsure = stemsDecide(similar, wanted)
			case all:
				return value.OfBool(false), nil
			}
		}
		switch {
		case found == len(args)-1 || !all && found > 0:
			return value.OfBool(true), nil
		case unsure != nil:
			return value.Value{}, fmt.Errorf("%s: %w", name, unsure)
		}
		return value.OfBool(false), nil
	}
}

// stemsDecide is the error for a text that matches or not depending on the stems of words.
func stemsDecide(similar, wanted string) error {
	return fmt.Errorf("whether %q is a form of %q depends on the stemming of the service", similar, wanted)
}

// holds reports whether a text has a word. If not, similar is a word that may be a form of it.
func (s Search) holds(text, word string) (ok bool, similar string) {
	for w := range words(text) {
		if w == word {
			return true, ""
		}
		if similar == "" && s.mayBe(w, word) {
			similar = w
		}
	}
	return false, similar
}

// mayBe reports whether one of two words may be a form of the other: they begin with the same
// three letters, and have no digits, which stems keep.
func (s Search) mayBe(a, b string) bool {
	if s.WholeWords || len(a) < 3 || len(b) < 3 || a[0] != b[0] {
		return false
	}
	x, y := []rune(a), []rune(b)
	return len(x) >= 3 && len(y) >= 3 && slices.Equal(x[:3], y[:3]) && !slices.ContainsFunc(x, unicode.IsDigit) && !slices.ContainsFunc(y, unicode.IsDigit)
}

// words returns the runs of letters and digits of a text, in lower case.
func words(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// The constants of BM25. Microsoft does not publish the service's: these are the ones of
// Lucene (class BM25Similarity), which most search engines use.
const (
	saturation    = 1.2  // k1: how soon more occurrences of a word add no more
	normalization = 0.75 // b: how much long texts are penalized
)

// Relevance scores texts by BM25, with statistics of many texts.
type Relevance struct {
	words   []string
	weights []float64 // of the words
	average float64   // words of a text
}

// NewRelevance makes a score for words. documents is how many texts there are, total how
// many words they have, and hits how many texts have each of the words.
func NewRelevance(words []string, documents, total float64, hits []float64) *Relevance {
	r := &Relevance{words: words, average: total / documents}
	for _, n := range hits {
		n = min(max(n, 0), documents)
		// as in Lucene, the logarithm is never negative
		r.weights = append(r.weights, math.Log(1+(documents-n+0.5)/(n+0.5)))
	}
	return r
}

// Of scores a text. It fails if stems decide the score.
func (r *Relevance) Of(s Search, text string) (float64, error) {
	counts := make([]float64, len(r.words))
	length := 0.0
	for w := range words(text) {
		length++
		for i, wanted := range r.words {
			switch {
			case w == wanted:
				counts[i]++
			case s.mayBe(w, wanted):
				return 0, stemsDecide(w, wanted)
			}
		}
	}
	relative := 1.0
	if r.average > 0 {
		relative = length / r.average
	}
	score := 0.0
	for i, n := range counts {
		score += r.weights[i] * n * (saturation + 1) / (n + saturation*(1-normalization+normalization*relative))
	}
	return score, nil
}
