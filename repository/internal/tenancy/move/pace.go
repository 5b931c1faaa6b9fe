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

// spend waits until the budget allows the next request. Nothing waits in the pause of the
// writers.
func (m *Move) spend(ctx context.Context) error {
	if m.pace.rate <= 0 || !m.paused.IsZero() {
		return ctx.Err()
	}
	units := m.meter.RequestUnits()
	if m.pace.began.IsZero() {
		m.pace.began, m.pace.free = time.Now(), units
	}
	due := time.Duration((units - m.pace.free) / m.pace.rate * float64(time.Second))
	if late := due - time.Since(m.pace.began); late > 0 {
		return m.Sleep(ctx, late)
	}
	return ctx.Err()
}
