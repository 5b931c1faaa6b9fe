package byhand

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Ensure makes the container of orders, or compares the key of the one that is there.
func Ensure(ctx context.Context, db *azcosmos.DatabaseClient) (*azcosmos.ContainerClient, error) {
	const id, path = "orders-by-hand", "/partitionKey"
	throughput := azcosmos.NewAutoscaleThroughputProperties(1000)
	perDocument := int32(-1) // those that have a ttl of their own expire, no others
	_, err := db.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{path}, Kind: azcosmos.PartitionKeyKindHash, Version: 2},
		DefaultTimeToLive:      &perDocument,
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic:     true,
			IndexingMode:  azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			CompositeIndexes: [][]azcosmos.CompositeIndex{{
				{Path: "/placed", Order: azcosmos.CompositeIndexDescending},
				{Path: "/id", Order: azcosmos.CompositeIndexDescending},
			}},
		},
	}, &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
	var failure *azcore.ResponseError
	if err != nil && (!errors.As(err, &failure) || failure.StatusCode != http.StatusConflict) {
		return nil, err
	}
	container, err := db.NewContainer(id)
	if err != nil {
		return nil, err
	}
	stored, err := container.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	if key := stored.ContainerProperties.PartitionKeyDefinition; len(key.Paths) != 1 || key.Paths[0] != path || key.Version != 2 {
		return nil, errors.New("the container " + id + " has another partition key")
	}
	return container, nil
}
