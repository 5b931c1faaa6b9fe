package containers

import (
	"fmt"
	"slices"
	"strings"
)

// compareVectors compares the wanted vector policies and indexes, which are fixed when a container
// is created ("Vector search in Azure Cosmos DB for NoSQL").
func compareVectors(have, want *Properties) []Finding {
	if want.VectorEmbeddingPolicy == nil {
		return nil
	}
	var found []Finding
	differ := func(property, have, want string) {
		found = append(found, Finding{Difference: Difference{Property: property, Have: have, Want: want, Why: immutable}})
	}
	for _, wanted := range want.VectorEmbeddingPolicy.VectorEmbeddings {
		stored := "no vector at " + wanted.Path
		if have.VectorEmbeddingPolicy != nil {
			for _, e := range have.VectorEmbeddingPolicy.VectorEmbeddings {
				if samePath(e.Path, wanted.Path) {
					stored = embeddingText(e)
				}
			}
		}
		if !strings.EqualFold(stored, embeddingText(wanted)) {
			differ("vectorEmbeddingPolicy.vectorEmbeddings", stored, embeddingText(wanted))
		}
	}
	if want.IndexingPolicy == nil {
		return found
	}
	for _, wanted := range want.IndexingPolicy.VectorIndexes {
		stored := "no index of " + wanted.Path
		if have.IndexingPolicy != nil {
			for _, x := range have.IndexingPolicy.VectorIndexes {
				if samePath(x.Path, wanted.Path) {
					x.VectorTuning = x.like(wanted.VectorTuning)
					stored = vectorIndexText(x)
				}
			}
		}
		if !strings.EqualFold(stored, vectorIndexText(wanted)) {
			differ("indexingPolicy.vectorIndexes", stored, vectorIndexText(wanted))
		}
	}
	return found
}

func embeddingText(e VectorEmbedding) string {
	return fmt.Sprintf("%s of %d %s by %s", strings.ReplaceAll(e.Path, `"`, ""), e.Dimensions, e.DataType, e.DistanceFunction)
}

func vectorIndexText(x VectorIndex) string {
	return fmt.Sprintf("%s of %s%s", x.Type, strings.ReplaceAll(x.Path, `"`, ""), x.VectorTuning)
}

// compareFullText compares the wanted full-text policies and indexes. Missing ones can be added;
// the language of an existing path is not changed.
func compareFullText(have, want *Properties) []Finding {
	if want.FullTextPolicy == nil {
		return nil
	}
	var found []Finding
	for _, wanted := range want.FullTextPolicy.FullTextPaths {
		stored, language := false, ""
		if have.FullTextPolicy != nil {
			for _, x := range have.FullTextPolicy.FullTextPaths {
				if samePath(x.Path, wanted.Path) {
					stored, language = true, x.Language
				}
			}
			if stored && language == "" {
				language = have.FullTextPolicy.DefaultLanguage
			}
		}
		d := Difference{Property: "fullTextPolicy.fullTextPaths", Have: "no full text at " + wanted.Path, Want: wanted.Path + " in " + wanted.Language}
		switch {
		case !stored:
			d.Why = "queries for words read every document without it; " + inBackground
			found = append(found, Finding{d, func(p *Properties) {
				policy := FullTextPolicy{DefaultLanguage: want.FullTextPolicy.DefaultLanguage}
				if p.FullTextPolicy != nil {
					policy = *p.FullTextPolicy
				}
				policy.FullTextPaths = append(slices.Clip(policy.FullTextPaths), wanted)
				p.FullTextPolicy = &policy
			}})
		case !strings.EqualFold(language, wanted.Language):
			d.Have, d.Why = wanted.Path+" in "+language, "this would index every text again, and queries would find other words: change it by az, Bicep or in the portal"
			found = append(found, Finding{Difference: d})
		}
	}
	return append(found, compareTextIndexes(have, want)...)
}

func compareTextIndexes(have, want *Properties) []Finding {
	if want.IndexingPolicy == nil {
		return nil
	}
	var found []Finding
	for _, wanted := range want.IndexingPolicy.FullTextIndexes {
		same := func(x Path) bool { return samePath(x.Path, wanted.Path) }
		if have.IndexingPolicy != nil && slices.ContainsFunc(have.IndexingPolicy.FullTextIndexes, same) {
			continue
		}
		found = append(found, Finding{
			Difference{
				Property: "indexingPolicy.fullTextIndexes", Have: "no index of " + wanted.Path, Want: wanted.Path,
				Why: "queries for words read every document without it; " + inBackground,
			},
			func(p *Properties) {
				p.IndexingPolicy.FullTextIndexes = append(slices.Clip(p.IndexingPolicy.FullTextIndexes), wanted)
			},
		})
	}
	return found
}
