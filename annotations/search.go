package annotations

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Limits of vectors: "Vector search in Azure Cosmos DB for NoSQL".
const (
	maxDimensions     = 4096
	maxFlatDimensions = 505 // of a flat index
)

// Flat is the vector index that is exact.
const Flat = "flat"

// The metrics of vectors, and their indexes, as policies write them.
var (
	metrics       = []string{"cosine", "dotproduct", "euclidean"}
	vectorIndexes = []string{Flat, "quantizedFlat", "diskANN"}
)

// Reasons that the words of search share.
const (
	whyMetric    = "it says how vectors are compared; write \"vector=1536,cosine,index=diskANN\""
	whyOneMetric = "a property has one metric; keep one of \"cosine\", \"dotproduct\" and \"euclidean\""
	whyVector    = "it is about a vector; write \"vector=1536,cosine,index=diskANN\""
	whyIndex     = "name the index: flat, which is exact and ends at 505 dimensions, quantizedFlat or diskANN"
	whyNotText   = "a property has one policy; a vector is a list of numbers, and a text a string"
)

// dimensions reads the length of vectors.
func dimensions(v span) (int, *Error) {
	n, ok := counted(v.text, maxDimensions)
	if !ok {
		return 0, v.errorf("%q is not a number of dimensions: vectors have 1 to %d; write how many the model gives, in digits", v.text, maxDimensions)
	}
	return n, nil
}

// vectorIndex reads the type of a vector index.
func vectorIndex(v span) (string, *Error) {
	if slices.Contains(vectorIndexes, v.text) {
		return v.text, nil
	}
	if near := spelling.Nearest(v.text, vectorIndexes); near != "" {
		return "", v.misspelt("vector index", near)
	}
	return "", v.errorf("unknown vector index %q: write flat, which is exact and ends at %d dimensions, quantizedFlat or diskANN", v.text, maxFlatDimensions)
}

// language reads a language: two small letters, and two large ones for a region.
func language(v span) (string, *Error) {
	within := func(text, letters string) bool { return len(text) == 2 && strings.Trim(text, letters) == "" }
	small, large, _ := strings.Cut(v.text, "-")
	if !within(small, "abcdefghijklmnopqrstuvwxyz") || !within(large, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return "", v.errorf("%q is not a language of full text: write it as en-US, de-DE, es-ES or fr-FR", v.text)
	}
	return v.text, nil
}

// setMetric returns the function that stores a metric.
func setMetric(name string) func(p *parser, _ span) {
	return func(p *parser, _ span) { p.field.Metric = name }
}

// search checks the words of a vector together.
func (p *parser) search() {
	if v, ok := p.value("index"); ok && p.field.Index == Flat && p.field.Dimensions > maxFlatDimensions {
		p.fail(v, "a flat index is for at most %d dimensions, and these vectors have %d: write \"index=quantizedFlat\" or \"index=diskANN\", which are approximate", maxFlatDimensions, p.field.Dimensions)
	}
}

// unknownMetric reports a word that a tag with a vector has in place of its metric, and
// whether it is one.
func (p *parser) unknownMetric(word span) bool {
	if p.place != OnField || !p.has([]string{"vector"}) || p.has(metrics) || spelling.Nearest(word.text, names(p.place)) != "" {
		return false
	}
	if _, err := strconv.Atoi(word.text); err == nil {
		return false
	}
	p.meant = append(p.meant, metrics[0])
	p.fail(word, "unknown metric %q: write cosine, dotproduct or euclidean, as the model says that makes the vectors", word.text)
	return true
}
