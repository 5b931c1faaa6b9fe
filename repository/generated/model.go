package generated

import (
	"encoding/json"
	"time"
)

// Key is the constraint on a generated key type: its values are comparable, and can be checked
// for problems that Cosmos DB would refuse.
type Key interface {
	comparable
	// Validate returns a *partition.KeyError, or nil.
	Validate() error
}

// Model describes to the run time how documents of type T are stored under keys of type K. The
// run time calls its functions from several goroutines.
type Model[T any, K Key] struct {
	// Type is the name of T, for errors.
	Type string

	// Draft reports that the layout of the key may still change, until pkgen seal. After a
	// change, stored documents would no longer be found, so clients made with
	// repository.Configure refuse the type at every endpoint except this machine.
	Draft bool

	// Path is the container's partition key path, such as "/partitionKey". It is
	// empty for a hierarchical key, which has Paths.
	Path string

	// Paths are the container's partition key paths if the key is hierarchical,
	// one for each level, first level first; otherwise nil.
	Paths []string

	// Key returns the key of a document.
	Key func(*T) K

	// ID returns the item id of a key.
	ID func(K) string

	// Text returns the partition key of a key, if it is a string. Exactly one of Text, Value
	// and Values is set.
	Text func(K) string

	// Value returns the partition key of a key if it is not a string: a float64
	// or a bool.
	Value func(K) any

	// Values returns the partition key of a key if it is hierarchical: a string,
	// a float64 or a bool for each of Paths.
	Values func(K) []any

	// Others returns the other partition keys under which the document of a key may be stored,
	// in the form of Text or Values, by ascending numbers of buckets: those of earlier releases
	// and of the next one. It may repeat a key. It is nil unless the number of buckets grows.
	Others func(K) []any

	// Later is the number of Others with more buckets than Text or Values: 1 if the next
	// release has more, otherwise 0.
	Later int

	// Synthetic reports that the run time writes the key's text into the document, at Path. A
	// natural key is a property that the document already has.
	Synthetic bool

	// Made are the levels of a hierarchical key, counted from 0, whose texts the run time
	// writes into the document, at their Paths. The other levels are properties that the
	// document already has. A type with Stored or Random has one such level.
	Made []int

	// Stored returns the field that remembers the key under which a document is stored, or the
	// made level of a hierarchical key: the field tagged synthetic. It is nil if the type has
	// no such field, and returns nil if a nil pointer leads to the field.
	Stored func(*T) *string

	// Same reports whether two keys have the same component texts, including hashed ones, but
	// without ids and random suffixes. It is set if keys of different components can have the
	// same partition key. With it, the run time decides whether the document under a partition
	// key and an id is the document of a key.
	Same func(a, b K) bool

	// Ambiguous reports that different components can make the same text of the partition key,
	// or that documents with different hashed fields may have equal ids in a bucket. Each write
	// then reads first.
	Ambiguous bool

	// Written are the paths of the item id and of those properties of the key whose types have
	// both a MarshalJSON and a method that makes their text. A document is stored only if each
	// such property is that text.
	Written []string

	// ETag returns the field with a document's ETag. It is nil if the type has no such field,
	// and returns nil if a nil pointer leads to the field.
	ETag func(*T) *string

	// Random describes the suffix of a random-suffix key; it is nil for other
	// keys.
	Random *Random[K]

	// Discriminator distinguishes the documents of T from those of other types in the same
	// container. It is nil if T does not share its container.
	Discriminator *Discriminator

	// Prefix is the prefix of the ids of T, which Validate checks, or empty. If T has both a
	// Discriminator and a Prefix, so do the other types of the container, and no write meets a
	// document of another type.
	Prefix string

	// Rest returns the field with the properties that T does not have, tagged rest. It is nil
	// if the type has no such field, and returns nil if a nil pointer leads to the field.
	Rest func(*T) *map[string]json.RawMessage

	// Integers reports that documents may have integers beyond 2^53, which Cosmos DB rounds.
	// The run time checks documents and refuses to store such integers. If the field's cosmos
	// tag has note=int64, it refuses only integers that rounding would move out of the range of
	// their type.
	Integers bool

	// Known are the JSON names of T's own properties, if the type has Rest.
	Known []string

	// Containers says which container has a document. It is nil if the type has one container.
	Containers *Containers[K]

	// At returns the document's time that determines its container; a key may only have the
	// start of its period. It is called for documents with a valid key, and is nil if
	// containers are not for periods of time.
	At func(*T) time.Time

	// Vectors are the properties with vectors, nil if the type has none. The run time refuses
	// to store a vector with another length.
	Vectors []Vector

	// Computed are the computed properties of the container. It is nil if there are none.
	Computed *Computed

	// Stamps are the properties with the times of creation and last write, and the number of
	// writes. It is nil if the type has none.
	Stamps *Stamps[T]

	// Deleted describes how documents are marked as deleted. If it is nil, documents are
	// removed.
	Deleted *Deleted[T]

	// Schema describes the stored number of a document's form. It is nil if documents have
	// none.
	Schema *Schema[T]

	// Tenant describes the owner of a document. It is nil if no field of the key is tagged
	// tenant.
	Tenant *Tenant[K]

	// Row returns the row key of a key, in a table with a template of row keys. It is nil if
	// the row key is the id, and for other APIs.
	Row func(K) string

	// Properties are the names of properties that an API other than NoSQL stores itself. It is
	// nil for NoSQL.
	Properties *Properties

	// Aliases are the properties with other names in old documents. It is nil if there are
	// none.
	Aliases []Aliased

	// Own describes the containers that tenants share and their own ones. It is nil unless a
	// tenant may have its own. A type with Own has Tenant, and no Containers.
	Own *Own[K]

	// Unique are the JSON names of the properties whose values are unique over all
	// logical partitions. It is nil if there are none.
	Unique []string

	// Indexed are the properties that the run time writes for global secondary indexes. It
	// is nil if there are none.
	Indexed []Indexed[T, K]

	// Conflict is the path of the number by which the last writer wins, if a document is
	// updated in two regions at once: "/_ts", or that of a property, such as "/revision". It is
	// "" if the tag has no conflict=, so that no update of a document may be lost. A type with
	// Conflict has no Own, Unique or Others.
	Conflict string
}

// Properties are names of properties in documents of a type: "id", "_etag".
type Properties struct {
	ID     string // of the id
	ETag   string // of the version; "" if the type has none
	Stored string // of the made partition key, if a field of the type has it; otherwise ""

	// Label is the label of vertices if it is not Model.Type; otherwise "".
	Label string
}

// Aliased is a property with other names in old documents.
type Aliased struct {
	Property string   // its JSON name
	Names    []string // its former names, the newest first
}

// Discriminator is the property with the name of a document's type.
type Discriminator struct {
	// Property is the JSON name of the property, such as "type".
	Property string

	// Value is the property's value in documents of the type. The run time writes it. It is
	// empty for the one type of a container whose documents lack the property.
	Value string

	// Others are the values of the container's other types, if Value is empty: a
	// document with one of these values is not of the type.
	Others []string
}

// Random describes a suffix that Create chooses at random.
type Random[K Key] struct {
	// Buckets is the number of suffixes, which count from 1.
	Buckets int

	// Suffix returns the suffix within a key; 0 means none yet.
	Suffix func(*K) *int
}
