package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"
)

// readLimit is the maximum size of a part of an answer in bytes. The service puts 64 results
// into a part, of up to 2 MB each, but seldom large ones.
const readLimit = 64 << 20

// idleTime is the time without a request after which a connection is closed. The service
// closes it after an hour; see "Azure Cosmos DB for Gremlin limits". Load balancers of Azure
// drop connections after four minutes without a packet.
const idleTime = 3 * time.Minute

// ErrClosed is returned by requests of a closed pool.
var ErrClosed = errors.New("the client is closed")

// Config has the destination and the credentials of a pool.
type Config struct {
	Endpoint       string // a URL of scheme ws or wss
	User, Password string
	HTTP           *http.Client // opens connections; nil means http.DefaultClient
	Connections    int          // the maximum number
}

// Pool has connections to one server. It opens one if none is free when a request arrives, up
// to a maximum; further requests wait. It is safe for concurrent use.
type Pool struct {
	config Config
	free   chan struct{} // a token for each connection that may be in use

	mu     sync.Mutex
	idle   []*conn // the last used one is at the end
	timer  *time.Timer
	closed chan struct{}
	busy   sync.WaitGroup
}

// NewPool returns a pool without connections.
func NewPool(config Config) *Pool {
	p := &Pool{config: config, free: make(chan struct{}, config.Connections), closed: make(chan struct{})}
	return p
}

// Request is a traversal and its values.
type Request struct {
	Traversal string
	Bindings  Bindings
}

// Do sends a request once, and passes the results to part as they arrive, in order. It returns
// the charge of the request in request units, which is also known for most failed requests.
// Errors are *Status, *DialError, *BrokenError, ErrClosed, the context's error if nothing was
// sent, or the error of part. A request whose context ends closes its connection.
func (p *Pool) Do(ctx context.Context, r Request, part func([]json.RawMessage) error) (charge float64, err error) {
	id := newID()
	frame, err := eval(id, r.Traversal, r.Bindings)
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	select {
	case p.free <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-p.closed:
		return 0, ErrClosed
	}
	defer func() { <-p.free }()
	c, err := p.take(ctx)
	if err != nil {
		return 0, err
	}
	defer p.busy.Done()
	usable := false
	defer func() { p.give(c, usable) }()
	charge, usable, err = c.do(ctx, id, frame, func(id string) []byte {
		return authentication(id, p.config.User, p.config.Password)
	}, part)
	return charge, err
}

// take returns an idle connection or a new one, and counts it as busy.
func (p *Pool) take(ctx context.Context) (*conn, error) {
	p.mu.Lock()
	select {
	case <-p.closed:
		p.mu.Unlock()
		return nil, ErrClosed
	default:
	}
	p.busy.Add(1)
	for n := len(p.idle); n > 0; n = len(p.idle) {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		if c.fresh() {
			p.mu.Unlock()
			return c, nil
		}
		c.close()
	}
	p.mu.Unlock()
	c, err := dial(ctx, p.config.Endpoint, p.config.HTTP, readLimit)
	if err != nil {
		p.busy.Done()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return c, nil
}

// give puts a connection back, or closes it.
func (p *Pool) give(c *conn, usable bool) {
	p.mu.Lock()
	select {
	case <-p.closed:
		usable = false
	default:
	}
	if usable {
		c.used = time.Now()
		p.idle = append(p.idle, c)
		if p.timer == nil {
			p.timer = time.AfterFunc(idleTime, p.sweep)
		}
	}
	p.mu.Unlock()
	if !usable {
		c.close()
	}
}

// sweep closes connections that have been idle for too long.
func (p *Pool) sweep() {
	p.mu.Lock()
	var old []*conn
	for len(p.idle) > 0 && time.Since(p.idle[0].used) >= idleTime {
		old, p.idle = append(old, p.idle[0]), p.idle[1:]
	}
	p.timer = nil
	if len(p.idle) > 0 {
		p.timer = time.AfterFunc(max(idleTime-time.Since(p.idle[0].used), time.Second), p.sweep)
	}
	p.mu.Unlock()
	for _, c := range old {
		c.close()
	}
}

// Close closes all connections, and returns when all requests and goroutines of the pool have
// ended. It waits for running requests; later ones return ErrClosed.
func (p *Pool) Close() {
	p.mu.Lock()
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	idle := p.idle
	p.idle = nil
	if p.timer != nil {
		p.timer.Stop()
	}
	p.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
	p.busy.Wait()
}
