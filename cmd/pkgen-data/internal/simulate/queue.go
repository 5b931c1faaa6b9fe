package simulate

// event is an event at a time.
type event struct {
	at int64 // ns since the beginning
	// tie orders simultaneous events; the seed draws it.
	tie uint32
	// what is the number of a request or, if negative, of an operation that begins: -1 is operation
	// 0.
	what int32
}

// before reports whether an event happens before another.
func (e event) before(f event) bool {
	return e.at < f.at || e.at == f.at && e.tie < f.tie
}

// queue is a heap of events, the next one first, in which each has four children.
type queue []event

// push adds an event.
func (q *queue) push(e event) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		above := (i - 1) / 4
		if !e.before(h[above]) {
			break
		}
		h[i] = h[above]
		i = above
	}
	h[i] = e
	*q = h
}

// pop removes and returns the next event. There must be one.
func (q *queue) pop() event {
	h := *q
	next, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return next
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(h) {
			break
		}
		for j := least + 1; j < min(4*i+5, len(h)); j++ {
			if h[j].before(h[least]) {
				least = j
			}
		}
		if !h[least].before(e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return next
}
