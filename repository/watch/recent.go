package watch

import (
	"context"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// steps is the number of steps of time in Keep.
const steps = 60

// defaultKeep is the default of Recent.Keep.
const defaultKeep = 15 * time.Minute

// Recent adds up the costs of the last minutes' requests, by operation and physical partition,
// and is an [http.Handler] that shows them. Pass its method Observe to
// [repository.WithObserver]; repositories may share a Recent. The zero value is ready, and a
// Recent is safe for concurrent use. A request costs about a microsecond.
//
// It needs some kilobytes for a service of a few types, and at most 20 MB, however many
// containers, operations and keys there are: those beyond its limits are counted together, as
// "others".
type Recent struct {
	// Keep is how long requests are kept, 15 minutes if it is 0. Set it before the first use.
	Keep time.Duration

	// Keys makes the page show the partition keys that use most, and the ids, partition keys
	// and tenants of the dearest requests. These are data of your users: set it only if all
	// viewers of the page may see them. Set it before the first use.
	Keys bool

	now func() time.Time // nil for time.Now

	mu    sync.Mutex
	slots [steps]*slot // by the number of the step, modulo steps
}

// Observe adds a request. It is a function for [repository.WithObserver].
func (r *Recent) Observe(_ context.Context, e repository.Event) {
	if e.WriteRegions != "" {
		return // not a request
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
	if s.number == n { // otherwise the clock was set back by more than Keep
		s.add(&e, now, r.Keys)
	}
}

func (r *Recent) time() time.Time {
	if r.now != nil {
		return r.now()
	}
	return time.Now()
}

// step returns the duration of a slot.
func (r *Recent) step() time.Duration {
	keep := r.Keep
	if keep <= 0 {
		keep = defaultKeep
	}
	return max(time.Millisecond, keep/steps)
}
