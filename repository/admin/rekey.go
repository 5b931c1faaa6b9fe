package admin

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Rekey moves documents that are stored under earlier numbers of buckets, which was lists, to
// their present keys, while programs of this release and the one before it read and write them.
// Start it when all running programs know the present number. Any number of processes may run
// it at the same time, and it may end and start again at any point: moved documents stay moved.
//
// Rekey reads the whole container, moves documents under earlier keys, and reads again, until a
// pass finds none. Then it removes the marks of documents that moved more than 24 hours ago, so
// it takes two runs, a day apart, until [Summary.Done] reports that was may be removed. Each
// pass costs about 1 request unit for each KB that it reads, and each moved document a point
// read and four writes, about 21 request units for 1 KB.
//
// A document that moves is written at its new key, so the change feed has it once more. Its
// time to live is reduced by its age. A document that cannot be moved is counted in
// [Summary.Failed]. An error means that a pass ended early or, before any request, that the
// type's tag has no was.
func Rekey[T any, K generated.Key](ctx context.Context, docs *repository.Documents[T, K], run Run) (Summary, error) {
	return checkedRekey(ctx, untyped.Of(docs), run)
}

// checkedRekey is Rekey for any type.
func checkedRekey(ctx context.Context, d *untyped.Documents, run Run) (Summary, error) {
	var none error
	if d.Types.Earlier == 0 {
		none = errors.New("its tag has no was, so no document has an earlier key: see More buckets in docs/keys.md")
	}
	if err := run.wrong(rekey.Op, d.Store.Type, none, refuse(run.DryRun, "dry run", "Rekey")); err != nil {
		return Summary{}, err
	}
	return rekeyAll(ctx, d, run)
}

// rekeyAll is Rekey for a type with earlier keys.
func rekeyAll(ctx context.Context, d *untyped.Documents, run Run) (Summary, error) {
	settings := rekey.Settings{Bulk: run.bulk(d)}
	if run.Progress != nil {
		settings.Progress = func(done rekey.Summary) { run.Progress(ofRekey(done)) }
	}
	r := rekey.New(d.Writer, func(doc any) (write.Places, error) { return d.Types.Places(d.Writer, doc) }, settings)
	err := r.Begin(ctx)
	if err == nil && run.Leases != nil {
		err = rekeyChanges(ctx, d, r, run)
	}
	if err == nil {
		err = r.Run(ctx)
	}
	return ofRekey(r.Summary()), err
}

// rekeyChanges moves the documents that the change feed assigns to this process, until all
// changes up to the start have been handled.
func rekeyChanges(ctx context.Context, d *untyped.Documents, r *rekey.Rekey, run Run) error {
	p, err := sharing(d.Undecoded(), rekey.Op, run, r.Changed)
	if err != nil {
		return err
	}
	return r.Share(ctx, p)
}

func ofRekey(s rekey.Summary) Summary {
	return Summary{
		Changed: s.Moved, Failed: s.Failed, Err: s.Err, Left: s.Left, Removed: s.Removed, Marks: s.Marks, NextAt: s.NextAt,
		Unread: s.Unread, TooSlow: s.TooSlow, RequestUnits: s.RequestUnits,
	}
}
