package generated

import "github.com/cosmos-pkgen/pkgen/internal/cosmossql"

// Computed are the properties of a container that the service computes from a document when a
// query reads them. No document stores one.
type Computed struct {
	// Own is how many of Properties are of the type, whose fields they have. The others are of types
	// that share its container.
	Own        int
	Properties []ComputedProperty

	// Same reports whether two queries compute the same: [SameQuery], which reads SQL, so that only
	// programs with computed properties contain it.
	Same func(a, b string) bool
}

// ComputedProperty is a computed property.
type ComputedProperty struct {
	Name  string // of the first level of a document
	Query string // SELECT VALUE expression FROM c
}

// SameQuery reports whether the queries of two computed properties give the same values, however
// they are spelled.
func SameQuery(a, b string) bool { return cosmossql.SameComputed(a, b) }
