package generated

import "github.com/cosmos-pkgen/pkgen/internal/cosmossql"

// Computed has the properties of a container that the service computes from a document when a
// query reads them. They are not stored.
type Computed struct {
	// Own is the number of Properties that belong to fields of the type. The others belong to
	// types that share its container.
	Own        int
	Properties []ComputedProperty

	// Same reports whether two queries compute the same: [SameQuery], which parses SQL, and is
	// only linked into programs with computed properties.
	Same func(a, b string) bool
}

// ComputedProperty is a computed property.
type ComputedProperty struct {
	Name  string // of the first level of a document
	Query string // SELECT VALUE expression FROM c
}

// SameQuery reports whether the queries of two computed properties give the same values,
// whatever their spelling.
func SameQuery(a, b string) bool { return cosmossql.SameComputed(a, b) }
