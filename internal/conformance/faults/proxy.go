// Package faults has a proxy between a client and a server that drops connections: before a request
// reaches the server, or after the server has answered it. It knows no protocol, so the same proxy
// serves HTTP, the wire protocol of MongoDB, and websockets.
package faults

import (
	"net"
	"sync"
)

// Moment is when a proxy drops a connection.
type Moment int

// The moments.
const (
	// Before drops a request: the server does not receive it.
	Before Moment = iota + 1

	// After drops the answer to a request that the server has executed.
	After
)

// Proxy forwards connections to a server. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	server   string
	workers  sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	open    map[net.Conn]bool
	moment  Moment
	left    int
	spared  int
	matches func(request []byte) bool
	dropped int
}

// New returns a proxy for a server, such as "127.0.0.1:8080", on a free port of this machine.
func New(server string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, server: server, open: map[net.Conn]bool{}}
	p.workers.Go(p.accept)
	return p, nil
}

// Addr returns the host and port of the proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Drop drops the connections of the next n matching requests, at a moment. A request is a chunk
// that the client sends at once: the beginning of it, if it is long. A nil matches matches every
// request; one that searches for the text of a document ignores heartbeats. The proxy never calls
// matches concurrently.
func (p *Proxy) Drop(moment Moment, n int, matches func(request []byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moment, p.left, p.matches = moment, n, matches
}

// Spare lets the first n requests of each connection pass uncounted, such as the ones that open a
// websocket and log in.
func (p *Proxy) Spare(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spared = n
}

// Dropped returns how many connections Drop has dropped.
func (p *Proxy) Dropped() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dropped
}

// Close ends all connections and waits for the goroutines of the proxy.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	_ = p.listener.Close()
	for c := range p.open {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.workers.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.workers.Go(func() { p.serve(client) })
	}
}

// keep registers a connection for Close. It returns false if the proxy is closed.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
		return false
	}
	p.open[c] = true
	return true
}

func (p *Proxy) end(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

// connection is a client's connection and its connection to the server.
type connection struct {
	client, server net.Conn

	mu   sync.Mutex
	lost bool // the next answer is to be dropped
}

func (p *Proxy) serve(client net.Conn) {
	if !p.keep(client) {
		return
	}
	defer p.end(client)
	server, err := net.Dial("tcp", p.server)
	if err != nil || !p.keep(server) {
		return
	}
	defer p.end(server)
	c := &connection{client: client, server: server}
	var answers sync.WaitGroup
	answers.Go(func() {
		copyAll(client, server, func([]byte) bool { return !c.isLost() })
		_ = client.Close()
	})
	number := 0
	copyAll(server, client, func(request []byte) bool {
		number++
		switch p.fate(number, request) {
		case Before:
			return false
		case After:
			c.lose()
		}
		return true
	})
	if c.isLost() { // the answer has begun to pass
		answers.Wait()
	}
	_ = client.Close()
	_ = server.Close()
	answers.Wait()
}

func (c *connection) lose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = true
}

func (c *connection) isLost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// fate returns when the connection of a request is dropped, 0 for never. The first request of a
// connection has the number 1.
func (p *Proxy) fate(number int, request []byte) Moment {
	p.mu.Lock()
	defer p.mu.Unlock()
	if number <= p.spared || p.left == 0 || p.matches != nil && !p.matches(request) {
		return 0
	}
	p.left--
	p.dropped++
	return p.moment
}

// copyAll copies until either side ends or forward returns false. The chunk that forward rejects is
// not copied.
func copyAll(to, from net.Conn, forward func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !forward(buffer[:n]) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
