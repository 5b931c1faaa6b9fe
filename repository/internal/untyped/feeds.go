package untyped

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/placing"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Feeds returns the containers of the type whose change feeds are read as one, nil if it
// has one container.
func (d *Documents) Feeds() *feed.Several {
	if d.several == nil {
		return nil
	}
	t := &d.Types
	return &feed.Several{
		Store: d.Store, Wrong: d.Wrong, List: d.several.listed, Now: d.settings.Containers.Now,
		In: func(name string) (*store.Store, error) {
			in, err := d.In(name)
			if err != nil {
				return nil, err
			}
			return in.Store, nil
		},
		Ends: func(name string) (time.Time, bool) {
			n, ok := t.Template.Read(name)
			return n.End, ok
		},
	}
}

// listed returns the containers of the type that exist.
func (s *several) listed(ctx context.Context) ([]feed.Listed, error) {
	t := &s.root.Types
	all, err := s.properties(ctx)
	var listed []feed.Listed
	for _, c := range all {
		if _, ok := t.Template.Read(c.ID); ok {
			listed = append(listed, feed.Listed{Name: c.ID, RID: c.ResourceID, KeyVersion: c.PartitionKeyDefinition.Version})
		}
	}
	return listed, err
}

// properties returns the containers of the database that have the partition key of the type.
func (s *several) properties(ctx context.Context) ([]azcosmos.ContainerProperties, error) {
	t := &s.root.Types
	if t.Seal != "" {
		ctx = wire.WithDraft(ctx, t.Seal)
	}
	return placing.Containers(ctx, s.db, t.Name, t.Paths)
}
