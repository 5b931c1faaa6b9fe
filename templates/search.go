package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	settings "github.com/cosmos-pkgen/pkgen/internal/containers"
)

// exactIndex is the vector index that looks at every vector.
const exactIndex = "flat"

// vectors are properties that are compared with others by their distance.
var vectors = feature{
	in: func(t *Type) bool { return vectorsOf(t.Properties) != nil },
	model: func(f *file) members {
		return members{{"Vectors", jen.Index().Add(generated("Vector")).Values(vectorsOf(f.Properties)...)}}
	},
}

// Excluded returns the path that keeps the vectors out of the ordinary index, where each number
// would add to the cost of a write.
func (v Vector) Excluded() string { return v.Path + "/*" }

// Unindexed returns the properties that queries can refer to but the container does not index.
// Their names are selectors of their Go fields, such as "Meta.ETag".
func (t *Type) Unindexed() []Property {
	if t.API != NoSQL {
		return nil
	}
	return unindexed("", t.Properties)
}

func unindexed(within string, properties []Property) []Property {
	var all []Property
	for _, p := range properties {
		p.Name = within + p.Name
		if p.Vector != nil || p.Pointer == "/_etag" {
			all = append(all, p)
		}
		all = append(all, unindexed(p.Name+".", p.Properties)...)
	}
	return all
}

// words describes a vector in a comment.
func (v Vector) words() string {
	how := "approximate"
	if v.Index == exactIndex {
		how = "exact"
	}
	return strconv.Itoa(v.Dimensions) + " numbers, compared by " + v.Metric + ": repository.Nearest is " + how + ", by a " + v.Index + " index."
}

// vectorsOf writes which properties have vectors.
//
//	Vectors: []generated.Vector{{Property: "/embedding", Dimensions: 1536}, …
func vectorsOf(properties []Property) []jen.Code {
	var all []jen.Code
	for _, p := range properties {
		if p.Vector != nil {
			values := []jen.Code{named("Property", jen.Lit(p.Pointer)), named("Dimensions", jen.Lit(p.Vector.Dimensions))}
			if p.Vector.DataType == float16 {
				values = append(values, named("Float16", jen.True()))
			}
			all = append(all, jen.Values(values...))
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
//		…
//	},
func (f *file) searchPolicies() []jen.Code {
	var out []jen.Code
	if len(f.Vectors) > 0 {
		out = append(out, named("VectorEmbeddingPolicy", addr(rows(azcosmos("VectorEmbeddingPolicy"),
			named("VectorEmbeddings", rows(jen.Index().Add(azcosmos("VectorEmbedding")), collect(f.Vectors, func(v Vector) jen.Code {
				return jen.Values(
					pathItem(v.Path),
					named("DataType", azcosmos("VectorDataType"+vectorNames[v.DataType])),
					named("DistanceFunction", azcosmos("VectorDistanceFunction"+vectorNames[v.Metric])),
					named("Dimensions", jen.Lit(v.Dimensions)),
				)
			})...))))))
	}
	if len(f.Texts) > 0 {
		out = append(out, named("FullTextPolicy", addr(rows(azcosmos("FullTextPolicy"),
			named("DefaultLanguage", jen.Lit(f.Texts[0].Language)),
			named("FullTextPaths", rows(jen.Index().Add(azcosmos("FullTextPath")), collect(f.Texts, func(x FullText) jen.Code {
				return jen.Values(pathItem(x.Path), named("Language", jen.Lit(x.Language)))
			})...))))))
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
		out = append(out, named("VectorIndexes", jen.Index().Add(azcosmos("VectorIndex")).Values(collect(f.Vectors, func(v Vector) jen.Code {
			return jen.Values(pathItem(v.Path), named("Type", v.indexType()))
		})...)))
	}
	if len(f.Texts) > 0 {
		out = append(out, named("FullTextIndexes", jen.Index().Add(azcosmos("FullTextIndex")).Values(collect(f.Texts, func(x FullText) jen.Code {
			return jen.Values(pathItem(x.Path))
		})...)))
	}
	return out
}

// indexType writes the type of a vector index, with settings that azcosmos lacks.
//
//	azcosmos.VectorIndexTypeDiskANN
//	admin.VectorIndex{QuantizerType: "product", … ShardKey: `/"my-tenant"`}.Of(azcosmos.VectorIndexTypeDiskANN)
func (v Vector) indexType() *jen.Statement {
	typ := azcosmos("VectorIndexType" + vectorNames[v.Index])
	if !v.Tuned() {
		return typ
	}
	var options []jen.Code
	if v.Quantizer != "" {
		options = append(options, named("QuantizerType", jen.Lit(v.Quantizer)))
	}
	if v.QuantizationBytes > 0 {
		options = append(options, named("QuantizationByteSize", jen.Lit(v.QuantizationBytes)))
	}
	if v.SearchList > 0 {
		options = append(options, named("IndexingSearchListSize", jen.Lit(v.SearchList)))
	}
	if v.ShardKey != "" {
		options = append(options, named("ShardKey", textLiteral(v.ShardKey)))
	}
	return admin("VectorIndex").Values(options...).Dot("Of").Call(typ)
}

// Tuned reports whether the tag has settings of the index.
func (v Vector) Tuned() bool {
	return v.Quantizer != "" || v.QuantizationBytes > 0 || v.SearchList > 0 || v.ShardKey != ""
}

// Tuning returns the settings of the index.
func (v Vector) Tuning() settings.VectorTuning {
	t := settings.VectorTuning{QuantizerType: v.Quantizer, QuantizationByteSize: v.QuantizationBytes, IndexingSearchListSize: v.SearchList}
	if v.ShardKey != "" {
		t.ShardKey = []string{v.ShardKey}
	}
	return t
}

// float16 is the data type whose numbers have 16 bits.
const float16 = "float16"

// vectorNames are how azcosmos names the words of policies.
var vectorNames = map[string]string{
	"float32": "Float32", float16: "Float16", "int8": "Int8", "uint8": "Uint8",
	"cosine": "Cosine", "dotproduct": "DotProduct", "euclidean": "Euclidean",
	"flat": "Flat", "quantizedFlat": "QuantizedFlat", "diskANN": "DiskANN",
}
