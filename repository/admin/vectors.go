package admin

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
)

// VectorIndex says how the index of a vector is made, for which azcosmos 1.5.0 has no fields. Zero
// values are left to the service ("Indexing policies in Azure Cosmos DB", vector indexes).
// Generated functions use it.
type VectorIndex struct {
	// QuantizerType is how vectors are compressed: product or spherical.
	QuantizerType string

	// QuantizationByteSize is how many bytes product quantization makes of a vector: 1 to 512,
	// and at most one for each dimension.
	QuantizationByteSize int

	// IndexingSearchListSize is how many vectors are looked at while an index diskANN is built:
	// 25 to 500.
	IndexingSearchListSize int

	// ShardKey is the path of a property, such as /tenantId, whose values have an index each.
	ShardKey string
}

// Of returns the type of an index that is made so. The options follow the name of the type as
// JSON, and a client made with [repository.Configure] sends them in their place when it creates
// the container. The service refuses what another client sends.
func (x VectorIndex) Of(t azcosmos.VectorIndexType) azcosmos.VectorIndexType {
	tuning := containers.VectorTuning{
		QuantizerType: x.QuantizerType, QuantizationByteSize: x.QuantizationByteSize, IndexingSearchListSize: x.IndexingSearchListSize,
	}
	if x.ShardKey != "" {
		tuning.ShardKey = []string{x.ShardKey}
	}
	return azcosmos.VectorIndexType(tuning.InType(string(t)))
}
