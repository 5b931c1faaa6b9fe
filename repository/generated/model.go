package generated

// Key is what the run time asks of a generated key type: values that compare,
// and a check that finds what Cosmos DB would refuse.
type Key interface {
	comparable
	// Validate returns a *partition.KeyError, or nil.
	Validate() error
}

// Model tells the run time how documents of type T are stored under keys of
// type K. Functions of a model are called from several goroutines.
type Model[T any, K Key] struct {
	// Type is the name of T, for errors.
	Type string

	// Path is the container's partition key path, such as "/partitionKey".
	Path string

	// Key returns what identifies a document.
	Key func(*T) K

	// ID returns the item id of a key.
	ID func(K) string

	// Text returns the partition key of a key where that is a string. It is nil
	// where Value is set.
	Text func(K) string

	// Value returns the partition key of a key where that is not a string: a
	// float64 or a bool.
	Value func(K) any

	// Synthetic says that the run time writes the key's text into the document,
	// at Path. A natural key is a property that the document has already.
	Synthetic bool

	// Stored returns the field that remembers the key under which a document is
	// stored: the one tagged synthetic. It is nil where the type has none, and
	// returns nil where a nil pointer stands before the field.
	Stored func(*T) *string

	// ETag returns the field that holds a document's ETag. It is nil where the
	// type has none, and returns nil where a nil pointer stands before the field.
	ETag func(*T) *string

	// Random describes the suffix of a random-suffix key, else nil.
	Random *Random[K]
}

// Random describes a suffix that is chosen when a document is created.
type Random[K Key] struct {
	// Buckets is the number of suffixes, which count from 1.
	Buckets int

	// Suffix returns the suffix within a key; 0 means none yet.
	Suffix func(*K) *int
}
