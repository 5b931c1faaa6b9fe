package store

import (
	"context"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Store is a container and what a repository knows of it, whatever the types of
// its documents and keys. What can be done without these types is done here, so
// that a program has the code once, and not for each document type.
type Store struct {
	wire.Container
	Settings Settings

	Discriminator *generated.Discriminator // that writes set; nil if all documents of the container are of the type

	// Rules tell which stored items are documents of the type; nil if all are.
	Rules []Rule

	Decode func(raw []byte) (any, error) // returns a pointer to the type that documents have
	Former []text.FormerName             // properties that old documents have under other names
	// Once returns a function that reports whether a document comes for the first
	// time. A document may come again from another partition key. Once is nil if each
	// document has one partition key.
	Once func() func(doc any) bool

	// ShowsDeleted says that reads and queries have the documents that count as deleted.
	ShowsDeleted bool

	// Schema says by which form of the type a document is stored; nil if none says it.
	Schema *Schema

	// Moves is nil if the documents of the type stay where they are.
	Moves *Moves

	Hierarchical   bool        // keys have levels
	GatewayRefused atomic.Bool // the gateway does not walk the partitions of this container
}

// JoinSession prepares an operation: on a store that can be used, and under a
// session, if there is one.
func (s *Store) JoinSession(ctx context.Context, op string) error {
	if err := s.Join(ctx); err != nil {
		return &wire.OperationError{Op: op, Type: s.Type, Err: err}
	}
	return nil
}
