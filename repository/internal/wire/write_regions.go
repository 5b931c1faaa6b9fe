package wire

import (
	"context"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

// reliance is the context value of a request that relies on one write region.
type reliance struct {
	use       *writeregions.Use // nil for a request that only finds the account
	container *Container        // learns its account from the request; nil for none
}

type relianceKey struct{}

// Relying returns the context of requests that are not sent in an account with several write
// regions, because use relies on one. It is for requests that do not belong to a [Container].
func Relying(ctx context.Context, use *writeregions.Use) context.Context {
	return context.WithValue(ctx, relianceKey{}, reliance{use: use})
}

// relying is Relying for requests of c. It returns ctx if the account is known to have one
// write region, or if ctx already relies on one. The first request identifies the account,
// even if use is nil. With a client without policies, no request does.
func (c *Container) relying(ctx context.Context, use *writeregions.Use) context.Context {
	if c.inOneRegion() || use == nil && (c.asked.Load() || c.asked.Swap(true)) {
		return ctx
	}
	if on, already := ctx.Value(relianceKey{}).(reliance); already && (on.use != nil || use == nil) {
		return ctx
	}
	return context.WithValue(ctx, relianceKey{}, reliance{use, c})
}

// RelyingOf returns the context of the requests of an operation. If c.Relies reports that the
// operation relies on one write region, they are not sent in an account with several.
func (c *Container) RelyingOf(ctx context.Context, op string) context.Context {
	if c.Relies == nil || c.inOneRegion() {
		return ctx
	}
	return c.relying(ctx, c.Relies(op))
}

// inOneRegion reports whether the account is known to have one write region.
func (c *Container) inOneRegion() bool {
	known := c.account.Load().known()
	return known != nil && !known.several
}

// onCondition is relying for a conditional write.
func (c *Container) onCondition(ctx context.Context) context.Context {
	if c.Resolves {
		return ctx
	}
	return c.relying(ctx, writeregions.Conditions)
}

// Refuses returns an error if the account refuses an operation. It returns nil if no request
// has listed the account's write regions yet: then the first request is refused.
func (c *Container) Refuses(op string) error {
	if c.Relies == nil {
		return nil
	}
	if known := c.account.Load().known(); known != nil && known.several {
		if use := c.Relies(op); use != nil {
			return known.refusal(use)
		}
	}
	return nil
}

// Refused returns an error if the account refuses use. It returns nil if no request has listed
// the account's write regions yet.
func (c *Container) Refused(use *writeregions.Use) error {
	if use.Resolved && c.Resolves {
		return nil
	}
	return c.account.Load().known().refusal(use)
}

func (r *regions) refusal(use *writeregions.Use) error {
	if r == nil || !r.several {
		return nil
	}
	names := r.writeNames()
	return &failure.WriteRegionsError{Regions: names, Refusal: use.Refusal(names)}
}

// refuseSeveral returns an error for a request that relies on one write region in an account
// with several. The request still has the address of the account, and azcosmos has already
// read the account.
func refuseSeveral(r *http.Request) error {
	on, ok := r.Context().Value(relianceKey{}).(reliance)
	if !ok || asksForRegions(r) {
		return nil
	}
	a := accountOf(r.URL.Host)
	if on.container != nil && on.container.account.Load() != a {
		on.container.account.Store(a)
	}
	if on.use == nil {
		return nil
	}
	return a.known().refusal(on.use)
}

// OpWriteRegions is the event of an account whose number of write regions changed from one to
// several, or back.
const OpWriteRegions = "write regions"

// tellRegions calls the observer if the account of an endpoint has changed between one and
// several write regions since the last request.
func (c *Container) tellRegions(ctx context.Context, endpoint string) {
	if endpoint == "" {
		return // the client has no policies, or sent nothing
	}
	a := accountOf(endpoint)
	if c.account.Load() != a {
		c.account.Store(a)
	}
	now := a.known()
	if now == nil || c.told.Load() == now {
		return
	}
	before := c.told.Swap(now)
	if before == nil || before.several == now.several {
		return
	}
	c.Observe(ctx, Event{Op: OpWriteRegions, Type: c.Type, Container: c.Target(ctx).ID(), WriteRegions: writeregions.Regions(now.writeNames())})
}
