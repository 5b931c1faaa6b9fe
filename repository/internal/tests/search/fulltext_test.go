package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestFullText compares what queries for words find with the words of each document.
func TestFullText(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 5, 20}[:few(t)] {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			t.Parallel()
			articles := newArticles(t, partitions)
			ctx, random := t.Context(), rand.New(rand.NewPCG(7, uint64(partitions)))
			vocabulary := []string{"red", "Bicycle", "HOUSE", "büro", "7", "Straße"}
			all := map[string]values.Article{}
			for i := range 120 {
				a := values.Article{ID: fmt.Sprint(i), Site: fmt.Sprintf("site%d", i%17)}
				for range random.IntN(5) {
					a.Body += vocabulary[random.IntN(len(vocabulary))] + []string{" ", ", ", ".\n", " - "}[random.IntN(4)]
				}
				if err := articles.Create(ctx, &a); err != nil {
					t.Fatal(err)
				}
				all[a.ID] = a
			}
			body := documents.FullText[values.Article, string]{String: "?/body"}
			for range 12 {
				one, two := vocabulary[random.IntN(len(vocabulary))], strings.ToLower(vocabulary[random.IntN(len(vocabulary))])
				for name, test := range map[string]struct {
					asks  repository.Predicate[values.Article]
					holds func(words []string) bool
				}{
					"ContainsText " + one:            {body.ContainsText(one), has(one)},
					"ContainsAll " + one + " " + two: {body.ContainsAll(one, two), func(w []string) bool { return has(one)(w) && has(two)(w) }},
					"ContainsAny " + one + " " + two: {body.ContainsAny(one, two), func(w []string) bool { return has(one)(w) || has(two)(w) }},
					"Not ContainsText " + one:        {repository.Not(body.ContainsText(one)), func(w []string) bool { return !has(one)(w) }},
					"And of " + one + " and " + two:  {repository.And(body.ContainsText(one), body.ContainsText(two)), func(w []string) bool { return has(one)(w) && has(two)(w) }},
				} {
					found, err := articles.Scan().Where(test.asks).Collect(ctx)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					var want, got []string
					for id, a := range all {
						if test.holds(kit.WordsOf(a.Body)) {
							want = append(want, id)
						}
					}
					for _, a := range found {
						got = append(got, a.ID)
					}
					slices.Sort(want)
					if slices.Sort(got); !slices.Equal(got, want) {
						t.Fatalf("%s: %v, want %v", name, got, want)
					}
				}
			}
		})
	}
}

// has reports whether a text has a word.
func has(word string) func(words []string) bool {
	return func(words []string) bool { return slices.Contains(words, strings.ToLower(word)) }
}

// newArticles is an empty container of articles.
func newArticles(t *testing.T, partitions int) *repository.Documents[values.Article, values.ArticleKey] {
	t.Helper()
	account := harness.New(t, emulator.Options{Partitions: partitions}, repository.Configure(nil))
	container, err := admin.Ensure(t.Context(), account.DB, azcosmos.ContainerProperties{
		ID:                     "articles",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/site"}, Version: 2},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths:   []azcosmos.IncludedPath{{Path: "/*"}},
			FullTextIndexes: []azcosmos.FullTextIndex{{Path: "/body"}},
		},
		FullTextPolicy: &azcosmos.FullTextPolicy{DefaultLanguage: "en-US", FullTextPaths: []azcosmos.FullTextPath{{Path: "/body", Language: "en-US"}}},
	}, admin.Manual(400))
	if err != nil {
		t.Fatal(err)
	}
	return repository.New(container, values.ArticleModel)
}
