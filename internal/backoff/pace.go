package backoff

import "sync"

// Pace says how many requests of a bulk operation may be under way. It grows by
// one with as many requests as are under way, and is halved when one of them is
// throttled: additive increase, multiplicative decrease, as in the congestion
// control of TCP (RFC 5681). It is safe for concurrent use.
type Pace struct {
	mu    sync.Mutex
	most  float64
	limit float64
	round int // how often it was halved
}

// NewPace returns a pace that begins with most requests, and never allows more.
func NewPace(most int) *Pace { return &Pace{most: float64(most), limit: float64(most)} }

// Allowed returns how many requests may be under way, 1 at least.
func (p *Pace) Allowed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.limit)
}

// Begin returns what End wants to know of a request that begins.
func (p *Pace) Begin() (round int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.round
}

// End notes that a request has ended and whether it was throttled. Of those that
// were under way together, the first to say so halves the pace; the others were
// sent before it could have an effect.
func (p *Pace) End(round int, throttled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !throttled:
		p.limit = min(p.most, p.limit+1/p.limit)
	case round == p.round:
		p.limit = max(1, p.limit/2)
		p.round++
	}
}
