package admin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/renewal"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Upgrade stores the documents that earlier releases have stored, as reads return them now:
// those whose number in the field tagged schema is lower than that of the tag, or that lack
// it, those that have a property under an alias, and those that lack a property which the run
// time writes for an index. Run it when every program that
// runs has this release, at least; programs may read and write meanwhile. Several processes
// may run it at once, which costs more and is not faster. It may end and begin again at any
// point: what it has stored is not found again.
//
// Each document is stored on the condition that it is unchanged; if somebody writes it in
// between, Upgrade looks at it again. What it stores is what a read returns, so properties
// that the type does not know are lost unless it has a field tagged rest. Stamps stay as
// they are: created, updated and version are those of the last change that a program made.
// The ETag and _ts change, the change feed gives the document once more, and its time to
// live is reduced by its age, as its property ttl, which a later patch begins anew.
// Documents that are marked as deleted are stored like others, since they may be restored:
// they stay marked, and go when they would have gone. Documents
// that are hidden for another reason are left out. So are documents of the next form, if the type
// has schema= with next=: only the next release writes these, with their names of properties.
//
// Upgrade counts the documents of earlier releases, and reads them by a query to each
// physical partition, until a pass finds none. Each document costs about 1 request unit for
// 1 KB in the query and a replace, about 5 request units for 1 KB, and a point read if it
// expires. A document that cannot be stored is counted in [Summary.Failed]. The error
// is that of a pass which ended early, or of a type that has neither schema= with a number
// above 1, nor was= or next= on a property that had or gets another name, nor a property for an
// index: nothing is sent then.
func Upgrade[T any, K generated.Key](ctx context.Context, docs *repository.Documents[T, K], run Run) (Summary, error) {
	return upgrade(ctx, untyped.Of(docs), run)
}

func upgrade(ctx context.Context, d *untyped.Documents, run Run) (Summary, error) {
	if err := run.wrong(renewal.Op, d.Store.Type, refuse(run.Leases != nil, "leases", "Upgrade")); err != nil {
		return Summary{}, err
	}
	settings := renewal.Settings{Bulk: run.bulk(d), DryRun: run.DryRun}
	if run.Progress != nil {
		settings.Progress = func(done renewal.Summary) { run.Progress(ofUpgrade(done)) }
	}
	done, err := d.Renew(ctx, settings)
	return ofUpgrade(done), err
}

// ofUpgrade returns a summary as callers get it.
func ofUpgrade(s renewal.Summary) Summary {
	return Summary{Found: s.Found, Changed: s.Upgraded, Failed: s.Failed, Err: s.Err, Left: s.Left, RequestUnits: s.RequestUnits}
}
