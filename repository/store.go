package repository

import (
	"context"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// store is a container and what a repository knows of it, whatever the types of
// its documents and keys. What can be done without these types is done here, so
// that a program has the code once, and not for each document type.
type store struct {
	wire.Container
	settings settings

	discriminator *generated.Discriminator // nil if all documents of the container are of the type

	decode   func(raw []byte) (any, error) // returns a pointer to the type that documents have
	integers *integers                     // nil if documents have none that Cosmos DB would round
	rest     *rest                         // nil if that keeps no properties that it does not know

	// What the model says of keys:
	ambiguous    bool     // they can collide
	looks        bool     // another's document may have the id: Upsert, Replace and Delete look first
	random       bool     // they have a random suffix
	synthetic    bool     // they are stored in a property of their own
	hierarchical bool     // they have levels
	made         []int    // levels that are stored in properties of their own
	written      []string // paths of the id and of properties of the key whose types write JSON of their own

	refused atomic.Bool // the gateway does not walk the partitions of this container
}

// joinSession prepares an operation: on a store that can be used, and under a
// session, if there is one.
func (s *store) joinSession(ctx context.Context, op string) error {
	if err := s.Join(ctx); err != nil {
		return &wire.OperationError{Op: op, Type: s.Type, Err: err}
	}
	return nil
}
