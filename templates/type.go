package templates

import (
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Type is the input for the file of a document type: plain data, which the generator makes from
// source and tags, and has checked.
type Type struct {
	Package     string   // package name
	PackagePath string   // import path of the package
	Source      string   // base name of the file that declares the type
	Constraint  string   // build constraint of that file, such as "linux && !cgo", or ""
	Reserved    []string // identifiers that the package or its files have taken, sorted; no import may have such a name

	Name      string // Go name of the type
	API       API    // of Cosmos DB, by which its documents are stored
	Container string // id of the container or, if Containers is not nil, the template of ids, by JSON properties; of Table and Mongo the name of the table or collection, "" of Gremlin
	NoMethods bool   // the type itself gets no methods
	Draft     bool   // the layout may still change, so documents must not be stored by it yet
	Ambiguous bool   // two documents of different components, or hashed fields, can have one key and one id
	Parsed    bool   // a function parses keys: they are escaped, have one level, and each component can be read

	// ExampleKey is the partition key of a plausible document, for comments: text or
	// digits without quotes or, for a Hierarchical key, the JSON array of its values.
	// It is "" if there is no example.
	ExampleKey string

	// Containers are the parts of the template by which the id of a document's
	// container is made: literals and components. It is nil if the type has one
	// container. At most one component is a Time. ExampleContainer is such an id.
	Containers       []pk.Part
	ExampleContainer string

	// Own are the parts of the template of the ids of tenants' own containers: literals,
	// and Tenant as the one component, which is then the first Level of the key. It is nil
	// if all tenants are in Container. ExampleOwn is such an id.
	Own        []pk.Part
	ExampleOwn string

	// Leases and Directory are the ids of the containers in which processors keep their
	// leases, and the directory of tenants its entries. They are "" if the tag names none.
	Leases, Directory string

	Kind   Kind
	ID     pk.Field  // the item id, whose Value is String, Text or TextPtr
	Prefix string    // the beginning of every id, or ""; if one type of a container has a prefix, all have one
	pk.Key           // one Level, or up to four of a Hierarchical key; none of an Edge
	Stored *pk.Field // the field that remembers the synthetic key, or nil
	Tenant *pk.Field // the field with a document's tenant, a component of the key or of Containers; or nil
	ETag   *pk.Field // the field that holds the ETag, or nil

	// Written are the paths of the id and of the key's plain properties whose types
	// have a MarshalJSON as well as a MarshalText. The run time checks that both give
	// one text.
	Written []string

	// Unique are the properties whose values no two documents share, in the order of
	// declaration: of NoSQL only.
	Unique []Unique

	// Discriminator tells the documents from documents of other types in the same
	// container, or is nil.
	Discriminator *Discriminator
	// TTL is the container's default time to live in seconds. It is -1 if only
	// documents with a ttl of their own expire, and nil if nothing expires.
	TTL *int
	// Conflict is the path of the number by which the last writer wins, if the account may
	// have several write regions: "/_ts", or that of a property. It is "" for other types.
	Conflict string
	// Composites are the container's composite indexes, in the order of
	// declaration, each with two paths or more.
	Composites [][]IndexPath
	// Vectors and Texts are the container's policies for vectors and full text, sorted by
	// their paths.
	Vectors []Vector
	Texts   []FullText
	// Computed are the container's computed properties, sorted by name.
	Computed []Computed
	// Row are the parts of the row key of a Table: literals and components, among which
	// is the id. It is nil if the row key is the id, and for other APIs. ExampleRow is the
	// row key of the document of ExampleKey, or "".
	Row        []pk.Part
	ExampleRow string

	// Label is Gremlin's label of the vertices or edges of the type; "" for other APIs.
	Label string

	// Edge are the ends of an edge of Gremlin. It is nil for a vertex, and for other
	// APIs. A type with Edge has no key of its own: Levels, Stored and ETag are nil.
	Edge *Edge

	// Stamps are the fields that the run time sets with each write, or nil.
	Stamps *Stamps

	// Deleted is the field by which documents are marked as deleted, or nil if Delete
	// removes them.
	Deleted *Deleted

	// Schema is the number of the form in which documents are stored, or nil.
	Schema *Schema

	// Rest is the field that keeps unknown properties, or nil. Its Type and Value are
	// unused.
	Rest *pk.Field

	// Integers says that documents may have integers beyond 2^53, and that the run
	// time refuses these.
	Integers bool

	// Properties are the properties that encoding/json writes of a document, in the
	// order of declaration. Names differ within the document and within each struct,
	// and no property of a struct has the name Object.
	Properties []Property

	// Elements are the struct types of elements of lists whose fields the file has.
	Elements []Element

	// Former is the type with the layout and the container from which documents move,
	// or nil. It may be the type itself.
	Former *Type

	// Indexes are the global secondary indexes of the container that the tags of the type
	// declare, in the order of declaration: of NoSQL only, five at most, and none of a type
	// with Containers or Own.
	Indexes []Index

	// Guard stops the build if the source has changed since the file was generated.
	// A Guard without Structs guards the fields that the file names.
	Guard Guard
}

// Index is a global secondary index: a container that the service derives from that of the
// type, under another partition key.
type Index struct {
	Name string // its name in tags, such as "ByCustomer"

	// Entry is the index's copy of a document. Its Name consists of the names of the document
	// and the index, and "Entry". It has its own Kind, Key, Container, Composites and
	// ExampleKey. Its ID is the document's, with the property _id. Its Properties are the
	// document's properties in the index, without the ETag and the run time's own properties,
	// with _id in place of id, and with no Patch. It has no Stored, ETag, Stamps, Deleted,
	// Schema, Rest, Unique, Guard, Indexes, TTL, Discriminator and Prefix.
	Entry *Type

	// Field is the field of the document in which the run time writes the text of the key,
	// or of its one made level; nil if all levels are properties that documents have.
	Field *pk.Field

	// Selected are the JSON names of the properties that the index has, in the order of
	// the struct; nil for all of them. They contain the properties of both keys, and the
	// properties by which the run time hides documents from reads.
	Selected []string

	// Later says that documents may lack the property of Field: this release writes it, and
	// a later one reads the index. Field is not nil then.
	Later bool

	// Fields are the fields of the struct of the entry, in the order of the document.
	Fields []StructField
}

// API is an API of Cosmos DB.
type API int

// The APIs. Types of Table, Mongo and Gremlin have one Level, whose key is a text,
// without growing buckets, and no Containers, Own, Tenant, Discriminator, TTL, Stamps,
// Deleted, Schema, Rest, Written or Former. Only types of Mongo have Composites, which are its indexes.
const (
	NoSQL API = iota
	Table
	Mongo
	Gremlin
)

// Alone reports whether no transaction takes documents of the type: the key is hierarchical and
// ends in the id, so that each document has a logical partition of its own.
func (t *Type) Alone() bool { return t.Kind == Hierarchical && t.Key.Alone() }

// Unique is a property whose values no two documents share.
type Unique struct {
	Name     string    // in Go, for the name of the method: "Email"
	Property string    // its JSON name: "email"
	Type     pk.GoType // of its values
}

// Discriminator is the property that says of which type a document is.
type Discriminator struct {
	Property string   // its JSON name: "type"
	Value    string   // its value for this type; empty for the one type whose documents do not have it
	Others   []string // the values of the container's other types, sorted, if Value is empty; else nil
}

// IndexPath is a property of a composite index.
type IndexPath struct {
	Path       string // as indexing policies write it: "/speed"
	Descending bool
}

// Kind says where the partition key comes from.
type Kind int

const (
	// Natural is a property of the document: its one Level has one Component.
	Natural Kind = iota
	// ItemID is the item id: its one Level has one Component too.
	ItemID
	// Synthetic is a text made of the parts of its one Level. The run time writes it
	// to the level's path.
	Synthetic
	// Hierarchical is a key of up to three levels, or of four that ends in the item id.
	Hierarchical
)

// Schema is the field of the document itself that says by which form of the type it is
// stored, an integer that the run time sets to Number. If Number is greater than 1, the
// type has a method Upgrade(from int, doc json.RawMessage) error.
type Schema struct {
	Field  pk.Field
	Number int
	Next   int // the form of the next release, which the type brings back by Downgrade(from int, doc json.RawMessage) error; 0 if there is none
}

// Stamps are fields of the document itself that the run time sets. Each is nil if the
// type lacks it; one is not.
type Stamps struct {
	Created, Updated *pk.Field // Instants: when the document was created, and last written
	Version          *pk.Field // an integer that grows with each write
}

// Deleted is how documents are marked as deleted.
type Deleted struct {
	Field   pk.Field // an Instant of the document itself, which JSON leaves out if it is zero
	Seconds int      // after which the service removes a marked document; 0 for never
	OwnTTL  bool     // documents have a time to live of their own
}

// Edge says between which vertices an edge is, by the Go names of their types, which
// are in the package of the edge.
type Edge struct {
	From, To string
}

// Property is a JSON property of the document, or of a struct within it, that
// queries can refer to. Of Mongo it is a BSON property.
type Property struct {
	Name    string   // its name in Go: "Lat"
	Pointer string   // its place, as a JSON pointer: "/position/lat"
	Aliases []string // the names that old documents have for the first property of Pointer, the newest first; nil if they have none
	Omitted bool     // Go leaves it out when it is zero
	Holder  int      // how many names of Pointer lead to the last struct that Go reaches by a pointer; 0 if there is none
	Kind    FieldKind
	// Patch is the type of package repository by which a patch changes the property.
	// Its Name is empty if no patch can change it: a property of the partition key,
	// the id, a system property, and an object that contains one of these.
	Patch FieldKind
	// Vector is the policy of a property of the Kind Vector, and nil for others. Language is
	// that of a FullText, "" for others.
	Vector   *Vector
	Language string
	// Computed is the expression by which the service computes the property, so that documents do
	// not have it; "" for others. The property has no Patch.
	Computed string
	// Properties are the properties of an Object that queries can refer to.
	Properties []Property
	// Element is the element of a List, whose Pointer is ElementPointer, if queries have conditions on
	// elements that are no structs. It is nil for other properties.
	Element *Property
}

// ElementPointer is the Pointer of the Element of a list, condition.Element.
const ElementPointer = "."

// Element is a struct type of elements of lists.
type Element struct {
	Name       string // by which its fields are named: "Line"
	Type       pk.GoType
	Properties []Property // without a Patch

	// Guard has the structs that no other guard of the file has. Its Fields are selected from
	// the element.
	Guard Guard
}

// FieldKind is a type of package repository by which queries refer to a
// property, without its first type argument, the document type. Of the other APIs it is
// a type of package table, mongo or gremlin: a String, Text, Number, Bool, Time or
// Opaque. A struct in a document of Mongo has Properties and a FieldKind without a Name.
type FieldKind struct {
	Name    string     // "Number"; after PatchRenamed " list" or " map", if its Value is that of the elements
	Value   pk.GoType  // its next type argument: the type of a Number, String or Bool, or of the elements of a List
	Element *FieldKind // its last type argument: the kind of a Map's values
}

// goTypes calls yield with every type that the kinds of properties name.
func goTypes(properties []Property, yield func(pk.GoType)) {
	for _, p := range properties {
		for _, kind := range []*FieldKind{&p.Kind, &p.Patch} {
			for k := kind; k != nil; k = k.Element {
				if k.Value.Name != "" {
					yield(k.Value)
				}
			}
		}
		goTypes(p.Properties, yield)
		if p.Element != nil {
			goTypes([]Property{*p.Element}, yield)
		}
	}
}

// Vector is the policy of the vectors at a property of the container.
type Vector struct {
	Path       string // as policies write it: "/embedding"
	DataType   string // of an element: float32, float16, int8 or uint8
	Metric     string // cosine, dotproduct or euclidean
	Index      string // flat, quantizedFlat or diskANN
	Dimensions int

	// How the index is made; zero values are left to the service.
	Quantizer         string // product or spherical
	QuantizationBytes int
	SearchList        int
	ShardKey          string // as policies write it: "/tenantId"
}

// Computed is a computed property of the container.
type Computed struct {
	Name  string
	Query string // "SELECT VALUE LOWER(c.email) FROM c"
	Own   bool   // the type has a field for it; others are of types that share the container
}

// FullText is the policy of the texts at a property of the container.
type FullText struct {
	Path     string // as policies write it: "/body"
	Language string // en-US
}
