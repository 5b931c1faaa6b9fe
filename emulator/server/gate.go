package server

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// gate is the listener of a region. While the region is offline, the gate does not listen, so
// that the machine refuses connections.
type gate struct {
	region string
	addr   net.Addr

	mu      sync.Mutex
	inner   net.Listener  // nil while the region is offline
	changed chan struct{} // closed when inner changes
	closed  bool
	conns   map[*gateConn]bool // open connections
}

// Gate returns a listener for the front of a region that serves a listener's connections. While
// the region is offline, it closes them and refuses new ones at the same address, so that
// clients can tell that a request was not sent. A bare [Server.Handler] only closes connections
// without a response. Closing the returned listener closes the other one.
func (s *Server) Gate(l net.Listener, region string) net.Listener {
	g := &gate{region: region, addr: l.Addr(), inner: l, changed: make(chan struct{}), conns: map[*gateConn]bool{}}
	s.gatesMu.Lock()
	defer s.gatesMu.Unlock()
	s.gates = append(s.gates, g)
	return g
}

// switchGates opens and closes the listeners of regions to match their state.
func (s *Server) switchGates() error {
	s.gatesMu.Lock()
	defer s.gatesMu.Unlock()
	for _, r := range s.Regions() {
		for _, g := range s.gates {
			if g.region != r.Name {
				continue
			}
			if err := g.set(r.Online); err != nil {
				return fmt.Errorf("region %s: %w", r.Name, err)
			}
		}
	}
	return nil
}

// gateWait is how long a region that comes back waits for its address, which another process
// may be using.
const gateWait = time.Second

// set opens or closes the gate.
func (g *gate) set(open bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || open == (g.inner != nil) {
		return nil
	}
	if !open {
		err := g.inner.Close()
		g.change(nil)
		for c := range g.conns {
			_ = c.Conn.Close() // an error means that it was already closed
		}
		clear(g.conns)
		return err
	}
	var network net.ListenConfig
	for end := time.Now().Add(gateWait); ; time.Sleep(10 * time.Millisecond) {
		l, err := network.Listen(context.Background(), g.addr.Network(), g.addr.String())
		if err == nil {
			g.change(l)
			return nil
		}
		if time.Now().After(end) {
			return err
		}
	}
}

// change sets the listener, and wakes up Accept. The caller holds the lock.
func (g *gate) change(l net.Listener) {
	g.inner = l
	close(g.changed)
	g.changed = make(chan struct{})
}

// Accept waits for a connection, also while the region is offline.
func (g *gate) Accept() (net.Conn, error) {
	for {
		g.mu.Lock()
		inner, changed, closed := g.inner, g.changed, g.closed
		g.mu.Unlock()
		if closed {
			return nil, net.ErrClosed
		}
		if inner == nil {
			<-changed
			continue
		}
		conn, err := inner.Accept()
		if c := g.enter(inner, conn); c != nil {
			return c, nil
		}
		if err != nil && g.is(inner) {
			return nil, err
		}
	}
}

// enter adds a connection of a listener, or closes it if the region went offline meanwhile. It
// then returns nil.
func (g *gate) enter(inner net.Listener, conn net.Conn) net.Conn {
	if conn == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inner != inner {
		_ = conn.Close()
		return nil
	}
	c := &gateConn{Conn: conn, gate: g}
	g.conns[c] = true
	return c
}

// is reports whether a listener is the open one.
func (g *gate) is(inner net.Listener) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inner == inner && !g.closed
}

// Close closes the listener for good. Connections stay open.
func (g *gate) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return net.ErrClosed
	}
	g.closed = true
	var err error
	if g.inner != nil {
		err = g.inner.Close()
	}
	g.change(nil)
	return err
}

// Addr returns the address, even of a closed listener.
func (g *gate) Addr() net.Addr { return g.addr }

// gateConn is a connection of a gate.
type gateConn struct {
	net.Conn

	gate *gate
}

// Close closes the connection.
func (c *gateConn) Close() error {
	c.gate.mu.Lock()
	delete(c.gate.conns, c)
	c.gate.mu.Unlock()
	return c.Conn.Close()
}
