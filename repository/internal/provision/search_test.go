package provision

import (
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// searching is a container with a vector and a text.
func searching() *azcosmos.ContainerProperties {
	return &azcosmos.ContainerProperties{
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic:       true,
			VectorIndexes:   []azcosmos.VectorIndex{{Path: "/v", Type: azcosmos.VectorIndexTypeDiskANN}},
			FullTextIndexes: []azcosmos.FullTextIndex{{Path: "/body"}},
		},
		VectorEmbeddingPolicy: &azcosmos.VectorEmbeddingPolicy{VectorEmbeddings: []azcosmos.VectorEmbedding{
			{Path: "/v", DataType: azcosmos.VectorDataTypeFloat32, DistanceFunction: azcosmos.VectorDistanceFunctionCosine, Dimensions: 3},
		}},
		FullTextPolicy: &azcosmos.FullTextPolicy{
			DefaultLanguage: "en-US",
			FullTextPaths:   []azcosmos.FullTextPath{{Path: "/body", Language: "en-US"}},
		},
	}
}

// TestSearchDifferences changes a container in one way, and expects the difference that
// Ensure names. What can be fixed is, and then there is none.
func TestSearchDifferences(t *testing.T) {
	t.Parallel()
	const vectors, indexes, texts, textIndexes = "vectorEmbeddingPolicy.vectorEmbeddings", "indexingPolicy.vectorIndexes", "fullTextPolicy.fullTextPaths", "indexingPolicy.fullTextIndexes"
	for name, test := range map[string]struct {
		change     func(*azcosmos.ContainerProperties)
		property   string // "" for no difference
		have, want string
		fixable    bool
	}{
		"as wanted":    {func(*azcosmos.ContainerProperties) {}, "", "", "", false},
		"quoted":       {func(p *azcosmos.ContainerProperties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Path = `/"v"` }, "", "", "", false},
		"more vectors": {func(p *azcosmos.ContainerProperties) { addVector(p) }, "", "", "", false},
		"no policy":    {func(p *azcosmos.ContainerProperties) { p.VectorEmbeddingPolicy = nil }, vectors, "no vector at /v", "/v of 3 float32 by cosine", false},
		"another path": {func(p *azcosmos.ContainerProperties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Path = "/w" }, vectors, "no vector at /v", "/v of 3", false},
		"dimensions":   {func(p *azcosmos.ContainerProperties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Dimensions = 4 }, vectors, "/v of 4 float32 by cosine", "/v of 3", false},
		"metric": {func(p *azcosmos.ContainerProperties) {
			p.VectorEmbeddingPolicy.VectorEmbeddings[0].DistanceFunction = "euclidean"
		}, vectors, "by euclidean", "by cosine", false},
		"data type":     {func(p *azcosmos.ContainerProperties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].DataType = "int8" }, vectors, "3 int8", "3 float32", false},
		"no indexes":    {func(p *azcosmos.ContainerProperties) { p.IndexingPolicy.VectorIndexes = nil }, indexes, "no index of /v", "diskANN of /v", false},
		"another index": {func(p *azcosmos.ContainerProperties) { p.IndexingPolicy.VectorIndexes[0].Type = "flat" }, indexes, "flat of /v", "diskANN of /v", false},
		"no texts":      {func(p *azcosmos.ContainerProperties) { p.FullTextPolicy = nil }, texts, "no full text at /body", "/body in en-US", true},
		"another text":  {func(p *azcosmos.ContainerProperties) { p.FullTextPolicy.FullTextPaths[0].Path = "/title" }, texts, "no full text at /body", "/body in en-US", true},
		"language":      {func(p *azcosmos.ContainerProperties) { p.FullTextPolicy.FullTextPaths[0].Language = "de-DE" }, texts, "/body in de-DE", "/body in en-US", false},
		"by default":    {func(p *azcosmos.ContainerProperties) { p.FullTextPolicy.FullTextPaths[0].Language = "" }, "", "", "", false},
		"another default": {func(p *azcosmos.ContainerProperties) {
			p.FullTextPolicy.FullTextPaths[0].Language, p.FullTextPolicy.DefaultLanguage = "", "fr-FR"
		}, texts, "/body in fr-FR", "/body in en-US", false},
		"no text indexes": {func(p *azcosmos.ContainerProperties) { p.IndexingPolicy.FullTextIndexes = nil }, textIndexes, "no index of /body", "/body", true},
	} {
		t.Run(name, func(t *testing.T) {
			have, want := searching(), searching()
			test.change(have)
			found := append(compareVectors(have, want), compareFullText(have, want)...)
			if test.property == "" {
				if len(found) != 0 {
					t.Fatalf("%+v", found[0].difference)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("%d differences: %+v", len(found), found)
			}
			d := found[0]
			if d.Property != test.property || !strings.Contains(d.Have, test.have) || !strings.Contains(d.Want, test.want) || d.Why == "" {
				t.Errorf("%+v", d.difference)
			}
			if (d.fix != nil) != test.fixable {
				t.Fatalf("fixable is %t", d.fix != nil)
			}
			if !test.fixable {
				return
			}
			d.fix(have)
			if left := append(compareVectors(have, want), compareFullText(have, want)...); len(left) != 0 {
				t.Errorf("after the change: %+v", left[0].difference)
			}
		})
	}
}

func addVector(p *azcosmos.ContainerProperties) {
	p.VectorEmbeddingPolicy.VectorEmbeddings = append(p.VectorEmbeddingPolicy.VectorEmbeddings, azcosmos.VectorEmbedding{Path: "/w", DataType: "int8", DistanceFunction: "dotproduct", Dimensions: 9})
}

// TestNoSearchWanted compares nothing: a container may have more than a type asks for.
func TestNoSearchWanted(t *testing.T) {
	t.Parallel()
	if found := append(compareVectors(searching(), &azcosmos.ContainerProperties{}), compareFullText(searching(), &azcosmos.ContainerProperties{})...); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}
