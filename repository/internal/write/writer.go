package write

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Writer is a store, and what writing takes.
type Writer struct {
	*store.Store
	Integers *Integers // nil if documents have none that Cosmos DB would round
	Unknown  *Unknown  // nil if the type keeps no properties that it does not know
	Stamps   *Stamps   // nil if the type has none
	Vectors  Vectors   // nil if the type has none
	Deleted  *Deleted  // nil if documents of the type are not marked as deleted

	// What the model says of keys:
	Ambiguous bool     // they can collide
	Looks     bool     // another's document, or a hidden one, may have the id: Upsert, Replace and Delete look first
	Random    bool     // they have a random suffix
	Synthetic bool     // they are stored in a property of their own
	Made      []int    // levels that are stored in properties of their own
	Written   []string // paths of the id and of properties of the key whose types write JSON of their own

	// ReadIDs reads what is stored under ids in the logical partition of p, by one
	// query: whole documents, or of each these columns.
	ReadIDs func(ctx context.Context, s *store.Store, op string, p wire.Place, ids []string, columns []string) ([][]byte, error)
}

// Knows reports whether a write that stores a document in place of another must look at
// that one first: it may be another's or hidden, its stamps are carried, or it may be of a
// later form of the type.
func (s *Writer) Knows() bool { return s.Blind() || s.Stamps.Carries() }

// Blind reports whether such a write must look unless it has an ETag: whoever read the
// document knows that it is his, and of no later form.
func (s *Writer) Blind() bool { return s.Looks || s.Schema != nil }

// A Document is a document on its way to the service.
type Document struct {
	wire.Place
	Body  []byte
	Stamp *Stamp // what its stamps are, or were found to be; nil for a type without
	Token bool   // the body has a token that no other write has
}
