// Package formerly has types whose documents move to another container while programs read
// and write them.
package formerly

//go:generate go run ../../compose formerly
//go:generate go run ../../../../cmd/pkgen

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

//go:embed pkgen.lock
var lock string

// mover moves all documents.
type mover func(ctx context.Context, db *azcosmos.DatabaseClient, phase repository.Phase, run admin.Run) (admin.MigrationSummary, error)

// shape returns a shape. Each release has the next phase, and programs of two releases run side
// by side.
func shape(
	name string, features []string, from, to azcosmos.ContainerProperties, last shapes.Opens,
	open func(db *azcosmos.DatabaseClient, phase repository.Phase, o ...repository.Option) shapes.Store, move mover,
) shapes.Shape {
	in := func(phase repository.Phase) shapes.Opens {
		return func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store { return open(db, phase, o...) }
	}
	moves := func(phase repository.Phase) func(context.Context, *azcosmos.DatabaseClient, int) error {
		return func(ctx context.Context, db *azcosmos.DatabaseClient, n int) error {
			_, err := move(ctx, db, phase, admin.Run{Concurrency: 1 + n%3})
			return err
		}
	}
	ends := func(phase repository.Phase) func(context.Context, *azcosmos.DatabaseClient) (bool, error) {
		return func(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
			s, err := move(ctx, db, phase, admin.Run{})
			if err == nil && len(s.Blocked) > 0 {
				err = fmt.Errorf("documents are blocked: %w", errors.Join(s.Blocked...))
			}
			return s.Done, err
		}
	}
	waits := func(context.Context, *azcosmos.DatabaseClient) (bool, error) {
		time.Sleep(time.Minute) // a request of a program that has crashed may take that long
		return true, nil
	}
	both, fresh, done := in(repository.PhaseBoth), in(repository.PhaseNew), in(repository.PhaseDone)
	return shapes.Shape{
		Name: name, Features: features, Lock: lock, Moves: true, Patience: 10 * time.Second,
		Containers: []azcosmos.ContainerProperties{from, to},
		Stages: []shapes.Stage{
			{Programs: []shapes.Opens{in(repository.PhaseOld), both}},
			{Programs: []shapes.Opens{both, fresh}, Maintain: moves(repository.PhaseNew)},
			{Programs: []shapes.Opens{fresh}, Maintain: moves(repository.PhaseNew), Settle: ends(repository.PhaseNew)},
			{Programs: []shapes.Opens{fresh, done}, Maintain: moves(repository.PhaseNew), Settle: waits},
			{Programs: []shapes.Opens{done}, Maintain: moves(repository.PhaseDone), Settle: ends(repository.PhaseDone)},
			{Programs: []shapes.Opens{last}},
		},
	}
}
