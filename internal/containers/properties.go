package containers

// Properties are the compared settings of a container, with their names in the REST protocol.
type Properties struct {
	PartitionKeyDefinition PartitionKeyDefinition `json:"partitionKey"`
	DefaultTimeToLive      *int32                 `json:"defaultTtl"` // seconds, -1, or nil
	IndexingPolicy         *IndexingPolicy        `json:"indexingPolicy"`
	UniqueKeyPolicy        *UniqueKeyPolicy       `json:"uniqueKeyPolicy"`
	VectorEmbeddingPolicy  *VectorEmbeddingPolicy `json:"vectorEmbeddingPolicy"`
	FullTextPolicy         *FullTextPolicy        `json:"fullTextPolicy"`
	ConflictPolicy         *ConflictPolicy        `json:"conflictResolutionPolicy"`
	ComputedProperties     []ComputedProperty     `json:"computedProperties"`

	// SameQuery reports whether the queries of two computed properties are equivalent. It must be
	// set in a wanted container with such properties.
	SameQuery func(a, b string) bool `json:"-"`

	// Index and View are two names of the same definition; see IndexedBy.
	Index *Index `json:"globalSecondaryIndexDefinition"`
	View  *Index `json:"materializedViewDefinition"`
}

// PartitionKeyDefinition says how the partition key is made from a document.
type PartitionKeyDefinition struct {
	Paths   []string `json:"paths"`
	Kind    string   `json:"kind"`    // Hash, MultiHash, or "" for one of them
	Version int      `json:"version"` // 0 means 1
}

// The kinds of a partition key.
const (
	Hash      = "Hash"
	MultiHash = "MultiHash"
)

// IndexingPolicy says what is indexed.
type IndexingPolicy struct {
	Automatic        bool               `json:"automatic"`
	IndexingMode     string             `json:"indexingMode"`
	IncludedPaths    []Path             `json:"includedPaths"`
	ExcludedPaths    []Path             `json:"excludedPaths"`
	CompositeIndexes [][]CompositeIndex `json:"compositeIndexes"`
	VectorIndexes    []VectorIndex      `json:"vectorIndexes"`
	FullTextIndexes  []Path             `json:"fullTextIndexes"`
}

// Path is a path of an indexing policy.
type Path struct {
	Path string `json:"path"`
}

// CompositeIndex is a property of a composite index.
type CompositeIndex struct {
	Path  string `json:"path"`
	Order string `json:"order"` // Ascending or Descending, in any case
}

// The directions in a composite index.
const (
	Ascending  = "ascending"
	Descending = "descending"
)

// UniqueKeyPolicy lists the keys that are unique in a logical partition.
type UniqueKeyPolicy struct {
	UniqueKeys []UniqueKey `json:"uniqueKeys"`
}

// UniqueKey lists properties that are unique together.
type UniqueKey struct {
	Paths []string `json:"paths"`
}

// ConflictPolicy decides which of two writes in different write regions is kept.
type ConflictPolicy struct {
	Mode      string `json:"mode"`                                  // LastWriterWins, Custom, or "" for LastWriterWins
	Path      string `json:"conflictResolutionPath,omitempty"`      // the path of the number that LastWriterWins compares; "" is /_ts
	Procedure string `json:"conflictResolutionProcedure,omitempty"` // for Custom
}

// VectorEmbeddingPolicy says which properties are vectors.
type VectorEmbeddingPolicy struct {
	VectorEmbeddings []VectorEmbedding `json:"vectorEmbeddings"`
}

// VectorEmbedding is a property that is a vector.
type VectorEmbedding struct {
	Path             string `json:"path"`
	DataType         string `json:"dataType"`
	DistanceFunction string `json:"distanceFunction"`
	Dimensions       int32  `json:"dimensions"`
}

// VectorIndex is the index of a vector.
type VectorIndex struct {
	Path string `json:"path"`
	Type string `json:"type"`
	VectorTuning
}

// FullTextPolicy says which properties are full text.
type FullTextPolicy struct {
	DefaultLanguage string         `json:"defaultLanguage"`
	FullTextPaths   []FullTextPath `json:"fullTextPaths"`
}

// FullTextPath is a property that is full text.
type FullTextPath struct {
	Path     string `json:"path"`
	Language string `json:"language"`
}

// Difference is a setting that differs from the wanted one.
type Difference struct {
	Property   string // as in the portal: "partitionKey.paths", "defaultTtl", …
	Have, Want string
	Fixable    bool   // FixDifferences can fix it
	Changed    bool   // it was changed; Have is the resulting value
	Why        string // the effect of the change, or why it is not made
}

// Finding is a difference, and the change that removes it, or nil. Fix requires settings with an
// IndexingPolicy, and modifies no list in place.
type Finding struct {
	Difference
	Fix func(*Properties)
}
