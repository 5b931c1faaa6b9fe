package move

import (
	"context"
	"time"
)

// pace keeps the request units of a move within a budget.
type pace struct {
	rate  float64 // request units a second, 0 for no limit
	began time.Time
	free  float64 // units that were spent before it began
}

// pay begins to count: what was not spent while the move waited is not saved up.
func (m *Move) pay() { m.pace.began, m.pace.free = time.Now(), m.meter.RequestUnits() }

// spend waits until the budget allows the next request. Nothing waits in the pause of the
// writers.
func (m *Move) spend(ctx context.Context) error {
	if m.pace.rate <= 0 || !m.paused.IsZero() {
		return ctx.Err()
	}
	due := time.Duration((m.meter.RequestUnits() - m.pace.free) / m.pace.rate * float64(time.Second))
	if late := due - time.Since(m.pace.began); late > 0 {
		return m.Sleep(ctx, late)
	}
	return ctx.Err()
}
