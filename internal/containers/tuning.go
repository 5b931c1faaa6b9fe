package containers

import (
	"encoding/json"
	"fmt"
	"strings"
)

// VectorTuning tunes the index of a vector. Zero values are left to the service.
type VectorTuning struct {
	QuantizerType          string   `json:"quantizerType,omitempty"`
	QuantizationByteSize   int      `json:"quantizationByteSize,omitempty"`
	IndexingSearchListSize int      `json:"indexingSearchListSize,omitempty"`
	ShardKey               []string `json:"vectorIndexShardKey,omitempty"`
}

// The service's defaults ("Indexing policies in Azure Cosmos DB", vector indexes). The number of
// bytes depends on the dimensions.
const (
	defaultQuantizer  = "product"
	defaultSearchList = 100
)

// azcosmos 1.5.0 has no fields for a tuning, so it travels as JSON after a space in the type of the
// index, as in diskANN {"indexingSearchListSize":200}. A policy of the client moves it to its place
// in the request.

// InType returns a type of index followed by the tuning.
func (t VectorTuning) InType(typ string) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	if string(text) == "{}" {
		return typ
	}
	return typ + " " + string(text)
}

// TypeOf returns the index at a path, from a type that may include a tuning.
func TypeOf(path, typ string) VectorIndex {
	name, tuning, _ := strings.Cut(typ, " ")
	x := VectorIndex{Path: path, Type: name}
	if json.Unmarshal([]byte(tuning), &x.VectorTuning) != nil {
		x.VectorTuning = VectorTuning{}
		if tuning != "" {
			x.Type = typ // the service refuses it
		}
	}
	return x
}

// like returns the fields of the tuning that want sets.
func (t VectorTuning) like(want VectorTuning) VectorTuning {
	if want.QuantizerType == "" {
		t.QuantizerType = ""
	} else if t.QuantizerType == "" {
		t.QuantizerType = defaultQuantizer
	}
	if want.QuantizationByteSize == 0 {
		t.QuantizationByteSize = 0
	}
	if want.IndexingSearchListSize == 0 {
		t.IndexingSearchListSize = 0
	} else if t.IndexingSearchListSize == 0 {
		t.IndexingSearchListSize = defaultSearchList
	}
	if len(want.ShardKey) == 0 {
		t.ShardKey = nil
	}
	return t
}

// String describes the tuning, "" if all is left to the service.
func (t VectorTuning) String() string {
	var b strings.Builder
	if t.QuantizerType != "" {
		b.WriteString(", quantizer " + t.QuantizerType)
	}
	if t.QuantizationByteSize > 0 {
		fmt.Fprintf(&b, ", %d bytes a vector", t.QuantizationByteSize)
	}
	if t.IndexingSearchListSize > 0 {
		fmt.Fprintf(&b, ", search list %d", t.IndexingSearchListSize)
	}
	if len(t.ShardKey) > 0 {
		b.WriteString(", shards by " + strings.ReplaceAll(strings.Join(t.ShardKey, " and "), `"`, ""))
	}
	return b.String()
}
