package wire

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Event is a request for documents that has ended, with all its attempts. Its fields
// are those of the face's Event, which says more of them.
type Event struct {
	Op           string
	Type         string
	Tenant       string
	Database     string
	Container    string
	ID           string
	PartitionKey string
	Range        string
	RequestUnits float64
	Duration     time.Duration
	Attempts     int
	Throttled    int
	Status       int
	Rows         int
	Host         string
	Err          error
}

// Begin prepares the context of one call of the SDK. The function that it returns is
// called with the outcome: it counts and tells the observer.
func (c *Container) Begin(ctx context.Context, e Event) (context.Context, func(units float32, err error)) {
	ctx = c.Marked(ctx)
	if c.Observe == nil {
		return measure(ctx)
	}
	return c.observed(ctx, e)
}

func (c *Container) observed(ctx context.Context, e Event) (context.Context, func(units float32, err error)) {
	requestCtx, seen, done := observing(ctx)
	e.Type, e.Container, e.Tenant = c.Type, c.Target(ctx).ID(), tenantOf(ctx)
	start := time.Now()
	return requestCtx, func(units float32, err error) {
		done(units, err)
		e.Duration, e.Err = time.Since(start), Discreet(err)
		var response *azcore.ResponseError
		if errors.As(err, &response) {
			units = charge(response.RawResponse)
		}
		e.RequestUnits = float64(units)
		seen.addTo(&e)
		c.Observe(ctx, e)
	}
}

type tenantKey struct{}

// WithTenant returns a context whose requests are those of a tenant, for observers.
func WithTenant(ctx context.Context, tenant any) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// tenantOf returns the name of the tenant of a context, "" without one: the text of a
// string, and of other values the text that JSON has for them.
func tenantOf(ctx context.Context) string {
	switch tenant := ctx.Value(tenantKey{}).(type) {
	case nil:
		return ""
	case string:
		return tenant
	default:
		raw, err := json.Marshal(tenant)
		if err != nil {
			return ""
		}
		var name string
		if json.Unmarshal(raw, &name) == nil {
			return name
		}
		return string(raw)
	}
}
