// Package faults has a proxy between a client and a server, which drops connections: before
// a request comes to the server, or after the server has answered it. It knows no protocol,
// so that one proxy is for HTTP, the wire protocol of MongoDB and websockets.
package faults

import (
	"net"
	"sync"
)

// Moment is when a proxy drops a connection.
type Moment int

// The moments.
const (
	// Before drops a request: the server does not see it.
	Before Moment = iota + 1

	// After drops the answer to a request: the server has done what it asks for.
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

// New returns a proxy of a server, such as "127.0.0.1:8080", on a free port of this machine.
func New(server string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, server: server, open: map[net.Conn]bool{}}
	p.workers.Go(p.accept)
	return p, nil
}

// Addr is the host and the port of the proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Drop drops the connections of the next n requests that match, at a moment. A request is
// what the client sends at once: the beginning of it, if it is long. A nil matches is every
// request; one that looks for the text of a document keeps heartbeats apart. It is called by
// the goroutines of the proxy, one at a time.
func (p *Proxy) Drop(moment Moment, n int, matches func(request []byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moment, p.left, p.matches = moment, n, matches
}

// Spare lets the first n requests of each connection pass, and Drop does not count them:
// those that open a websocket and log in, for instance.
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

// keep notes a connection, so that Close ends it. It returns false if the proxy is closed.
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

// connection is a client's connection and that to the server.
type connection struct {
	client, server net.Conn

	mu   sync.Mutex
	lost bool // the next answer is dropped
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
	if c.isLost() { // the answer is on its way
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

// fate says when the connection of a request is dropped, 0 for never. The first request of
// a connection has the number 1.
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

// copyAll copies until either side ends or forward returns false, before it copies that.
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
