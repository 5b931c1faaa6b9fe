package function

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// fullTextFunctions are the functions of full-text search that can be answered
// without an index. Ranking is not among them.
var fullTextFunctions = []*Function{
	{
		Name: "FULLTEXTCONTAINS", List: fullTextContains(every),
	},
	{
		Name: "FULLTEXTCONTAINSALL", List: fullTextContains(every),
	},
	{
		Name: "FULLTEXTCONTAINSANY", List: fullTextContains(some),
	},
}

// How many of several words a text has to hold.
const (
	every = true
	some  = false
)

// stopWords are the words that full-text indexes of English usually leave out.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and are as at be but by for if in into is it no not of on or such
		that the their then there these they this to was will with`) {
		words[w] = true
	}
	return words
}()

// fullTextContains finds whole words: each argument after the first is one. The service
// also cuts words to their stems and ignores frequent words (Microsoft's page "Full-text
// search in Azure Cosmos DB for NoSQL"), in a way that is not documented in detail. The
// evaluation fails where that decides: for stop words, and for a text that lacks the word
// but has another word with the same three first letters.
func fullTextContains(all bool) func(string, []value.Value) (value.Value, error) {
	return func(name string, args []value.Value) (value.Value, error) {
		for i := range args {
			if args[i].Kind() != value.String {
				return value.Value{}, nil
			}
		}
		held := words(args[0].Text())
		found, unsure := 0, error(nil)
		for i := range args[1:] {
			wanted := words(args[1+i].Text())
			if len(wanted) != 1 || stopWords[wanted[0]] {
				return value.Value{}, fmt.Errorf("%s takes one word here, which must not be a stop word such as %q", name, "the")
			}
			ok, similar := holds(held, wanted[0])
			switch {
			case ok:
				found++
			case similar != "":
				unsure = fmt.Errorf("%s: whether %q is a form of %q depends on the stemming of the service", name, similar, wanted[0])
			case all:
				return value.OfBool(false), nil
			}
		}
		switch {
		case found == len(args)-1 || !all && found > 0:
			return value.OfBool(true), nil
		case unsure != nil:
			return value.Value{}, unsure
		}
		return value.OfBool(false), nil
	}
}

// holds reports whether a word is among others, and else returns one that may be a form
// of it.
func holds(among []string, word string) (ok bool, similar string) {
	for _, w := range among {
		if w == word {
			return true, ""
		}
		if similar == "" && sameStart(w, word) {
			similar = w
		}
	}
	return false, similar
}

// words returns the runs of letters and digits of a text, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// sameStart reports whether two words begin with the same three letters.
func sameStart(a, b string) bool {
	x, y := []rune(a), []rune(b)
	return len(x) >= 3 && len(y) >= 3 && string(x[:3]) == string(y[:3])
}
