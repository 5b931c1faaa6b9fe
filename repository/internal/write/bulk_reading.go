package write

import (
	"context"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Reading counts what it costs to find the documents of a bulk operation, and keeps that
// within its budget: a page waits until those before it are paid for. It is safe for
// concurrent use.
type Reading struct {
	bulk    *Bulk
	charged func(units float64)
	meter   wire.Meter

	counting sync.Mutex
	counted  float64 // request units, of those of the meter
}

// NewReading returns a reading that tells a function what is charged.
func (b *Bulk) NewReading(charged func(units float64)) *Reading {
	return &Reading{bulk: b, charged: charged}
}

// Context returns a context whose requests are counted, and whose pages wait.
func (g *Reading) Context(ctx context.Context) context.Context {
	return wire.BeforePages(wire.WithMeter(ctx, &g.meter), func(ctx context.Context) error {
		g.Count()
		return g.bulk.Budget.Wait(ctx)
	})
}

// Without returns a context whose requests are not counted here, since items count them.
func (g *Reading) Without(ctx context.Context) context.Context {
	return wire.WithoutMeter(ctx, &g.meter)
}

// Count takes what was charged since it was called before.
func (g *Reading) Count() {
	g.counting.Lock()
	defer g.counting.Unlock()
	units := g.meter.RequestUnits() - g.counted
	g.counted += units
	g.bulk.Budget.Spend(units)
	g.charged(units)
}
