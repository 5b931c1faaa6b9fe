package store

import "encoding/json"

// policies are the properties of a container that describe its indexes and values. They are
// immutable: replacing a container makes new ones.
type policies struct {
	CompositeIndexes [][]IndexPath
	Embeddings       []Embedding // of vectors
	Computed         []ComputedProperty
	vectorIndexes    map[string]string
	textIndexes      [][]string // paths that have a full-text index
	Flat             bool       // whether shapes are on a plane, and not on the Earth
}

// readPolicies reads the properties of a container, from a client or from records. key has the
// paths of the partition key. completed holds the properties that the service fills in.
func readPolicies(properties map[string]json.RawMessage, key [][]string) (p policies, completed map[string]json.RawMessage, err error) {
	indexing, composite, err := indexingPolicy(properties["indexingPolicy"])
	if err != nil {
		return p, nil, err
	}
	search, err := searchPolicies(properties)
	if err != nil {
		return p, nil, err
	}
	config, flat, err := geospatial(properties["geospatialConfig"])
	if err != nil {
		return p, nil, err
	}
	if indexing, err = withSpatialIndexes(indexing, flat); err != nil {
		return p, nil, err
	}
	computed, err := computedProperties(properties, key)
	if err != nil {
		return p, nil, err
	}
	p = policies{composite, search.vectors, computed, search.indexes, search.indexed, flat}
	return p, map[string]json.RawMessage{"indexingPolicy": indexing, "geospatialConfig": config}, nil
}
