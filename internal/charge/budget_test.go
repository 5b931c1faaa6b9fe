package charge

import (
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	var b Budget
	at := func(ms int64) time.Time { return time.UnixMilli(5_000 + ms) }
	steps := []struct {
		ms    int64
		wait  time.Duration
		spend float64
	}{
		{0, 0, 60}, {10, 0, 60}, // 120 of 100 are spent: the last request may cost too much
		{400, 600 * time.Millisecond, 0},
		{1000, 0, 230}, // 20 from before
		{1500, 1500 * time.Millisecond, 0},
		{3000, 0, 100}, // 50 from before
		{3999, time.Millisecond, 0},
		{60_000, 0, 99.9},
		{60_500, 0, 0.1},
		{60_500, 500 * time.Millisecond, 0},
	}
	for i, step := range steps {
		if wait := b.Admit(at(step.ms), 100); wait != step.wait {
			t.Errorf("step %d at %d ms: wait %v, want %v", i, step.ms, wait, step.wait)
		}
		b.Spend(step.spend)
	}
	if wait := b.Admit(at(60_500), 0); wait != 0 {
		t.Errorf("without a limit: wait %v", wait)
	}
}
