// Package containers finds containers by name, and keeps them in fields.
package containers

import (
	"context"

	"example.com/m/fleet"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

const name = "event"

func byName(ctx context.Context, db *azcosmos.DatabaseClient, client *azcosmos.Client, day string) error {
	c, err := db.NewContainer(name)
	if err != nil {
		return err
	}
	_, err = c.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-eu"), "1", nil) // want `use its Get`
	if err != nil {
		return err
	}
	d, err := client.NewContainer("fleet", "account")
	if err != nil {
		return err
	}
	_, err = d.DeleteItem(ctx, azcosmos.NewPartitionKeyString("contoso"), "1", nil) // want `AccountRepository uses for the container: use its Delete`
	return err
}

func byKey(ctx context.Context, db *azcosmos.DatabaseClient, key fleet.OrderKey) error {
	c, err := db.NewContainer(key.Container())
	if err != nil {
		return err
	}
	_, err = c.ReadItem(ctx, azcosmos.NewPartitionKeyString(key.Tenant+"-7"), "1", nil) // want `OrderRepository uses for the container: use its Get`
	return err
}

type pair struct{ first, second *azcosmos.ContainerClient }

func newPair(ctx context.Context, c, d *azcosmos.ContainerClient, day string) *pair {
	_ = fleet.NewEventRepository(c)
	_ = pair{d, c}
	p := &pair{c, c}
	_, _ = p.second.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-eu"), "1", nil) // want `use its Get`
	_, _ = p.first.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-eu"), "1", nil)
	return p
}

type store struct {
	container, other *azcosmos.ContainerClient
	mixed            *azcosmos.ContainerClient
	events           *fleet.EventRepository
}

func newStore(c, d *azcosmos.ContainerClient) *store {
	return &store{container: c, other: d, mixed: c, events: fleet.NewEventRepository(c)}
}

func (s *store) read(ctx context.Context, day string) error {
	_, err := s.container.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-eu"), "1", nil) // want `use its Get`
	return err
}

// The rest is not certain, or meant.

func (s *store) meant(ctx context.Context, day string) {
	_, _ = s.container.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-eu"), "1", nil) //nolint:errcheck, pkgen // a document of before
	_, _ = s.container.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-us"), "1", nil) //nolint
	_, _ = s.container.ReadItem(ctx, azcosmos.NewPartitionKeyString(day+"-de"), "1", nil) /* want `use its Get` */ //nolint:errcheck
}

func (s *store) others(ctx context.Context, db *azcosmos.DatabaseClient, d *azcosmos.ContainerClient, id, day string) error {
	s.mixed = d
	pk := azcosmos.NewPartitionKeyString(day + "-eu")
	_, _ = s.other.ReadItem(ctx, pk, "1", nil)
	_, _ = s.mixed.ReadItem(ctx, pk, "1", nil)
	_, _ = s.container.ReadItem(ctx, azcosmos.NewPartitionKeyString(day), "1", nil)
	c, err := db.NewContainer(id)
	if err != nil {
		return err
	}
	_, _ = c.ReadItem(ctx, pk, "1", nil)
	c, err = db.NewContainer("unknown")
	if err != nil {
		return err
	}
	_, err = c.ReadItem(ctx, pk, "1", nil)
	return err
}
