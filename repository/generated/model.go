package generated

import "encoding/json"

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

	// Draft says that the layout of the key may still change: pkgen seal binds it.
	// Documents stored by it could be found no more, so clients made with
	// repository.Configure refuse the type at every endpoint but this machine.
	Draft bool

	// Path is the container's partition key path, such as "/partitionKey". It is
	// empty for a hierarchical key, which has Paths.
	Path string

	// Paths are the container's partition key paths where the key is
	// hierarchical, one for each level, first level first; else nil.
	Paths []string

	// Key returns what identifies a document.
	Key func(*T) K

	// ID returns the item id of a key.
	ID func(K) string

	// Text returns the partition key of a key where that is a string. Exactly one
	// of Text, Value and Values is set.
	Text func(K) string

	// Value returns the partition key of a key where that is not a string: a
	// float64 or a bool.
	Value func(K) any

	// Values returns the partition key of a key where that is hierarchical: a
	// string, a float64 or a bool for each of Paths.
	Values func(K) []any

	// Synthetic says that the run time writes the key's text into the document,
	// at Path. A natural key is a property that the document has already.
	Synthetic bool

	// Made are the levels of a hierarchical key, counted from 0, whose texts the
	// run time writes into the document, at their Paths. The other levels are
	// properties that the document has already. A type with Stored or Random has
	// one such level.
	Made []int

	// Stored returns the field that remembers the key under which a document is
	// stored, of a hierarchical key the level that is made: the field tagged
	// synthetic. It is nil where the type has none, and returns nil where a nil
	// pointer stands before the field.
	Stored func(*T) *string

	// Same reports whether two keys are made of the same component texts, those
	// that are hashed included, but ids and random suffixes not. It is set where
	// keys of different components can have one partition key: the run time asks it
	// whether the document that it found under a partition key and an id is the one
	// that was meant.
	Same func(a, b K) bool

	// Ambiguous says that the texts in the partition key do not tell components
	// apart, so that writes have to look first: a read before each. It is false
	// where only hashed fields share a bucket, whose documents have ids of their own
	// as those of every logical partition have.
	Ambiguous bool

	// Written are the paths of the item id and of those properties of the key whose
	// types have a MarshalJSON beside the method that makes their text. Documents in
	// which such a property is not that text are not stored.
	Written []string

	// ETag returns the field that holds a document's ETag. It is nil where the
	// type has none, and returns nil where a nil pointer stands before the field.
	ETag func(*T) *string

	// Random describes the suffix of a random-suffix key, else nil.
	Random *Random[K]

	// Discriminator tells the documents of T from those of other types in the same
	// container. It is nil where T has the container to itself.
	Discriminator *Discriminator

	// Prefix is what the ids of T begin with, which Validate checks; empty if they
	// may be any. Where T has both a Discriminator and a Prefix, so have the other
	// types of the container, and no write meets a document of another type.
	Prefix string

	// Rest returns the field that keeps the properties which T does not know: the
	// field tagged rest. It is nil where the type has none, and returns nil where a
	// nil pointer stands before the field.
	Rest func(*T) *map[string]json.RawMessage

	// Integers says that documents may have integers beyond 2^53, which Cosmos DB
	// rounds. The run time looks for them before it stores a document, and refuses
	// them but for fields whose cosmos tag has note=int64.
	Integers bool

	// Known are the JSON names of T's own properties, where the type has Rest.
	Known []string
}

// Discriminator is the property that says of which type a document is.
type Discriminator struct {
	// Property is the JSON name of the property, such as "type".
	Property string

	// Value is what the property is for documents of the type. The run time
	// writes it into them. It is empty for the one type of a container whose
	// documents do not say what they are.
	Value string

	// Others are the values of the container's other types, where Value is empty:
	// documents that have one of them are not the type's.
	Others []string
}

// Random describes a suffix that is chosen when a document is created.
type Random[K Key] struct {
	// Buckets is the number of suffixes, which count from 1.
	Buckets int

	// Suffix returns the suffix within a key; 0 means none yet.
	Suffix func(*K) *int
}
