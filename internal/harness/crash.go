package harness

import (
	"context"
	"net/http"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// ErrCrash is the error in a crashed process. The pipeline of azcore does not retry it.
var ErrCrash error = crashError{}

type crashError struct{}

func (crashError) Error() string { return "the process has crashed" }
func (crashError) NonRetriable() {}

// Crash ends a simulated process at one of its requests. No later request of the process is sent.
// Its client needs the policy Intercepted.
type Crash struct {
	At     int                      // the number of the request, from 0; -1 for none
	After  bool                     // crash after the request has taken effect, not before it is sent
	Counts func(*http.Request) bool // which requests to count; the others are sent. Nil means all
	Each   func()                   // called after each counted request, if not nil

	mu     sync.Mutex // a process may send requests concurrently
	n      int
	dead   bool
	cancel func()
}

// Context returns the context of the process, which ends with the crash. Crashed ends it too, and
// reports whether the process has crashed.
func (c *Crash) Context(parent context.Context) (ctx context.Context, crashed func() bool) {
	ctx, c.cancel = context.WithCancel(parent)
	return Intercept(ctx, c.do), func() bool {
		c.cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.dead
	}
}

func (c *Crash) do(r *policy.Request) (*http.Response, error) {
	if c.Counts != nil && !c.Counts(r.Raw()) {
		return r.Next()
	}
	if c.Each != nil {
		defer c.Each()
	}
	c.mu.Lock()
	now, dead := c.n == c.At, c.dead
	c.n++
	c.dead = dead || now
	c.mu.Unlock()
	if dead || now && !c.After {
		c.cancel()
		return nil, ErrCrash
	}
	response, err := r.Next()
	if !now {
		return response, err
	}
	if err == nil {
		_ = response.Body.Close()
	}
	c.cancel()
	return nil, ErrCrash
}

// Hold stops a simulated process at one of its requests, until it is released. Its client needs the
// policy Intercepted.
type Hold struct {
	Reached chan struct{} // closed when the process stops
	Release chan struct{} // close it to continue

	mu sync.Mutex
	n  int
	at int
}

// NewHold returns a hold at a request, counted from 0.
func NewHold(at int) *Hold {
	return &Hold{at: at, Reached: make(chan struct{}), Release: make(chan struct{})}
}

// Context returns the context of the process.
func (h *Hold) Context(parent context.Context) context.Context {
	return Intercept(parent, func(r *policy.Request) (*http.Response, error) {
		h.mu.Lock()
		n := h.n
		h.n++
		h.mu.Unlock()
		if n == h.at {
			close(h.Reached)
		}
		if n >= h.at {
			<-h.Release
		}
		return r.Next()
	})
}

// Between calls Act before every write of one operation, whose client needs the policy Intercepted.
// Calls do not overlap, and Act may replace itself. A nil Act does nothing.
type Between struct {
	Act func()

	acting sync.Mutex
}

// Context returns the context of the operation.
func (b *Between) Context(parent context.Context) context.Context {
	return Intercept(parent, func(r *policy.Request) (*http.Response, error) {
		if r.Raw().Method != http.MethodGet && !IsQuery(r.Raw()) {
			b.act()
		}
		return r.Next()
	})
}

func (b *Between) act() {
	b.acting.Lock()
	defer b.acting.Unlock()
	if b.Act != nil {
		b.Act()
	}
}
