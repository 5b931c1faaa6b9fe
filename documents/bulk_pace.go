package documents

// pace says how many requests of a bulk operation may be under way. It grows by one with
// as many requests as are under way, and is halved when one of them is throttled: additive
// increase, multiplicative decrease, as in the congestion control of TCP (RFC 5681).
type pace struct {
	most  float64
	limit float64 // 1 at least
	round int     // how often it was halved
}

// end notes that a parcel has ended that was sent in a round. Of those that were under way
// together, the first that was throttled halves the pace.
func (p *pace) end(round int, throttled bool) {
	switch {
	case !throttled:
		p.limit = min(p.most, p.limit+1/p.limit)
	case round == p.round:
		p.limit = max(1, p.limit/2)
		p.round++
	}
}
