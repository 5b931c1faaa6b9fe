package wire

import (
	"context"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

// reliance is what the context of a request carries that relies on one write region.
type reliance struct {
	use       *writeregions.Use // nil for a request that only tells the account
	container *Container        // that learns its account by the request; nil for none
}

type relianceKey struct{}

// Relying returns the context of requests that are not sent in an account with several write
// regions, since use relies on one. It is for requests that are of no [Container].
func Relying(ctx context.Context, use *writeregions.Use) context.Context {
	return context.WithValue(ctx, relianceKey{}, reliance{use: use})
}

// relying is Relying for requests of c. It returns ctx if the account is known to have one
// write region, and if ctx relies on something already. The first request tells the account,
// also if use is nil; of a client without policies none does.
func (c *Container) relying(ctx context.Context, use *writeregions.Use) context.Context {
	if c.inOneRegion() || use == nil && (c.asked.Load() || c.asked.Swap(true)) {
		return ctx
	}
	if on, already := ctx.Value(relianceKey{}).(reliance); already && (on.use != nil || use == nil) {
		return ctx
	}
	return context.WithValue(ctx, relianceKey{}, reliance{use, c})
}

// RelyingOf returns the context of the requests of an operation, which are not sent in an account
// with several write regions if c.Relies says that it relies on one.
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

// onCondition is relying for a write on a condition.
func (c *Container) onCondition(ctx context.Context) context.Context {
	if c.Resolves {
		return ctx
	}
	return c.relying(ctx, writeregions.Conditions)
}

// Refuses returns why an operation is refused in the account, nil if it is not, or if no request
// has told the account's write regions yet: then its first request is refused.
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

// Refused returns why use is refused in the account, nil if it is not, or if no request has
// told the account's write regions yet.
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

// refuseSeveral returns an error for a request that relies on one write region, in an account
// with several. The request has the address of the account yet, and azcosmos has read the
// account before.
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

// OpWriteRegions is the event of an account that has got several write regions, or one again.
const OpWriteRegions = "write regions"

// tellRegions tells the observer if the account of an endpoint has got several write regions
// since the last request, or one again.
func (c *Container) tellRegions(ctx context.Context, endpoint string) {
	if endpoint == "" {
		return // the client has no policies, or nothing was sent
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
