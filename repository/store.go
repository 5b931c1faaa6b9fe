package repository

import (
	"context"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// store is a container and what a repository knows of it, whatever the types of
// its documents and keys. What can be done without these types is done here, so
// that a program has the code once, and not for each document type.
type store struct {
	container *azcosmos.ContainerClient
	typ       string   // of the documents, for errors
	draft     string   // the command that seals the layout of their key; "" if that is no draft
	paths     []string // of the partition key, one for each level
	settings  settings

	discriminator *generated.Discriminator // nil if all documents of the container are of the type

	unusable error // why nothing can be done with it; nil of all that are made rightly

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

	here       atomic.Bool      // a draft is on this machine
	partitions route.Partitions // the physical ones
	refused    atomic.Bool      // the gateway does not walk the partitions of this container
}

// physical returns the physical partitions of the container and the version of
// that knowledge, or why queries cannot be scoped to them. The first call for a
// container sends up to three requests for metadata, later ones none.
func (s *store) physical(ctx context.Context) (m *route.Map, version int, err error) {
	if err := s.stays(ctx); err != nil {
		return nil, 0, err
	}
	return s.partitions.Read(ctx, s.container)
}

// refresh returns the physical partitions anew after a request has shown that
// those of this version are gone. Of several that ask at once, one sends
// requests.
func (s *store) refresh(ctx context.Context, version int) (*route.Map, int, error) {
	return s.partitions.Refresh(ctx, s.container, version)
}
