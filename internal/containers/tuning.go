package containers

import (
	"encoding/json"
	"fmt"
	"strings"
)

// VectorTuning says how the index of a vector is made. Zero values are left to the service.
type VectorTuning struct {
	QuantizerType          string   `json:"quantizerType,omitempty"`
	QuantizationByteSize   int      `json:"quantizationByteSize,omitempty"`
	IndexingSearchListSize int      `json:"indexingSearchListSize,omitempty"`
	ShardKey               []string `json:"vectorIndexShardKey,omitempty"`
}

// What the service takes for values that are left to it ("Indexing policies in Azure Cosmos DB",
// vector indexes). The number of bytes depends on the dimensions.
const (
	defaultQuantizer  = "product"
	defaultSearchList = 100
)

// azcosmos 1.5.0 has no fields for a tuning, and the definition of a container passes through its
// types. So the type of an index has it as JSON after a space, as in
// diskANN {"indexingSearchListSize":200}. A policy of the client puts it into the request.

// InType returns a type of index with the tuning after it.
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

// TypeOf returns the index at a path whose type may have a tuning after it.
func TypeOf(path, typ string) VectorIndex {
	name, tuning, _ := strings.Cut(typ, " ")
	x := VectorIndex{Path: path, Type: name}
	if json.Unmarshal([]byte(tuning), &x.VectorTuning) != nil {
		x.VectorTuning = VectorTuning{}
		if tuning != "" {
			x.Type = typ // which the service refuses
		}
	}
	return x
}

// like returns what of the tuning matters where another one is wanted.
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
