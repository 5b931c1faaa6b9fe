package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

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
	// Properties are the properties of an Object that queries can refer to.
	Properties []Property
}

// FieldKind is a type of package repository by which queries refer to a
// property, without its first type argument, the document type. Of the other APIs it is
// a type of package table, mongo or gremlin: a String, Text, Number, Bool, Time or
// Opaque. A struct in a document of Mongo has Properties and a FieldKind without a Name.
type FieldKind struct {
	Name    string     // "Number"
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
	}
}

// Vector is the policy of the vectors at a property of the container.
type Vector struct {
	Path       string // as policies write it: "/embedding"
	DataType   string // of an element: float32, int8 or uint8
	Metric     string // cosine, dotproduct or euclidean
	Index      string // flat, quantizedFlat or diskANN
	Dimensions int
}

// FullText is the policy of the texts at a property of the container.
type FullText struct {
	Path     string // as policies write it: "/body"
	Language string // en-US
}
