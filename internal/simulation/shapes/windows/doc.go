// Package windows has types whose documents are in a container for each month.
package windows

//go:generate go run ../../compose windows
//go:generate go run ../../../../cmd/pkgen

import (
	"context"
	_ "embed"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

//go:embed pkgen.lock
var lock string

// Missing is a month whose container programs make during a run.
const Missing = 2

// shape returns a shape. The containers of all months but one are there, and of one month more
// that has no documents.
func shape(
	name string, features []string, container func(time.Time) azcosmos.ContainerProperties,
	ensure func(ctx context.Context, db *azcosmos.DatabaseClient, at time.Time, throughput admin.Throughput, o ...admin.EnsureOption) (*azcosmos.ContainerClient, error),
	open shapes.Opens, others ...shapes.Opens,
) shapes.Shape {
	makes := func(ctx context.Context, db *azcosmos.DatabaseClient, at time.Time) error {
		_, err := ensure(ctx, db, at, admin.Manual(400))
		return err
	}
	making := func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
		return open(db, append(o, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.Manual(400) }))...)
	}
	s := shapes.Shape{
		Name: name, Features: features, Lock: lock, Patience: 100 * time.Second,
		Stages: []shapes.Stage{{
			Programs: append([]shapes.Opens{open, making}, others...),
			Maintain: func(ctx context.Context, db *azcosmos.DatabaseClient, n int) error {
				month := Missing
				if n%3 == 0 { // it is there, or another program makes it
					month = n % (shapes.Months + 1)
				}
				return makes(ctx, db, shapes.Month(month))
			},
			Settle: func(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
				return true, makes(ctx, db, shapes.Month(Missing))
			},
		}},
	}
	for month := range shapes.Months + 1 {
		if month != Missing {
			s.Containers = append(s.Containers, container(shapes.Month(month)))
		}
	}
	return s
}
