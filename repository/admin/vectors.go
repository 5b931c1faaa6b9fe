package admin

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
)

// VectorIndex has options of a vector index that azcosmos 1.5.0 does not support. The service
// chooses zero values ("Indexing policies in Azure Cosmos DB", vector indexes). Generated
// functions use it.
type VectorIndex struct {
	// QuantizerType is the compression of vectors: product or spherical.
	QuantizerType string

	// QuantizationByteSize is the number of bytes of a vector after product quantization: 1 to
	// 512, and at most one per dimension.
	QuantizationByteSize int

	// IndexingSearchListSize is the number of vectors searched while a diskANN index is built:
	// 25 to 500.
	IndexingSearchListSize int

	// ShardKey is the path of a property, such as /tenantId. Each of its values has its own
	// index.
	ShardKey string
}

// Of returns the index type t with these options, which follow its name as JSON. A client made
// with [repository.Configure] sends them separately when it creates the container. With another
// client, the service refuses the type.
func (x VectorIndex) Of(t azcosmos.VectorIndexType) azcosmos.VectorIndexType {
	tuning := containers.VectorTuning{
		QuantizerType: x.QuantizerType, QuantizationByteSize: x.QuantizationByteSize, IndexingSearchListSize: x.IndexingSearchListSize,
	}
	if x.ShardKey != "" {
		tuning.ShardKey = []string{x.ShardKey}
	}
	return azcosmos.VectorIndexType(tuning.InType(string(t)))
}
