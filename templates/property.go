package templates

// Property is a JSON property of the document, or of a struct within it, that
// queries can refer to.
type Property struct {
	Name    string // what Go calls it: "Lat"
	Pointer string // where it is, as a JSON pointer: "/position/lat"
	// Omitted says that Go leaves the property out when it is zero, and Holder
	// how many names of Pointer lead to the last struct that Go holds by a
	// pointer, 0 for none.
	Omitted bool
	Holder  int
	Kind    FieldKind
	// Patch is the type of package repository by which a patch changes the
	// property. Its Name is empty if no patch can: of what makes the partition key
	// or the id, of system properties, and of an object that holds some of these.
	Patch FieldKind
	// Properties are those of a struct whose own properties can be referred to.
	// Its Kind is Object.
	Properties []Property
}

// FieldKind is a type of package repository by which queries refer to a
// property, without its first type argument, the document type.
type FieldKind struct {
	Name    string     // "Number"
	Value   GoType     // the type of a value of a Number, String or Bool, or of an element of a List; of a Patch kind see there
	Element *FieldKind // how a Map's values are referred to
}
