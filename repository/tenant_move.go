package repository

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy/move"
)

// ErrMoveRunning says that another process moves the tenant. Nothing is wrong: wait until it has
// ended. If that process has crashed, [MoveTenant] takes over after about ten seconds.
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
}

// MoveTenantSummary is what a move has done so far.
type MoveTenantSummary struct {
	// Step is how far the move is: "claimed", "marked" while it waits until all writers
	// know of it, "copying", "closing" while writes wait, "switched" while it waits until
	// all readers know of it, or "done".
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

// MoveTenantOption changes how [MoveTenant] works.
type MoveTenantOption func(*moveTenantSettings)

type moveTenantSettings struct {
	move.Settings
	wrong error
}

// MoveTenantBudget limits [MoveTenant] to an average of perSecond request units a second,
// at least [MinRekeyBudget]. The pause, in which writes wait, has no limit.
func MoveTenantBudget(perSecond float64) MoveTenantOption {
	return func(s *moveTenantSettings) {
		s.Budget, s.wrong = perSecond, errors.Join(s.wrong, checkBudget(perSecond))
	}
}

// MoveTenantQueries says how long one query of a program takes at most: a minute, unless
// this is given. [MoveTenant] waits as long before it removes documents from the old
// place. A query that takes longer ends with [ErrMoved].
func MoveTenantQueries(longest time.Duration) MoveTenantOption {
	return func(s *moveTenantSettings) {
		if s.Queries = longest; longest < 0 {
			s.wrong = errors.Join(s.wrong, errors.New("the longest query takes less than no time"))
		}
	}
}

// MoveTenantDryRun has [MoveTenant] check whether the tenant can move, and count its
// documents, and write nothing.
func MoveTenantDryRun() MoveTenantOption {
	return func(s *moveTenantSettings) { s.DryRun = true }
}

// OnMoveTenantProgress has a function called after each step and each page of documents.
// Calls do not overlap. The move waits for them.
func OnMoveTenantProgress(f func(MoveTenantSummary)) MoveTenantOption {
	return func(s *moveTenantSettings) {
		if s.Progress = nil; f != nil {
			s.Progress = func(done move.Summary) { f(moveTenantSummaryOf(done)) }
		}
	}
}

// MoveTenant moves the documents of a tenant, of all types, to another container of the
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
// documents, so that there is no fence. Writes then wait for as long as MoveTenant waits
// until all processes know, 46 seconds with the usual times, and for a comparison of all
// ids. Make a directory with shorter times for such types.
//
// For each document of 1 KB, MoveTenant spends about 1 request unit to read it, 7 to write
// it, and 6 to remove it. A document that has a time to live keeps what is left of it. A
// document of 2 MB, the most that the service stores, is too large for a transaction with
// the fence, so that a tenant with such a document does not move: keep to 1.9 MB.
//
// The client of db is made with [Configure]. MoveTenant is safe for concurrent use.
func MoveTenant(ctx context.Context, db *azcosmos.DatabaseClient, directory *TenantDirectory, tenant TenantMove, opts ...MoveTenantOption) (MoveTenantSummary, error) {
	s := moveTenantSettings{Settings: move.Settings{Queries: move.DefaultQueries}}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.Join(s.wrong, errors.New("a MoveTenantOption is nil"))
			continue
		}
		o(&s)
	}
	if db == nil || directory == nil {
		s.wrong = errors.Join(s.wrong, errors.New("the database or the directory is nil"))
	}
	if s.wrong != nil {
		return MoveTenantSummary{}, &Error{Op: move.Op, Type: move.TypeOf(tenant.Shared), Err: s.wrong}
	}
	s.Container, s.Records = db.NewContainer, directory.cache.Records
	s.Shared, s.Tenant, s.To = tenant.Shared, tenant.Tenant, tenant.To
	done, err := move.Run(ctx, s.Settings)
	return moveTenantSummaryOf(done), err
}

func moveTenantSummaryOf(s move.Summary) MoveTenantSummary {
	return MoveTenantSummary{
		Step: string(s.Step), From: s.From, To: s.To,
		Total: s.Total, Documents: s.Documents, Bytes: s.Bytes, Deleted: s.Deleted, Removed: s.Removed,
		Mended: s.Mended, Fenced: s.Fenced, Resumed: s.Resumed,
		RequestUnits: s.RequestUnits, Duration: s.Duration, Pause: s.Pause,
	}
}
