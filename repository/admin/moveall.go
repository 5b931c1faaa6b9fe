package admin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/migration"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// MoveAll moves the documents of the old container to the new one, while programs of
// PhaseBoth and PhaseNew work: four writes and four point reads for each, about 26
// request units for 1 KB. Each document keeps its properties, those that the type does
// not know too, and what is left of its time to live. Several programs may run it, and
// it may be stopped and begun anew at any time. [Run.Budget] leaves throughput for
// others, and [Run.Leases] shares the work. When all changes are handled, each process reads
// the old container once, to move what is left and to say what cannot move.
//
// In PhaseNew, MoveAll ends when the old container has nothing more to move, and says
// what cannot move: see [MigrationSummary].
//
// In PhaseDone it moves nothing. It removes drafts of creations and copies that programs
// of PhaseNew left in the new container when they crashed, one write each. No migration
// reads them, but a repository without one does. What it finds in the old container is
// Blocked. It costs a query of both containers.
func MoveAll[T any, K comparable](ctx context.Context, m *repository.Migration[T, K], run Run) (MigrationSummary, error) {
	both, old := untyped.OfMigration(m)
	wrong := run.wrong(write.OpMove, both.New.Type, refuse(run.DryRun, "dry run", "MoveAll"), refuse(run.Progress != nil, "progress", "MoveAll"))
	if wrong != nil {
		return MigrationSummary{}, wrong
	}
	settings := run.bulk(old)
	if run.Concurrency == 0 {
		settings.Concurrency = both.New.Settings.Concurrency
	}
	a := migration.NewMoveAll(both, settings)
	if err := a.Check(); err != nil {
		return MigrationSummary{}, err
	}
	if run.Leases != nil && both.Phase == write.PhaseNew {
		p, err := sharing(old, "moveall", run, a.Changed)
		if err != nil {
			return MigrationSummary{}, err
		}
		err = a.Share(ctx, func(ctx context.Context) error { return rekey.UntilCaughtUp(ctx, p, func(int64, bool) {}) })
		if err != nil {
			return MigrationSummary(a.Summary()), err
		}
	}
	summary, err := a.Run(ctx)
	return MigrationSummary(summary), err
}

// MigrationSummary says what [MoveAll] has done.
type MigrationSummary struct {
	Moved   int     // documents that this call has moved
	Removed int     // what moves and creations that ended early had left in the new container
	Blocked []error // why documents cannot move, 100 at most: an invalid key, or another document at their place

	// Done says in PhaseNew that the old container has no documents any more: PhaseDone
	// may be released, if all programs were in PhaseNew when MoveAll began. In PhaseDone
	// it says that the new container has documents alone: a release without the migration
	// may follow, if all programs were in PhaseDone when MoveAll began.
	Done bool

	RequestUnits float64 // the sum of the charges, those of leases too
}
