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

// ErrMoveRunning is returned if another process is moving the tenant. Wait until it has ended. If that
// process has crashed, [Move] takes over after about ten seconds.
var ErrMoveRunning = move.ErrRunning

// TenantMove names a tenant and its destination.
type TenantMove struct {
	// Shared is the id of the container in which tenants live by default, from container= in
	// the tag.
	Shared string

	// Tenant is the text of the tenant in the partition key.
	Tenant string

	// To is the id of the container to which the tenant moves: one of its own, or Shared.
	To string

	// Budget is the average number of request units a second that the move uses, at least
	// [admin.MinBudget]; 0 is no limit. The pause, in which writes wait, has no limit.
	Budget float64

	// Queries is the longest duration of a query of a program: a minute if it is 0. [Move]
	// waits that long before it removes documents from the old place. A query that takes longer
	// ends with [repository.ErrMoved].
	Queries time.Duration

	// DryRun has [Move] check whether the tenant can move, and count its documents, without
	// writing.
	DryRun bool

	// Progress is called after each step and each page of documents, one call at a time. The
	// move waits for it. It may be nil.
	Progress func(MoveSummary)
}

// MoveSummary is the progress of a move.
type MoveSummary struct {
	// Step is the current step: "claimed", "marked" while all writers learn of the move,
	// "copying", "closing" while writes wait, "decided" while they wait until all regions of an
	// account with several have the switch, "switched" while all readers learn of it, or "done".
	Step string

	// From and To are the ids of the containers.
	From, To string

	// Total is the number of the tenant's documents when this call began. Documents is the
	// number copied, with repeated copies of documents that changed meanwhile, and Bytes their
	// size.
	Total, Documents, Bytes int64

	// Deleted is the number of deletions repeated at the destination, and Removed the number of
	// documents of the old place removed after the switch.
	Deleted, Removed int64

	// Mended is the number of documents that differed when both sides were compared. It is 0
	// unless programs that do not use the directory wrote documents.
	Mended int64

	// Fenced is the number of write requests sent with the fence.
	Fenced int64

	// Resumed reports that an earlier call began the move.
	Resumed bool

	// RequestUnits is the sum of the charges, including those of the directory.
	RequestUnits float64

	// Duration is the duration of this call, and Pause how long the tenant's writes waited:
	// from before the old place was closed until after the switch.
	Duration, Pause time.Duration
}

// Move moves the documents of a tenant, of all types, to another container of the database db,
// while programs read and write them through repositories with this directory. Both containers
// have the same partition key, which is the tenant or begins with it, and the same time to
// live. The destination has no document of the tenant.
//
// Move may be interrupted at any point. The same call, even on another machine, resumes the
// move. If two processes move one tenant, one of them gets [ErrMoveRunning]. If a move to
// another container has begun, Move changes nothing, and returns an error.
//
// The steps are: mark the tenant, and wait until all processes know (46 seconds with the
// default times of a directory); copy the documents, and later changes; stop writes, copy the
// last changes, count on both sides, and switch; wait again, and for the longest query, and
// remove the old documents. Until writes are stopped, every write of the tenant also patches
// one document, the fence, in the same transaction. Writes that come while they are stopped
// wait, usually some tens of milliseconds. If the counts differ and cannot be reconciled, the
// tenant stays in the old container, and Move returns an error.
//
// If the tenant is the first of several levels of the key, no transaction covers all its
// documents, so there is no fence. Writes then wait as long as Move waits until all processes
// know, 46 seconds with the default times, and for a comparison of all ids. Make a directory
// with shorter times for such types.
//
// In an account with several regions, Move takes a step only when all regions have what the step
// relies on, so that a forced failover loses no tenant. It waits for a region for at most 15
// minutes. While writes are stopped, it gives up after 10 seconds, and writes resume at the old
// place. After the switch, writes wait until all regions have it.
//
// For each document of 1 KB, Move spends about 1 request unit to read it, 7 to write it, and 6
// to remove it. A document with a time to live keeps the rest of it. A document of 2 MB, the
// service's limit, does not fit into a transaction with the fence, so a tenant with such a
// document does not move: stay below 1.9 MB.
//
// The client of db must be made with [repository.Configure]. Move is safe for concurrent use.
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
