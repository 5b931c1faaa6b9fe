package function

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/value"
)

// fullTextFunctions are the functions of full-text search that can be answered
// without an index. Ranking is not among them.
var fullTextFunctions = []*Function{
	{
		Name: "FULLTEXTCONTAINS", Args: "text, word", Least: 2, Most: 2, List: fullTextContains,
		Help: "whether a text holds a word, ignoring case; an error where that would depend on stemming or on stop words",
	},
}

// stopWords are the words that full-text indexes of English usually leave out.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and are as at be but by for if in into is it no not of on or such
		that the their then there these they this to was will with`) {
		words[w] = true
	}
	return words
}()

// fullTextContains finds a whole word. The service also cuts words to their stems
// and ignores frequent words (Microsoft's page "Full-text search in Azure Cosmos DB
// for NoSQL"), in a way that is not documented in detail. The evaluation fails where
// that decides: for stop words, and for a text that lacks the word but has another
// word with the same three first letters.
func fullTextContains(_ string, args []value.Value) (value.Value, error) {
	if args[0].Kind() != value.String || args[1].Kind() != value.String {
		return value.Value{}, nil
	}
	wanted := words(args[1].Text())
	if len(wanted) != 1 || stopWords[wanted[0]] {
		return value.Value{}, fmt.Errorf("FULLTEXTCONTAINS takes one word here, which must not be a stop word such as %q", "the")
	}
	word, similar := wanted[0], ""
	for _, w := range words(args[0].Text()) {
		if w == word {
			return value.OfBool(true), nil
		}
		if similar == "" && sameStart(w, word) {
			similar = w
		}
	}
	if similar != "" {
		return value.Value{}, fmt.Errorf("FULLTEXTCONTAINS: whether %q is a form of %q depends on the stemming of the service", similar, word)
	}
	return value.OfBool(false), nil
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
