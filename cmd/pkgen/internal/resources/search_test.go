package resources

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestSearchPolicies looks for the policies and indexes of vectors and full text in each
// language.
func TestSearchPolicies(t *testing.T) {
	c := container{
		id: "pages", types: []string{"m.Page"}, kind: "Hash", paths: []string{"/id"},
		vectors: []templates.Vector{{Path: `/"my-v"`, DataType: "float32", Metric: "cosine", Index: "diskANN", Dimensions: 1536}},
		texts:   []templates.FullText{{Path: "/body", Language: "en-US"}},
	}
	for language, wants := range map[string][]string{
		Bicep: {
			"containers@2025-04-15'", `path: '/"my-v"/*'`, "vectorIndexes: [\n          {\n            path: '/\"my-v\"'\n            type: 'diskANN'",
			"fullTextIndexes: [\n          {\n            path: '/body'\n", "dataType: 'float32'\n            distanceFunction: 'cosine'\n            dimensions: 1536",
			"defaultLanguage: 'en-US'", "language: 'en-US'",
		},
		Terraform: {
			`resource "azapi_resource" "pages" {`, `containers@2025-04-15"`, `\"vectorIndexes\":[{\"path\":\"/\\\"my-v\\\"\",\"type\":\"diskANN\"}]`,
			`\"vectorEmbeddingPolicy\":{\"vectorEmbeddings\":[{`, `\"fullTextPolicy\":{\"defaultLanguage\":\"en-US\"`, `{ id = "pages" }`,
		},
		AzureCLI: {
			`--vector-embeddings '{"vectorEmbeddings":[{"path":"/\"my-v\"","dataType":"float32","distanceFunction":"cosine","dimensions":1536}]}'`,
			`--full-text-policy '{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/body","language":"en-US"}]}'`,
			`"excludedPaths":[{"path":"/\"_etag\"/?"},{"path":"/\"my-v\"/*"}]`, `"fullTextIndexes":[{"path":"/body"}]`,
		},
	} {
		got := text(language, []container{c})
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s:\n%s", language, want, got)
			}
		}
	}
}
