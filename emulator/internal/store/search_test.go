package store

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestVectorIndexOptions creates a container with an index of vectors of 8 numbers.
func TestVectorIndexOptions(t *testing.T) {
	t.Parallel()
	for index, want := range map[string]string{
		`"type":"diskANN"`: "",
		`"type":"diskANN","quantizerType":"product","quantizationByteSize":8,"indexingSearchListSize":500,"vectorIndexShardKey":["/tenantId"]`: "",
		`"type":"quantizedFlat","quantizerType":"Spherical","vectorIndexShardKey":["/a","/b/c"]`:                                               "",
		`"type":"diskANN","indexingSearchListSize":10,"quantizationByteSize":1`:                                                                "",
		`"type":"flat"`: "",
		`"type":"flat","quantizerType":"product"`:                  "is flat: quantizerType",
		`"type":"flat","quantizationByteSize":4`:                   "is flat: quantizerType, quantizationByteSize",
		`"type":"flat","vectorIndexShardKey":["/a"]`:               "is flat",
		`"type":"flat","indexingSearchListSize":100`:               "is flat: indexingSearchListSize is for diskANN",
		`"type":"quantizedFlat","indexingSearchListSize":100`:      "is quantizedflat: indexingSearchListSize is for diskANN",
		`"type":"diskANN","quantizerType":"binary"`:                `quantizer type "binary"`,
		`"type":"diskANN","quantizationByteSize":9`:                "quantizationByteSize 9",
		`"type":"diskANN","quantizationByteSize":0`:                "it is 1 to 8",
		`"type":"diskANN","quantizationByteSize":1.5`:              "quantizationByteSize 1.5",
		`"type":"diskANN","indexingSearchListSize":9`:              "indexingSearchListSize 9",
		`"type":"diskANN","indexingSearchListSize":501`:            "it is 10 to 500",
		`"type":"diskANN","vectorIndexShardKey":["/tags/[]/name"]`: "shard key",
		`"type":"diskANN","vectorIndexShardKey":"/tenantId"`:       "invalid",
		`"type":"diskANN","vectorIndexShardKey":["/"]`:             "shard key",
		`"type":"diskANN {\"quantizerType\":\"product\"}"`:         "type",
	} {
		_, err := searchPolicies(map[string]json.RawMessage{
			"vectorEmbeddingPolicy": json.RawMessage(`{"vectorEmbeddings":[{"path":"/v","dataType":"float16","distanceFunction":"cosine","dimensions":8}]}`),
			"indexingPolicy":        json.RawMessage(`{"vectorIndexes":[{"path":"/v",` + index + `}]}`),
		})
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", index, err, want)
		}
	}
}
