package moving

import (
	"context"
	_ "embed"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/earlier"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

//go:embed pkgen.lock
var lock string

// All are the types, with the features that each has.
var All = []shapes.Shape{
	shape("Growing", []string{"growing", "etag"}, GrowingContainer(), openGrowing, openEarlier, rekey),
	shape("GrowingAlone", []string{"growing", "idlevel", "etag"}, GrowingAloneContainer(), openGrowingAlone, openEarlierGrowingAlone, rekeyGrowingAlone),
	shape("Grown", []string{"growing", "etag", "created", "updated", "version", "aliases", "later", "rest", "shared", "index"},
		GrownContainer(), openGrown, openEarlierGrown, rekeyGrown).With(shapes.NewIndex(GrownByTagContainer(), GrownContainer().ID,
		func(c *azcosmos.ContainerClient, o ...repository.Option) shapes.Entries {
			r := NewGrownByTagRepository(c, o...)
			return shapes.OpenEntries(r.Index, r.ByTag)
		})),
}

// shape returns a type with two stages: programs of two releases run in the first one, and
// documents move in the second.
func shape(name string, features []string, container azcosmos.ContainerProperties, open, openEarlier shapes.Opens, rekey func(context.Context, *azcosmos.DatabaseClient) (bool, error)) shapes.Shape {
	return shapes.Shape{
		Name: name, Features: features, Lock: lock, Containers: []azcosmos.ContainerProperties{container},
		Stages: []shapes.Stage{
			{Programs: []shapes.Opens{open, openEarlier}, Apart: true},
			{
				Programs: []shapes.Opens{open},
				Maintain: func(ctx context.Context, db *azcosmos.DatabaseClient, _ int) error {
					_, err := rekey(ctx, db)
					return err
				},
				Settle: rekey,
			},
		},
		Moves:    true,
		Lag:      20 * time.Second, // a write to a document that has just moved is acknowledged when no query misses it any more: see docs/keys.md
		Patience: 100 * time.Second,
	}
}

func openGrowingAlone(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewGrowingAloneRepository(shapes.Container(db, GrowingAloneContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func openEarlierGrowingAlone(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := earlier.NewGrowingAloneRepository(shapes.Container(db, earlier.GrowingAloneContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func rekeyGrowingAlone(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
	s, err := admin.Rekey(ctx, NewGrowingAloneRepository(shapes.Container(db, GrowingAloneContainer())).Documents, admin.Run{})
	return s.Done(), err
}

func openGrown(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewGrownRepository(shapes.Container(db, GrownContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func openEarlierGrown(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := earlier.NewGrownRepository(shapes.Container(db, earlier.GrownContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func rekeyGrown(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
	s, err := admin.Rekey(ctx, NewGrownRepository(shapes.Container(db, GrownContainer())).Documents, admin.Run{})
	return s.Done(), err
}

func openGrowing(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewGrowingRepository(shapes.Container(db, GrowingContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func openEarlier(db *azcosmos.DatabaseClient, _ ...repository.Option) shapes.Store {
	r := earlier.NewGrowingRepository(shapes.Container(db, earlier.GrowingContainer()))
	return shapes.Open(r.Documents, r)
}

func rekey(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
	s, err := admin.Rekey(ctx, NewGrowingRepository(shapes.Container(db, GrowingContainer())).Documents, admin.Run{})
	return s.Done(), err
}
