package containers

import (
	"reflect"
	"strings"
	"testing"
)

// searching is a container with a vector and a text.
func searching() *Properties {
	return &Properties{
		IndexingPolicy: &IndexingPolicy{
			Automatic: true,
			VectorIndexes: []VectorIndex{{Path: "/v", Type: "diskANN", VectorTuning: VectorTuning{
				QuantizerType: "product", QuantizationByteSize: 2, IndexingSearchListSize: 100, ShardKey: []string{"/tenantId"},
			}}},
			FullTextIndexes: []Path{{Path: "/body"}},
		},
		VectorEmbeddingPolicy: &VectorEmbeddingPolicy{VectorEmbeddings: []VectorEmbedding{
			{Path: "/v", DataType: "float32", DistanceFunction: "cosine", Dimensions: 3},
		}},
		FullTextPolicy: &FullTextPolicy{
			DefaultLanguage: "en-US",
			FullTextPaths:   []FullTextPath{{Path: "/body", Language: "en-US"}},
		},
	}
}

// TestSearchDifferences changes a container in one way, and expects the difference that
// Ensure names. A difference that can be fixed is gone after that.
func TestSearchDifferences(t *testing.T) {
	t.Parallel()
	const vectors, indexes, texts, textIndexes = "vectorEmbeddingPolicy.vectorEmbeddings", "indexingPolicy.vectorIndexes", "fullTextPolicy.fullTextPaths", "indexingPolicy.fullTextIndexes"
	for name, test := range map[string]struct {
		change     func(*Properties)
		property   string // "" for no difference
		have, want string
		fixable    bool
	}{
		"as wanted":    {func(*Properties) {}, "", "", "", false},
		"quoted":       {func(p *Properties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Path = `/"v"` }, "", "", "", false},
		"more vectors": {func(p *Properties) { addVector(p) }, "", "", "", false},
		"no policy":    {func(p *Properties) { p.VectorEmbeddingPolicy = nil }, vectors, "no vector at /v", "/v of 3 float32 by cosine", false},
		"another path": {func(p *Properties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Path = "/w" }, vectors, "no vector at /v", "/v of 3", false},
		"dimensions":   {func(p *Properties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].Dimensions = 4 }, vectors, "/v of 4 float32 by cosine", "/v of 3", false},
		"metric": {func(p *Properties) {
			p.VectorEmbeddingPolicy.VectorEmbeddings[0].DistanceFunction = "euclidean"
		}, vectors, "by euclidean", "by cosine", false},
		"data type":     {func(p *Properties) { p.VectorEmbeddingPolicy.VectorEmbeddings[0].DataType = "int8" }, vectors, "3 int8", "3 float32", false},
		"no indexes":    {func(p *Properties) { p.IndexingPolicy.VectorIndexes = nil }, indexes, "no index of /v", "diskANN of /v", false},
		"another index": {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].Type = "flat" }, indexes, "flat of /v", "diskANN of /v", false},
		"quantizer": {func(p *Properties) {
			p.IndexingPolicy.VectorIndexes[0].QuantizerType = "spherical"
		}, indexes, "quantizer spherical, 2 bytes", "quantizer product, 2 bytes a vector, search list 100, shards by /tenantId", false},
		"quantizer by default":   {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].QuantizerType = "" }, "", "", "", false},
		"bytes":                  {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].QuantizationByteSize = 3 }, indexes, "3 bytes", "2 bytes", false},
		"bytes unknown":          {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].QuantizationByteSize = 0 }, indexes, "product, search", "2 bytes", false},
		"search list":            {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].IndexingSearchListSize = 99 }, indexes, "list 99", "list 100", false},
		"search list by default": {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].IndexingSearchListSize = 0 }, "", "", "", false},
		"no shard key":           {func(p *Properties) { p.IndexingPolicy.VectorIndexes[0].ShardKey = nil }, indexes, "list 100", "by /tenantId", false},
		"no texts":               {func(p *Properties) { p.FullTextPolicy = nil }, texts, "no full text at /body", "/body in en-US", true},
		"another text":           {func(p *Properties) { p.FullTextPolicy.FullTextPaths[0].Path = "/title" }, texts, "no full text at /body", "/body in en-US", true},
		"language":               {func(p *Properties) { p.FullTextPolicy.FullTextPaths[0].Language = "de-DE" }, texts, "/body in de-DE", "/body in en-US", false},
		"by default":             {func(p *Properties) { p.FullTextPolicy.FullTextPaths[0].Language = "" }, "", "", "", false},
		"another default": {func(p *Properties) {
			p.FullTextPolicy.FullTextPaths[0].Language, p.FullTextPolicy.DefaultLanguage = "", "fr-FR"
		}, texts, "/body in fr-FR", "/body in en-US", false},
		"no text indexes": {func(p *Properties) { p.IndexingPolicy.FullTextIndexes = nil }, textIndexes, "no index of /body", "/body", true},
	} {
		t.Run(name, func(t *testing.T) {
			have, want := searching(), searching()
			test.change(have)
			found := append(compareVectors(have, want), compareFullText(have, want)...)
			if test.property == "" {
				if len(found) != 0 {
					t.Fatalf("%+v", found[0].Difference)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("%d differences: %+v", len(found), found)
			}
			d := found[0]
			if d.Property != test.property || !strings.Contains(d.Have, test.have) || !strings.Contains(d.Want, test.want) || d.Why == "" {
				t.Errorf("%+v", d.Difference)
			}
			if (d.Fix != nil) != test.fixable {
				t.Fatalf("fixable is %t", d.Fix != nil)
			}
			if !test.fixable {
				return
			}
			d.Fix(have)
			if left := append(compareVectors(have, want), compareFullText(have, want)...); len(left) != 0 {
				t.Errorf("after the change: %+v", left[0].Difference)
			}
		})
	}
}

func addVector(p *Properties) {
	p.VectorEmbeddingPolicy.VectorEmbeddings = append(p.VectorEmbeddingPolicy.VectorEmbeddings, VectorEmbedding{Path: "/w", DataType: "int8", DistanceFunction: "dotproduct", Dimensions: 9})
}

// TestNoSearchWanted compares nothing: a container may have more than a type asks for.
func TestNoSearchWanted(t *testing.T) {
	t.Parallel()
	if found := append(compareVectors(searching(), &Properties{}), compareFullText(searching(), &Properties{})...); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

// TestTuningNotWanted compares an index that has options with one that leaves them to the service.
func TestTuningNotWanted(t *testing.T) {
	t.Parallel()
	want := searching()
	want.IndexingPolicy.VectorIndexes[0].VectorTuning = VectorTuning{}
	if found := compareVectors(searching(), want); len(found) != 0 {
		t.Errorf("%+v", found[0].Difference)
	}
}

// TestTuningInType writes options after the type of an index and reads them again.
func TestTuningInType(t *testing.T) {
	t.Parallel()
	for _, index := range []VectorIndex{
		{Path: "/v", Type: "flat"},
		searching().IndexingPolicy.VectorIndexes[0],
		{Path: "/v", Type: "diskANN", VectorTuning: VectorTuning{ShardKey: []string{`/"a b"/c`}}},
	} {
		if got := TypeOf(index.Path, index.InType(index.Type)); !reflect.DeepEqual(got, index) {
			t.Errorf("got %+v, want %+v", got, index)
		}
	}
	for _, text := range []string{"diskANN {", "diskANN x", `diskANN {"quantizerType":1}`} {
		if got := TypeOf("/v", text); got.Type != text || got.String() != "" {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
