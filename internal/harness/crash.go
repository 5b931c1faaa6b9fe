package harness

import (
	"context"
	"net/http"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// ErrCrash is what a process gets that has crashed. The pipeline of azcore does not repeat the
// request.
var ErrCrash error = crashError{}

type crashError struct{}

func (crashError) Error() string { return "the process has crashed" }
func (crashError) NonRetriable() {}

// Crash ends a process at one of its requests. No later request of the process is sent. Its
// client has the policy Intercepted.
type Crash struct {
	At     int                      // which of its requests, counted from 0; -1 for none
	After  bool                     // when the request has taken effect, not before it is sent
	Counts func(*http.Request) bool // which requests count; the others are sent. Nil: all
	Each   func()                   // is called after each request that counts, if not nil

	mu     sync.Mutex // a process may send several requests at the same time
	n      int
	dead   bool
	cancel func()
}

// Context returns the context of the process, which ends when the process crashes, and a
// function that ends it, and reports whether the process has crashed.
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

// Hold stops a process at one of its requests, until it is released. Its client has the policy
// Intercepted.
type Hold struct {
	Reached chan struct{} // is closed when the process stops
	Release chan struct{} // to be closed

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

// Between lets a test act between the requests of one operation, whose client has the policy
// Intercepted. Act is called before every write, for one of them at a time, and may replace
// itself. Nil does nothing.
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
