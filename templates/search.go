package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

// exactIndex is the vector index that looks at every vector.
const exactIndex = "flat"

// Excluded is the pattern by which the ordinary index leaves the vectors out, which would
// make each write dearer by their numbers.
func (v Vector) Excluded() string { return v.Path + "/*" }

// words are what a comment says of a vector after its place.
func (v Vector) words() string {
	how := "approximate"
	if v.Index == exactIndex {
		how = "exact"
	}
	return strconv.Itoa(v.Dimensions) + " numbers, compared by " + v.Metric + ": repository.Nearest is " + how + ", by an index " + v.Index + "."
}

// vectorsModel writes which properties have vectors. It returns nil if there are none.
//
//	Vectors: []generated.Vector{{Property: "/embedding", Dimensions: 1536}, …
func (f *file) vectorsModel() *jen.Statement {
	all := vectorsOf(f.Properties)
	if all == nil {
		return nil
	}
	return jen.Id("Vectors").Op(":").Index().Qual(generatedPath, "Vector").Values(all...)
}

func vectorsOf(properties []Property) []jen.Code {
	var all []jen.Code
	for _, p := range properties {
		if p.Vector != nil {
			all = append(all, jen.Values(jen.Id("Property").Op(":").Lit(p.Pointer), jen.Id("Dimensions").Op(":").Lit(p.Vector.Dimensions)))
		}
		all = append(all, vectorsOf(p.Properties)...)
	}
	return all
}

// searchPolicies writes the policies for vectors and full text, or nothing.
//
//	VectorEmbeddingPolicy: &azcosmos.VectorEmbeddingPolicy{
//		VectorEmbeddings: []azcosmos.VectorEmbedding{
//			{Path: "/embedding", DataType: azcosmos.VectorDataTypeFloat32, DistanceFunction: azcosmos.VectorDistanceFunctionCosine, Dimensions: 1536},
//		},
//	},
//	FullTextPolicy: &azcosmos.FullTextPolicy{
//		DefaultLanguage: "en-US",
//		FullTextPaths: []azcosmos.FullTextPath{
//			{Path: "/body", Language: "en-US"},
//		},
//	},
func (f *file) searchPolicies() []jen.Code {
	var out []jen.Code
	if len(f.Vectors) > 0 {
		embeddings := make([]jen.Code, len(f.Vectors))
		for i, v := range f.Vectors {
			embeddings[i] = jen.Values(
				pathItem(v.Path),
				jen.Id("DataType").Op(":").Qual(azcosmosPath, "VectorDataType"+vectorNames[v.DataType]),
				jen.Id("DistanceFunction").Op(":").Qual(azcosmosPath, "VectorDistanceFunction"+vectorNames[v.Metric]),
				jen.Id("Dimensions").Op(":").Lit(v.Dimensions),
			)
		}
		out = append(out, jen.Id("VectorEmbeddingPolicy").Op(":").Op("&").Qual(azcosmosPath, "VectorEmbeddingPolicy").Custom(multiLine,
			jen.Id("VectorEmbeddings").Op(":").Index().Qual(azcosmosPath, "VectorEmbedding").Custom(multiLine, embeddings...)))
	}
	if len(f.Texts) > 0 {
		paths := make([]jen.Code, len(f.Texts))
		for i, x := range f.Texts {
			paths[i] = jen.Values(pathItem(x.Path), jen.Id("Language").Op(":").Lit(x.Language))
		}
		out = append(out, jen.Id("FullTextPolicy").Op(":").Op("&").Qual(azcosmosPath, "FullTextPolicy").Custom(multiLine,
			jen.Id("DefaultLanguage").Op(":").Lit(f.Texts[0].Language),
			jen.Id("FullTextPaths").Op(":").Index().Qual(azcosmosPath, "FullTextPath").Custom(multiLine, paths...)))
	}
	return out
}

// searchIndexes writes the indexes of vectors and full text, or nothing.
//
//	VectorIndexes:   []azcosmos.VectorIndex{{Path: "/embedding", Type: azcosmos.VectorIndexTypeDiskANN}, …
//	FullTextIndexes: []azcosmos.FullTextIndex{{Path: "/body"}},
func (f *file) searchIndexes() []jen.Code {
	var out []jen.Code
	if len(f.Vectors) > 0 {
		indexes := make([]jen.Code, len(f.Vectors))
		for i, v := range f.Vectors {
			indexes[i] = jen.Values(pathItem(v.Path), jen.Id("Type").Op(":").Qual(azcosmosPath, "VectorIndexType"+vectorNames[v.Index]))
		}
		out = append(out, jen.Id("VectorIndexes").Op(":").Index().Qual(azcosmosPath, "VectorIndex").Values(indexes...))
	}
	if len(f.Texts) > 0 {
		indexes := make([]jen.Code, len(f.Texts))
		for i, x := range f.Texts {
			indexes[i] = jen.Values(pathItem(x.Path))
		}
		out = append(out, jen.Id("FullTextIndexes").Op(":").Index().Qual(azcosmosPath, "FullTextIndex").Values(indexes...))
	}
	return out
}

// vectorNames are how azcosmos names the words of policies.
var vectorNames = map[string]string{
	"float32": "Float32", "int8": "Int8", "uint8": "Uint8",
	"cosine": "Cosine", "dotproduct": "DotProduct", "euclidean": "Euclidean",
	"flat": "Flat", "quantizedFlat": "QuantizedFlat", "diskANN": "DiskANN",
}
