package admin

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// PurgeDeleted permanently deletes the documents that were marked as deleted before a time,
// with the reservations of their unique values. Programs may read, write, restore and delete
// meanwhile: a document that is restored stays, even if it is deleted again. Several processes
// may run it at once, which costs more and is not faster. It may end and start again at any
// point.
//
// It reads the marked documents with a query to each physical partition, about 1 request unit
// for 1 KB. Each costs a point read and a deletion, about 7 request units for 1 KB, and a
// deletion for each unique value. The summary counts the documents Found and Removed; Failed
// counts documents that could not be removed, such as those of a later form. After a dry run,
// Left is the number found. An error means that the pass ended early or, before any request,
// that the type has no deleted or that its tenants move.
func PurgeDeleted[T any, K generated.Key](ctx context.Context, docs *repository.Documents[T, K], before time.Time, run Run) (Summary, error) {
	return purge(ctx, untyped.Of(docs), before, run)
}

func purge(ctx context.Context, d *untyped.Documents, before time.Time, run Run) (Summary, error) {
	if err := run.wrong(untyped.OpPurgeAll, d.Store.Type, refuse(run.Leases != nil, "leases", "PurgeDeleted")); err != nil {
		return Summary{}, err
	}
	s := untyped.Purging{Before: before, Bulk: run.bulk(d), DryRun: run.DryRun}
	summary := func(p untyped.Purged) Summary {
		out := Summary{Found: p.Found, Removed: p.Removed, Failed: p.Failed, Err: p.Err, Left: p.Failed, RequestUnits: p.RequestUnits}
		if run.DryRun {
			out.Left = p.Found
		}
		return out
	}
	if run.Progress != nil {
		s.Progress = func(p untyped.Purged) { run.Progress(summary(p)) }
	}
	done, err := d.PurgeMarked(ctx, s)
	return summary(done), err
}
