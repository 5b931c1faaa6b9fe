package tenancy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy/move"
)

// ErrMoveRunning says that another process moves the tenant. Nothing is wrong: wait until it has
// ended. If that process has crashed, [Move] takes over after about ten seconds.
var ErrMoveRunning = move.ErrRunning

// TenantMove says which tenant moves, and where to.
type TenantMove struct {
	// Shared is the id of the container in which tenants live by default, as container=
	// in the tag says.
	Shared string

	// Tenant is the text of the tenant in the partition key.
	Tenant string

	// To is the id of the container to which the tenant moves: one of its own, or Shared.
	To string

	// Budget is how many request units a second the move uses on average, at least
	// [admin.MinBudget]; 0 is no limit. The pause, in which writes wait, has no limit.
	Budget float64

	// Queries is how long one query of a program takes at most: a minute if it is 0. [Move]
	// waits as long before it removes documents from the old place. A query that takes
	// longer ends with [repository.ErrMoved].
	Queries time.Duration

	// DryRun has [Move] check whether the tenant can move, and count its documents, and
	// write nothing.
	DryRun bool

	// Progress is called after each step and each page of documents, one call at a time. The
	// move waits for it. It may be nil.
	Progress func(MoveSummary)
}

// MoveSummary is what a move has done so far.
type MoveSummary struct {
	// Step is how far the move is: "claimed", "marked" while it waits until all writers
	// know of it, "copying", "closing" while writes wait, "decided" while they wait until all
	// regions of an account with several have the switch, "switched" while it waits until all
	// readers know of it, or "done".
	Step string

	// From and To are the ids of the containers.
	From, To string

	// Total is how many documents the tenant had when this call began, and Documents how
	// many were copied; some of them were copied again after they had changed. Bytes is
	// the size of these.
	Total, Documents, Bytes int64

	// Deleted is how many deletions were repeated at the destination, and Removed how many
	// documents of the old place were removed after the switch.
	Deleted, Removed int64

	// Mended is how many documents differed when both sides were compared. It is 0 unless
	// programs wrote that do not know the directory.
	Mended int64

	// Fenced is how many requests to write were sent together with the fence.
	Fenced int64

	// Resumed says that the move was begun by an earlier call.
	Resumed bool

	// RequestUnits is the sum of the charges, also those of the directory.
	RequestUnits float64

	// Duration is how long this call has taken, and Pause how long no write of the tenant
	// was taken: from before the old place was closed until after the switch.
	Duration, Pause time.Duration
}

// Move moves the documents of a tenant, of all types, to another container of the
// database db, while programs read and write them through repositories with this
// directory. Both containers have the same partition key, which is the tenant or begins
// with it, and the same time to live. The destination has no document of the tenant.
//
// It may be interrupted at any point. The same call, also on another machine, goes on with
// the move. If two processes move one tenant, one of them gets [ErrMoveRunning]. If a move
// to another container has begun, the error says so, and nothing is changed.
//
// The steps are: mark the tenant, and wait until all processes know (46 seconds with the
// usual times of a directory); copy the documents, and what changes meanwhile; stop
// writes, copy the last changes, count on both sides, and switch; wait again, and for the
// longest query, and remove the old documents. Until writes are stopped, every write of
// the tenant patches one more document, the fence, in the same transaction. Writes that
// come while they are stopped wait, some tens of milliseconds as a rule. If the counts
// differ, and cannot be made the same, the tenant stays where it was, and the error says
// so.
//
// If the tenant is the first of several levels of the key, no transaction has all of its
// documents, so that there is no fence. Writes then wait for as long as Move waits
// until all processes know, 46 seconds with the usual times, and for a comparison of all
// ids. Make a directory with shorter times for such types.
//
// In an account with several regions, Move takes a step only when all regions have what the step
// relies on, so that a forced failover loses no tenant. It waits for a region for 15 minutes at
// most. While writes are stopped, it gives up after 10 seconds, and writes go on at the old
// place. After the switch, writes wait until all regions have it.
//
// For each document of 1 KB, Move spends about 1 request unit to read it, 7 to write
// it, and 6 to remove it. A document that has a time to live keeps what is left of it. A
// document of 2 MB, the most that the service stores, is too large for a transaction with
// the fence, so that a tenant with such a document does not move: keep to 1.9 MB.
//
// The client of db is made with [repository.Configure]. Move is safe for concurrent use.
func Move(ctx context.Context, db *azcosmos.DatabaseClient, directory *TenantDirectory, tenant TenantMove) (MoveSummary, error) {
	s := move.Settings{Queries: tenant.Queries, Budget: tenant.Budget, DryRun: tenant.DryRun}
	if s.Queries == 0 {
		s.Queries = move.DefaultQueries
	}
	if tenant.Progress != nil {
		s.Progress = func(done move.Summary) { tenant.Progress(summaryOf(done)) }
	}
	var wrong error
	switch {
	case db == nil || directory == nil:
		wrong = errors.New("the database or the directory is nil")
	case s.Queries < 0:
		wrong = errors.New("the longest query takes less than no time")
	case s.Budget != 0 && !(s.Budget >= admin.MinBudget): // NaN is too small
		wrong = fmt.Errorf("a budget of %v request units a second is too small: give at least %d, or no budget", s.Budget, admin.MinBudget)
	}
	if wrong != nil {
		return MoveSummary{}, &documents.Error{Op: move.Op, Type: move.TypeOf(tenant.Shared), Err: wrong}
	}
	s.Container, s.Records = db.NewContainer, directory.cache.Records
	s.Shared, s.Tenant, s.To = tenant.Shared, tenant.Tenant, tenant.To
	done, err := move.Run(ctx, s)
	return summaryOf(done), err
}

func summaryOf(s move.Summary) MoveSummary {
	return MoveSummary{
		Step: string(s.Step), From: s.From, To: s.To,
		Total: s.Total, Documents: s.Documents, Bytes: s.Bytes, Deleted: s.Deleted, Removed: s.Removed,
		Mended: s.Mended, Fenced: s.Fenced, Resumed: s.Resumed,
		RequestUnits: s.RequestUnits, Duration: s.Duration, Pause: s.Pause,
	}
}
