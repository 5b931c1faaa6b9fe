package templates

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates/internal/face"
)

// face is what generated code says of the API of t.
func (t *Type) face() *face.Face {
	switch t.API {
	case Table:
		return &face.Table
	case Mongo:
		return &face.Mongo
	case Gremlin:
		return &face.Gremlin
	}
	return &face.NoSQL
}

// runtime is the import path of the run time of t's API.
func (t *Type) runtime() string { return t.face().Path }

// in names something of the run time in a comment: documents.ErrNotFound.
func (t *Type) in(name string) string {
	if t.API != NoSQL && strings.HasPrefix(name, "Err") {
		return "documents." + name
	}
	return t.face().Package + "." + name
}

// StoredName returns the name that the API of MongoDB has for the property at a JSON
// pointer, in shard keys and in indexes: the id is stored as "_id", whatever the struct
// calls it.
//
//	position.lat
func (t *Type) StoredName(pointer string) string {
	if t.API == Mongo && pointer == t.ID.Pointer {
		return "_id"
	}
	return dotted(pointer)
}

// dotted is the name of the property at a JSON pointer in the other APIs.
//
//	position.lat
func dotted(pointer string) string { return strings.Join(jsonpointer.Names(pointer), ".") }
