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

// TestTunedVectors looks for how the index of a vector is made in each language, and for a version
// of the resource types that knows it.
func TestTunedVectors(t *testing.T) {
	tuned := templates.Vector{
		Path: "/v", DataType: "float16", Metric: "cosine", Index: "diskANN", Dimensions: 1536,
		Quantizer: "product", QuantizationBytes: 96, SearchList: 200, ShardKey: "/tenantId",
	}
	plain := templates.Vector{Path: "/w", DataType: "float32", Metric: "cosine", Index: "flat", Dimensions: 3}
	c := container{id: "pages", types: []string{"m.Page"}, kind: "Hash", paths: []string{"/id"}, vectors: []templates.Vector{tuned, plain}}
	const json = `"quantizerType":"product","quantizationByteSize":96,"indexingSearchListSize":200,"vectorIndexShardKey":["/tenantId"]`
	for language, wants := range map[string][]string{
		Bicep: {
			"containers@2025-11-01-preview'", "dataType: 'float16'",
			"            type: 'diskANN'\n            quantizerType: 'product'\n            quantizationByteSize: 96\n            indexingSearchListSize: 200\n            vectorIndexShardKey: [\n              '/tenantId'\n            ]\n          }\n",
			"            path: '/w'\n            type: 'flat'\n          }\n",
		},
		Terraform: {`containers@2025-11-01-preview"`, strings.ReplaceAll(json, `"`, `\"`), `{\"path\":\"/w\",\"type\":\"flat\"}`, "schema_validation_enabled = false"},
		AzureCLI:  {json, `{"path":"/w","type":"flat"}`},
	} {
		got := text(language, []container{c})
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s:\n%s", language, want, got)
			}
		}
	}
	for dataType, want := range map[string]string{"float16": tunedVersion, "float32": searchVersion} {
		c.vectors = []templates.Vector{{Path: "/v", DataType: dataType, Metric: "cosine", Index: "flat", Dimensions: 3}}
		if got := text(Bicep, []container{c}); !strings.Contains(got, "containers@"+want+"'") {
			t.Errorf("%s: no version %s in\n%s", dataType, want, got)
		}
		if got := text(Terraform, []container{c}); strings.Contains(got, "schema_validation_enabled") {
			t.Errorf("%s: the schema knows it, and is not used:\n%s", dataType, got)
		}
	}
}
