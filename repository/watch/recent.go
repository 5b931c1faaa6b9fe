package watch

import (
	"context"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// steps is how many parts of the time that is kept are told apart.
const steps = 60

// defaultKeep is how long requests are kept.
const defaultKeep = 15 * time.Minute

// Recent keeps what the requests of the last minutes cost, by operation and physical
// partition, and is an [http.Handler] that shows it. Its method Observe is for
// [repository.WithObserver]; repositories may share a Recent. The zero value is ready,
// and a Recent is safe for concurrent use. A request costs about a microsecond.
//
// It needs some kilobytes for a service of a few types, and 20 MB at most, however many
// containers, operations and keys there are: what is beyond the most that it tells apart
// is counted together, as "others".
type Recent struct {
	// Keep is how long requests are kept, 15 minutes if it is 0. It is set before the
	// first use.
	Keep time.Duration

	// Keys makes the page show which partition keys use most, and the ids, partition keys
	// and tenants of the dearest requests. These are data of your users: set it only if
	// whoever sees the page may see them. It is set before the first use.
	Keys bool

	now func() time.Time // nil for time.Now

	mu    sync.Mutex
	slots [steps]*slot // by the number of the step, modulo steps
}

// Observe adds a request. It is a function for [repository.WithObserver].
func (r *Recent) Observe(_ context.Context, e repository.Event) {
	if e.WriteRegions != "" {
		return // no request
	}
	now := r.time()
	n := now.UnixNano() / int64(r.step())
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[n%steps]
	if s == nil || s.number < n {
		s = newSlot(n)
		r.slots[n%steps] = s
	}
	if s.number == n { // else the clock was set back by more than is kept
		s.add(&e, now, r.Keys)
	}
}

func (r *Recent) time() time.Time {
	if r.now != nil {
		return r.now()
	}
	return time.Now()
}

// step returns how long a slot lasts.
func (r *Recent) step() time.Duration {
	keep := r.Keep
	if keep <= 0 {
		keep = defaultKeep
	}
	return max(time.Millisecond, keep/steps)
}
