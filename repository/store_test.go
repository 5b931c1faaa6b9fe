package repository

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

var plain = azcosmos.ContainerProperties{
	ID: "c",
	PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2,
	},
}

// sourceOf makes the database db and its container c, and returns the container.
func sourceOf(t *testing.T, client *azcosmos.Client) *store.Store {
	t.Helper()
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, plain, nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer("c")
	if err != nil {
		t.Fatal(err)
	}
	return &store.Store{Container: wire.Container{Client: container, Type: "Doc", Paths: []string{"/pk"}}, Settings: newSettings(nil).Settings, Decode: (&untyped.Types{Fresh: func() any { return new(merging) }}).Decoding(json.Unmarshal)}
}
