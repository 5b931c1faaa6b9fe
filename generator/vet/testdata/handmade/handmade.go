// Package handmade uses a container by a repository and without.
package handmade

import (
	"context"
	"fmt"
	"strings"

	"example.com/m/fleet"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func made(ctx context.Context, c *azcosmos.ContainerClient, day, region string, account *fleet.Account) {
	events := fleet.NewEventRepository(c)
	_ = events
	pk := azcosmos.NewPartitionKeyString(day + "-" + region)
	_, _ = c.ReadItem(ctx, pk, "1", nil)                                                                         // want `the partition key of this ReadItem is made by hand, and may differ from the key that EventRepository uses for the container: use its Get`
	_, _ = c.DeleteItem(ctx, azcosmos.NewPartitionKeyString(fmt.Sprintf("%s-%s", day, region)), "1", nil)        // want `use its Delete`
	_, _ = c.CreateItem(ctx, azcosmos.NewPartitionKeyString("2018-08-09-eu.1"), nil, nil)                        // want `use its Create`
	_, _ = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(strings.Join([]string{day, region}, "-")), nil, nil) // want `use its Upsert`
	_, _ = c.PatchItem(ctx, azcosmos.NewPartitionKeyString(account.Owner), "1", azcosmos.PatchOperations{}, nil) // want `use its Patch`
	_ = c.NewTransactionalBatch(azcosmos.NewPartitionKey().AppendString(day).AppendString(day + region))         // want `use its In`
	_ = c.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString(strings.ToLower("A")+day), nil)   // want `use its By methods`
}

// The rest is made of generated keys, of what cannot be seen, or for containers
// of which there is no repository here.

func generated(ctx context.Context, c, other *azcosmos.ContainerClient, e *fleet.Event, given azcosmos.PartitionKey, text string) {
	events := fleet.NewEventRepository(c)
	_ = events
	_, _ = c.ReadItem(ctx, azcosmos.NewPartitionKeyString(e.PartitionKey()), e.ID, nil)
	key := e.Key().PartitionKey()
	pk := azcosmos.NewPartitionKeyString(key + "")
	_, _ = c.ReadItem(ctx, pk, e.ID, nil)
	_, _ = c.ReadItem(ctx, given, e.ID, nil)
	_, _ = c.ReadItem(ctx, azcosmos.NewPartitionKeyString(text), e.ID, nil)
	_ = c.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	_, _ = other.ReadItem(ctx, azcosmos.NewPartitionKeyString("x-"+text), e.ID, nil)
	if text != "" {
		pk = given
	}
	_, _ = c.ReadItem(ctx, pk, e.ID, nil)
}
