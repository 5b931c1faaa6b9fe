package write

import (
	"math"
	"testing"
	"time"
)

// TestBudget spends by a clock of its own.
func TestBudget(t *testing.T) {
	b := newBudget(100)
	start := b.at
	now := start
	spent := 0.0
	for range 1000 {
		taken, wait := b.take(now, 3)
		if wait > 0 {
			now = now.Add(wait)
			continue
		}
		b.settle(3, taken, 60) // six times the first estimate
		spent += 60
	}
	if rate := (spent - 60) / now.Sub(start).Seconds(); math.Abs(rate-100) > 2 {
		t.Errorf("%.1f request units a second, want 100", rate)
	}
	if math.Abs(b.operation-20) > 0.01 {
		t.Errorf("the estimate is %.1f, want 20", b.operation)
	}
	// The saved units stay few after any pause.
	b.take(now.Add(time.Hour), 0)
	if b.units != 10 {
		t.Errorf("%.1f units are saved, want 10", b.units)
	}
	b.Spend(110)
	if _, wait := b.take(now.Add(time.Hour), 1); wait != time.Second {
		t.Errorf("a debt of 100 lets wait %s, want 1s", wait)
	}
}
