package harness

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Stored returns everything that a container stores: marks, reservations and the documents of every
// type.
func Stored[T any](ctx context.Context, container *azcosmos.ContainerClient) (all []T, err error) {
	pager := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return all, err
		}
		for _, item := range page.Items {
			var doc T
			if err := json.Unmarshal(item, &doc); err != nil {
				return all, err
			}
			all = append(all, doc)
		}
	}
	return all, nil
}
