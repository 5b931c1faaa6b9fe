package tenancy

import (
	"context"
	"time"
)

// State says what may happen at the place where a tenant lives.
type State string

// The states, as the directory's documents have them.
const (
	// Settled is the state of a tenant that does not move.
	Settled State = "settled"

	// Moving says that a copy of the tenant's documents is being made, which follows
	// their changes. Writes carry the fence.
	Moving State = "moving"

	// Closed says that no write is taken until the tenant has moved, or stays.
	Closed State = "closed"
)

// Residence says where a tenant lives.
type Residence struct {
	Container string // the id of the container; empty is the shared one
	State     State
	Version   int64 // grows with each change of the directory's document
	Switches  int64 // grows each time the tenant has moved

	// Until is when the residence has to be looked up again; zero is never. It has the
	// reading of the monotonic clock.
	Until time.Time

	// Grace is how long after Until a write that was sent before is let run.
	Grace time.Duration
}

// Expires reports whether the residence has to be looked up again at some time.
func (r Residence) Expires() bool { return !r.Until.IsZero() }

// HasExpired reports whether the residence has to be looked up again.
func (r Residence) HasExpired() bool { return r.Expires() && past(r.Until) }

// past reports whether a time has come, by the monotonic clock or by that of the wall: the
// first stops while a machine sleeps, and the second may be set back.
func past(t time.Time) bool {
	now := time.Now()
	return !now.Before(t) || !now.Round(0).Before(t.Round(0))
}

// Stays reports whether a tenant that lived as r says has not moved until now.
func (r Residence) Stays(now Residence) bool {
	return r.Container == now.Container && r.Switches == now.Switches
}

// Directory says where tenants live. Residence may answer from memory until
// Residence.Until; Refresh says what the directory says after the call.
type Directory interface {
	Residence(ctx context.Context, shared, tenant string) (Residence, error)
	Refresh(ctx context.Context, shared, tenant string) (Residence, error)
}
