package templates

// Type is what is rendered for one document type: plain data, made by the
// generator from what the source and its tags say. All of it has been checked.
type Type struct {
	Package     string   // package name
	PackagePath string   // import path of the package
	Source      string   // base name of the file that declares the type
	Constraint  string   // build constraint of that file, such as "linux && !cgo", or ""
	Reserved    []string // identifiers that the package or its files have taken, sorted; imports must not be called so

	Name      string // Go name of the type
	Container string // id of the container
	Layout    string // the layout in template notation, by JSON properties
	NoMethods bool   // the type itself gets no methods
	Draft     bool   // the layout may still change, so that documents are not stored by it
	Escape    bool   // components are percent-encoded, so that the key can be parsed
	Ambiguous bool   // two documents of different components can have one key
	Parsed    bool   // a function gives the components of a key back: it is escaped, of one value, and each component can be read

	// ExampleKey is the partition key of a plausible document, for comments:
	// text or digits without quotes, for a Hierarchical key the JSON array of its
	// values, or "" for none.
	ExampleKey string

	Kind   Kind
	ID     Field   // the item id, whose Value is String, Text or TextPtr
	Prefix string  // what every id begins with, which all types of the container then say of theirs, or ""
	Levels []Level // the values of the partition key, in order: one, and up to three of a Hierarchical key
	Stored *Field  // the field that remembers the synthetic key, or nil
	ETag   *Field  // the field that holds the ETag, or nil

	// Written are the paths of the id and of the key's own properties whose types
	// have a MarshalJSON beside their text: the run time checks that both agree.
	Written []string

	// Discriminator tells the documents from those of other types in the same
	// container, or is nil.
	Discriminator *Discriminator
	// TTL is the container's default time to live in seconds, -1 for none though
	// documents may have one of their own, or nil: nothing expires.
	TTL *int
	// Composites are the container's composite indexes, in the order of
	// declaration, each with two paths or more.
	Composites [][]IndexPath
	// Rest is the field that keeps unknown properties, or nil. Its Type and Value
	// mean nothing.
	Rest *Field

	// Integers says that documents may have integers beyond 2^53, and that those are
	// to be refused.
	Integers bool

	// Properties are what encoding/json writes of a document, in the order of
	// declaration. No two have one Name, in the document or in a struct, and in a
	// struct none is called Object.
	Properties []Property

	// Guard stops the build where the source is no longer what the file was
	// generated from. Without Structs it has the fields that the file names.
	Guard Guard
}

// Discriminator is the property that says of which type a document is.
type Discriminator struct {
	Property string   // its JSON name: "type"
	Value    string   // what it is for this type; empty for the one type whose documents do not say
	Others   []string // the values of the container's other types, sorted, where Value is empty; else nil
}

// IndexPath is a property of a composite index.
type IndexPath struct {
	Path       string // as indexing policies write it: "/speed"
	Descending bool
}

// Kind says where the partition key comes from.
type Kind int

const (
	// Natural is a property of the document, the one Component of its value.
	Natural Kind = iota
	// ItemID is the item id, which is the one Component of its value too.
	ItemID
	// Synthetic is a text made of the parts of its value, which the run time writes to
	// its path.
	Synthetic
	// Hierarchical is a key of up to three values.
	Hierarchical
)

// Level is one value of a partition key.
type Level struct {
	Path  string // where the value is: "/tenantId", "/partitionKey1"
	Made  bool   // the run time writes a text made of Parts there; else it is the property of the one Component of Parts, which has neither Layout nor Lower
	Parts []Part // in order; at most one is a Bucket, and only one Level of all may have a random one
}

// Part is a piece of the partition key. Exactly one of its fields is set.
type Part struct {
	Literal   string
	Component *Component
	Bucket    *Bucket
}

// Component is a field whose text is part of the key, or is hashed.
type Component struct {
	Field
	Layout  string // layout for package time of a Time, else ""
	Lower   bool   // the text is in ASCII lower case
	NonZero bool   // of a Text that is a property as it is: the zero value of its type counts as empty
}

// Bucket is a suffix: a number from 1 to Count. A random one is the last part
// of a key, and a literal stands before it.
type Bucket struct {
	Count int
	Hash  []Component // what is hashed; nil for a random suffix
}

// Field is a field of the document.
type Field struct {
	Selector string   // how the document reaches it: "Date" or "Meta.Date"
	Pointers []string // selectors of the pointers on that way, outermost first: "Meta"
	Name     string   // what the key type calls it: "Date"
	Property string   // its JSON property, as layouts name it: "date" or "meta.date"
	Pointer  string   // the same as a JSON pointer: "/date" or "/meta/date"
	Hiding   string   // selector of a struct on that way which writes JSON of its own, without the property; else ""
	Type     GoType
	Value    Value
	Instant  bool // of a Time: it is a repository.Time, whose JSON texts are in the order of time
}

// GoType is a type as generated code writes it.
type GoType struct {
	Path    string // import path, "" for predeclared types and those of the package itself
	Package string // name of the package at Path; "" if it is the last element of Path
	Name    string
	Args    []GoType // type arguments
}

// Value says how the text of a field is made.
type Value int

// The values.
const (
	String  Value = iota // a string, or a type whose underlying type is one
	Int                  // a signed integer
	Uint                 // an unsigned integer
	Bool                 // a boolean
	Float                // a float, for natural keys only
	Time                 // a time.Time, or a repository.Time
	Text                 // an encoding.TextMarshaler
	TextPtr              // a type whose pointer is an encoding.TextMarshaler
)
