package provision

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// provide gives the container the throughput that is wanted. Each change is made on
// condition that the throughput is what was read before, if the client has the policies:
// programs that want the same change it once.
//
// Another kind takes two changes, since the service chooses the amount at the first. If it
// does not allow the second, the container keeps the kind and gets the least amount that
// is allowed. The error is a *DifferencesError then.
func (e *Container) provide(ctx context.Context, have provisioned) error {
	if e.Throughput.own() && have.Mode != e.Throughput.Mode {
		return e.switchKind(ctx, have)
	}
	units := e.Throughput.units
	if e.Throughput.Mode == leastMode {
		units = have.least
	}
	return e.replaceThroughput(ctx, wire.OfferChange{Unchanged: have.etag}, have.changed(units))
}

// switchKind changes manual throughput to autoscale, or back.
func (e *Container) switchKind(ctx context.Context, from provisioned) error {
	change := wire.OfferChange{
		Unchanged:   from.etag,
		ToAutoscale: e.Throughput.Mode == AutoscaleMode,
		ToManual:    e.Throughput.Mode == ManualMode,
	}
	if err := e.replaceThroughput(ctx, change, azcosmos.ThroughputProperties{}); err != nil {
		return err
	}
	reached, err := e.readThroughput(ctx) // its least is not that of the other kind
	if err != nil {
		return err
	}
	if reached.Mode != e.Throughput.Mode {
		return e.because(errOvertaken, errOvertaken)
	}
	differs := reached.difference(e.Throughput)
	if differs == nil {
		return nil
	}
	units := e.Throughput.units
	if !differs.Fixable {
		units = reached.least
	}
	if !reached.pending && units < reached.units || differs.Fixable {
		err = e.replaceThroughput(ctx, wire.OfferChange{Unchanged: reached.etag}, reached.changed(units))
		if errors.Is(err, errOvertaken) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if err == nil {
			reached.units = units
		}
	}
	if reached.meets(e.Throughput) {
		return nil
	}
	return e.halfway(from, reached, differs, err)
}

// halfway returns the error about throughput of the wanted kind, of which the service does
// not give the wanted amount. The error of a request may be nil.
func (e *Container) halfway(from, reached provisioned, differs *difference, err error) error {
	differs.Have, differs.Changed, differs.Fixable = reached.String(), true, err != nil
	if err != nil {
		differs.Why = "the request for the amount failed: ensure it again"
	}
	differs.Why = fmt.Sprintf("it was changed from %v; %s", from, differs.Why)
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: []difference{*differs}, Err: err}
}

// replaceThroughput sends a change. The error is errOvertaken if the throughput, or the
// container, is no longer what was read.
func (e *Container) replaceThroughput(ctx context.Context, change wire.OfferChange, p azcosmos.ThroughputProperties) error {
	response, err := change.Replace(ctx, e.client, p)
	switch status := wire.StatusOf(err); {
	case err == nil:
		e.Did.Changed, e.Did.Has = true, newProvisioned(response).Throughput
		return nil
	case errors.Is(err, route.ErrNotConfigured):
		return e.Failure(fmt.Errorf("changing between manual and autoscale throughput takes a policy: %w", err))
	case status == http.StatusPreconditionFailed || status == http.StatusNotFound:
		return e.because(errOvertaken, err)
	case quota(err) != nil:
		return e.because(quota(err), err)
	case status == http.StatusBadRequest && (change.ToAutoscale || change.ToManual) && e.hasKind(ctx):
		return e.because(errOvertaken, err)
	default:
		return e.unclear(err)
	}
}

// hasKind reports whether another program has changed the kind of throughput to the wanted
// one, which the service refuses to do again.
func (e *Container) hasKind(ctx context.Context) bool {
	have, err := e.readThroughput(ctx)
	return err == nil && e.Throughput.own() && have.Mode == e.Throughput.Mode
}
