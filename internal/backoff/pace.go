package backoff

import "sync"

// Pace limits the concurrent requests of a bulk operation. After n unthrottled requests at a limit
// of n, the limit grows by one. It is halved when a request is throttled: additive increase,
// multiplicative decrease, as in TCP's congestion control (RFC 5681). It is safe for concurrent
// use.
type Pace struct {
	mu    sync.Mutex
	most  float64
	limit float64
	round int // the number of halvings
}

// NewPace returns a pace that begins with most concurrent requests, its maximum.
func NewPace(most int) *Pace { return &Pace{most: float64(most), limit: float64(most)} }

// Allowed returns the current limit, at least 1.
func (p *Pace) Allowed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.limit)
}

// Begin returns the round to pass to End.
func (p *Pace) Begin() (round int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.round
}

// End records the end of a request and whether it was throttled. Of requests that ran together,
// only the first throttled one halves the limit: the others were sent before the halving could have
// an effect.
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
