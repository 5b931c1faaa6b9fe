package backoff

import "testing"

// TestPace halves the pace once for what was under way together, and lets it grow
// again by one with as many requests as are under way.
func TestPace(t *testing.T) {
	p := NewPace(32)
	first, second := p.Begin(), p.Begin()
	p.End(first, true)
	p.End(second, true)
	if p.Allowed() != 16 {
		t.Errorf("%d after one throttling, want 16", p.Allowed())
	}
	p.End(first, false)
	for range 17 {
		p.End(p.Begin(), false)
	}
	if p.Allowed() != 17 {
		t.Errorf("%d after sixteen requests, want 17", p.Allowed())
	}
	for range 10 {
		p.End(p.Begin(), true)
	}
	if p.Allowed() != 1 {
		t.Errorf("%d after ten throttlings, want 1", p.Allowed())
	}
	for range 2000 {
		p.End(p.Begin(), false)
	}
	if p.Allowed() != 32 {
		t.Errorf("%d in the end, want 32", p.Allowed())
	}
}
