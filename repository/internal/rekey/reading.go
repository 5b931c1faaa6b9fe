package rekey

import (
	"context"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// reading counts what it costs to read documents, and keeps it within the budget: a page
// waits until those before it are paid for.
type reading struct {
	*Rekey
	meter wire.Meter

	counting sync.Mutex
	counted  float64 // request units, of those of the meter
}

func (r *Rekey) newReading() *reading { return &reading{Rekey: r} }

// context returns a context whose pages are counted and wait.
func (g *reading) context(ctx context.Context) context.Context {
	return wire.BeforePages(wire.WithMeter(ctx, &g.meter), func(ctx context.Context) error {
		g.count()
		return g.bulk.Budget.Wait(ctx)
	})
}

// count takes what was charged since it was called before.
func (g *reading) count() {
	g.counting.Lock()
	defer g.counting.Unlock()
	units := g.meter.RequestUnits() - g.counted
	g.counted += units
	g.bulk.Budget.Spend(units)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.summary.RequestUnits += units
}
