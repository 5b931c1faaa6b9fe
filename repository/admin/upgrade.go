package admin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/renewal"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Upgrade rewrites the documents of earlier releases as reads now return them: those whose
// number in the field tagged schema is missing or lower than that of the tag, those with a
// property under an alias, and those that lack a property that the run time writes for an
// index. Run it when every running program has at least this release; programs may read and
// write meanwhile. Several processes may run it at once, which costs more and is not faster. It
// may end and start again at any point, and does not find upgraded documents again.
//
// Each document is stored on condition that it is unchanged; if another program writes it in
// between, Upgrade reads it again. It stores the document that a read returns, so properties
// that the type does not have are lost unless it has a field tagged rest. Stamps stay: created,
// updated and version are those of the last change by a program. The ETag and _ts change, and
// the change feed has the document once more. Its time to live is reduced by its age, as its
// property ttl, which a later patch restarts. Documents marked as deleted are also upgraded,
// since they may be restored: they stay marked, and expire when they would have expired.
// Documents that are hidden for another reason are left out. So are documents of the next form,
// if the type has schema= with next=: only the next release writes these, with its own property
// names.
//
// Upgrade counts the documents of earlier releases, and reads them with a query to each
// physical partition, until a pass finds none. Each document costs about 1 request unit for 1
// KB in the query and a replace, about 5 request units for 1 KB, and a point read if it
// expires. A document that cannot be stored is counted in [Summary.Failed]. An error means that
// a pass ended early or, before any request, that the type has neither schema= with a number
// above 1, nor was= or next= on a property whose name changed or will change, nor a property
// for an index.
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

func ofUpgrade(s renewal.Summary) Summary {
	return Summary{Found: s.Found, Changed: s.Upgraded, Failed: s.Failed, Err: s.Err, Left: s.Left, RequestUnits: s.RequestUnits}
}
