package untyped

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/renewal"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// errNoEarlier is the error of a type that cannot have outdated documents.
var errNoEarlier = errors.New("its tags have neither schema= with a number above 1 nor was= or next= on a renamed property, so no document has an earlier form, and no index has a property that old documents lack: see docs/evolution.md")

// errOfTenants is the error of a type whose tenants may move.
var errOfTenants = errors.New("its tenants move between containers: for each tenant, call Update on the documents that the repository of the tenant finds, as docs/evolution.md shows")

// Renew stores outdated documents in the present form of the type.
func (d *Documents) Renew(ctx context.Context, s renewal.Settings) (renewal.Summary, error) {
	parts, err := d.renewing(ctx)
	if err != nil {
		return renewal.Summary{}, err
	}
	r := renewal.New(parts, s)
	err = r.Run(ctx)
	return r.Summary(), err
}

// renewing returns the containers of the type.
func (d *Documents) renewing(ctx context.Context) ([]renewal.Part, error) {
	var wrong error
	switch {
	case d.Writer.OutdatedCondition() == "":
		wrong = errNoEarlier
	case d.tiers != nil:
		wrong = errOfTenants
	}
	var parts []renewal.Part
	err := d.each(ctx, renewal.Op, wrong, func(in *Documents) error {
		parts = append(parts, in.renewal())
		return nil
	})
	return parts, err
}

// renewal returns the documents of one container.
func (d *Documents) renewal() renewal.Part {
	w := *d.Writer
	w.Store = d.ShowingDeleted().Store // a document marked as deleted may be restored
	p := renewal.Part{Writer: &w, Place: d.Types.Place}
	switch {
	case d.Types.Places != nil:
		p.Places = func(doc any) (write.Places, error) { return d.Types.Places(&w, doc) }
	case d.Types.Ambiguous:
		p.Matcher = d.Types.KeyMatcher
	}
	return p
}
