package moving

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/earlier"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// All are the types, with the features that each has.
var All = []shapes.Shape{
	{
		Name: "Growing", Features: []string{"growing", "etag"}, Container: GrowingContainer,
		Open: func(c *azcosmos.ContainerClient, o ...repository.Option) shapes.Store {
			return shapes.Open(NewGrowingRepository(c, o...).Documents)
		},
		Earlier: func(c *azcosmos.ContainerClient, o ...repository.Option) shapes.Store {
			return shapes.Open(earlier.NewGrowingRepository(c, o...).Documents)
		},
		Move: func(ctx context.Context, c *azcosmos.ContainerClient) (bool, error) {
			s, err := NewGrowingRepository(c).Rekey(ctx)
			return s.Done(), err
		},
	},
}
