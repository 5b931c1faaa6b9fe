package query

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// keyed are the properties of the container that tests of this package use.
var keyed = azcosmos.ContainerProperties{
	ID: "c",
	PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2,
	},
}

// configured are the options of a client whose requests have the policies.
func configured() *azcosmos.ClientOptions {
	var o azcosmos.ClientOptions
	wire.AddPolicies(&o)
	return &o
}

// readFrom returns a store of whole documents, as JSON has them.
func readFrom(c *azcosmos.ContainerClient, typ string) *store.Store {
	return &store.Store{
		Container: wire.Container{Client: c, Type: typ, Paths: []string{"/pk"}},
		Settings:  store.Settings{Concurrency: 32, MaxKeys: 10_000, Unmarshal: json.Unmarshal},
		Decode:    func(raw []byte) (any, error) { return raw, nil },
	}
}

// newSource returns a new container of a client's.
func newSource(t *testing.T, client *azcosmos.Client) *store.Store {
	t.Helper()
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, keyed, nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(keyed.ID)
	if err != nil {
		t.Fatal(err)
	}
	return readFrom(container, "Doc")
}
