package admin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/migration"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// MoveAll moves the documents of the old container to the new one, while programs of PhaseBoth
// and PhaseNew run: four writes and four point reads for each, about 26 request units for 1 KB.
// Each document keeps its properties, including those that the type does not have, and the rest
// of its time to live. Several programs may run MoveAll, and it may be interrupted and started
// again at any time. [Run.Budget] leaves throughput for others, and [Run.Leases] shares the
// work. When all changes are handled, each process reads the old container once, to move
// remaining documents and to report those that cannot move.
//
// In PhaseNew, MoveAll ends when no document of the old container can be moved.
// [MigrationSummary] lists the blocked ones.
//
// In PhaseDone, MoveAll moves nothing. It deletes unfinished creations and copies from the new
// container, which a repository without a migration would read, with one write each. Documents
// still in the old container are reported in Blocked. It costs a query of both containers.
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

// MigrationSummary is the result of [MoveAll].
type MigrationSummary struct {
	Moved   int     // documents that this call has moved
	Removed int     // unfinished moves and creations deleted from the new container
	Blocked []error // why documents cannot move, at most 100: an invalid key, or another document at their place

	// Done reports in PhaseNew that the old container has no documents: PhaseDone may be
	// released, if all programs were in PhaseNew when MoveAll began. In PhaseDone it reports
	// that the new container has only documents: a release without the migration may follow, if
	// all programs were in PhaseDone when MoveAll began.
	Done bool

	RequestUnits float64 // the sum of the charges, including those of leases
}
