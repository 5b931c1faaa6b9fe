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

// Rekey moves documents that are stored under earlier numbers of buckets, which was
// lists, to their present keys, while programs of this release and the one before it
// read and write them. Start it when no program runs any more that knows only the
// earlier number. Any number of processes may run it at the same time, and it may end
// and begin again at any point: what is moved stays moved.
//
// Rekey reads the whole container, moves what it finds, and reads again, until a pass
// finds nothing under earlier keys. Then it removes the marks of documents that moved
// more than 24 hours ago, so that it takes two runs, a day apart, until
// [Summary.Done] says that was may go. It costs about 1 request unit for each KB
// that it reads in each pass, and for each document that it moves a point read and four
// writes, about 21 request units for 1 KB.
//
// A document that moves is written at its new key, so the change feed gives it once
// more. Its time to live is reduced by its age. A document that cannot be moved is
// counted in [Summary.Failed]. The error is that of a pass which ended early, or of
// a type whose tag has no was: nothing is sent then.
func Rekey[T any, K generated.Key](ctx context.Context, docs *repository.Documents[T, K], run Run) (Summary, error) {
	return checkedRekey(ctx, untyped.Of(docs), run)
}

// checkedRekey is Rekey, of any type.
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

// rekeyAll is Rekey of a type that has earlier keys.
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

// rekeyChanges moves the documents that the change feed gives to this process, until all
// that was written before has been handled.
func rekeyChanges(ctx context.Context, d *untyped.Documents, r *rekey.Rekey, run Run) error {
	p, err := sharing(d.Undecoded(), rekey.Op, run, r.Changed)
	if err != nil {
		return err
	}
	return r.Share(ctx, p)
}

// ofRekey returns a summary as callers get it.
func ofRekey(s rekey.Summary) Summary {
	return Summary{
		Changed: s.Moved, Failed: s.Failed, Err: s.Err, Left: s.Left, Removed: s.Removed, Marks: s.Marks, NextAt: s.NextAt,
		Unread: s.Unread, TooSlow: s.TooSlow, RequestUnits: s.RequestUnits,
	}
}
