package kit

import (
	"math"
	"strings"
	"unicode"
)

// BM25 scores texts by words, by looking at all texts ("Full-text search in Azure Cosmos DB").
type BM25 struct {
	weights map[string]float64
	average float64
	words   []string
}

// Constants of BM25 as Lucene's BM25Similarity has them.
const saturation, normalization = 1.2, 0.75

// NewBM25 counts words in the texts of documents; "" is a document without a text.
func NewBM25(texts []string, words ...string) *BM25 {
	total, hits := 0, map[string]int{}
	for _, text := range texts {
		found := map[string]bool{}
		for _, w := range WordsOf(text) {
			total++
			found[w] = true
		}
		for w := range found {
			hits[w]++
		}
	}
	b := &BM25{weights: map[string]float64{}, average: float64(total) / float64(len(texts)), words: words}
	for _, w := range words {
		n := float64(hits[strings.ToLower(w)])
		b.weights[w] = math.Log(1 + (float64(len(texts))-n+0.5)/(n+0.5))
	}
	return b
}

// Of is the score of a text.
func (b *BM25) Of(text string) float64 {
	all := WordsOf(text)
	score := 0.0
	for _, w := range b.words {
		n := 0.0
		for _, other := range all {
			if other == strings.ToLower(w) {
				n++
			}
		}
		score += b.weights[w] * n * (saturation + 1) / (n + saturation*(1-normalization+normalization*float64(len(all))/b.average))
	}
	return score
}

// WordsOf divides a text into words.
func WordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
