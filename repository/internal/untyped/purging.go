package untyped

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/pass"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// OpPurgeAll names a pass over deleted documents in errors and events.
const OpPurgeAll = "purge deleted"

// Purging says which documents a pass removes, and how.
type Purging struct {
	Before   time.Time // the upper bound of the time of deletion
	Bulk     api.Bulk
	DryRun   bool         // remove nothing
	Progress func(Purged) // called about once a second, one call at a time; may be nil
}

// Purged is the result of a pass so far.
type Purged struct {
	Found, Removed, Failed int
	Err                    error // the first error about a document
	RequestUnits           float64
}

// errNoDeletions is the error of a type without marks.
var errNoDeletions = errors.New("its tags have no deleted, so no document is marked as deleted")

// PurgeMarked removes the documents that were marked as deleted before a time. A document
// that changes meanwhile stays, even if it is restored and marked again.
func (d *Documents) PurgeMarked(ctx context.Context, s Purging) (Purged, error) {
	report := pass.NewReport(s.Progress)
	err := d.each(ctx, OpPurgeAll, d.purgeable(), func(in *Documents) error { return in.purgeMarked(ctx, s, report) })
	report.Tell(true)
	return report.Summary(), err
}

// purgeable returns an error if documents of the type cannot be purged.
func (d *Documents) purgeable() error {
	switch {
	case d.Types.Deleted == nil:
		return errNoDeletions
	case d.tiers != nil:
		return errTiersPurge
	}
	return nil
}

// errTiersPurge is the error of a type whose tenants may move.
var errTiersPurge = errors.New("its tenants move between containers: for each tenant, call Purge on the documents that WithDeleted of the tenant's repository finds")

// purgeMarked is PurgeMarked for one container.
func (d *Documents) purgeMarked(ctx context.Context, s Purging, report *pass.Report[Purged]) error {
	if err := d.Writer.JoinSession(ctx, OpPurgeAll); err != nil {
		return err
	}
	property := d.Types.Deleted.Property
	all := d.ShowingDeleted()
	marked := query.NewSelection(all.Store, generated.Keys{}).And(
		text.Property("/"+jsonpointer.Escape(property))+" < @before",
		wire.Parameter{Name: "@before", Value: s.Before.UTC().Format(jsonvalue.TimeLayout)})
	runner := pass.Runner{
		Bulk:    write.NewBulk(d.Writer, OpPurgeAll, s.Bulk, d.Store.Unusable),
		Charged: func(units float64) { report.Change(func(p *Purged) { p.RequestUnits += units }) },
		Ended: func(item *write.BulkItem) error {
			report.Change(func(p *Purged) { pass.CountFailed(item, &p.Failed, &p.Err) })
			report.Tell(false)
			return nil
		},
	}
	return runner.Over(ctx, marked, func(raw []byte) *write.BulkItem {
		report.Change(func(p *Purged) { p.Found++ })
		if s.DryRun {
			return nil
		}
		item := &write.BulkItem{}
		var at Target
		if at.Place, item.Err = store.PlaceOf(all.Store, raw); item.Err != nil {
			return item
		}
		item.Place = at.Place
		var unchanged azcore.ETag
		doc, err := all.Store.Decode(raw)
		if err == nil {
			at.Means = d.matcherOf(doc)
			unchanged, err = store.TagOf(raw)
		}
		if err != nil {
			item.Err = d.Writer.Failure(OpPurgeAll, at.Place, err)
			return item
		}
		item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
			err := d.strategy.purge(ctx, at, unchanged)
			switch {
			case err == nil:
				report.Change(func(p *Purged) { p.Removed++ })
			case errors.Is(err, wire.ErrNotFound), errors.Is(err, wire.ErrPreconditionFailed):
				// It was changed, for example restored, or removed by another program. This
				// is not an error even if this pass may have removed the marked document
				// before.
				return "", nil
			}
			return "", err
		}
		return item
	})
}

// each calls f with the documents of each container of the type. If wrong is not nil, it
// returns that error instead.
func (d *Documents) each(ctx context.Context, op string, wrong error, f func(*Documents) error) error {
	if unusable := d.Wrong(); unusable != nil {
		wrong = unusable
	}
	if wrong != nil {
		return &documents.Error{Op: op, Type: d.Store.Type, Err: wrong}
	}
	if d.several == nil {
		return f(d)
	}
	containers, err := d.several.parts(ctx, generated.Keys{}, generated.Keys{})
	if err != nil {
		return &documents.Error{Op: op, Type: d.Store.Type, Err: err}
	}
	for _, c := range containers {
		in, err := d.In(c.Name)
		if err == nil {
			err = f(in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
