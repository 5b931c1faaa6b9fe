package tinkerpop_test

import (
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// proxy is between a client and a server, and breaks connections.
type proxy struct {
	net.Listener
	target string
	wg     sync.WaitGroup

	mu     sync.Mutex
	before int // of so many further messages from the client, the connection breaks before they arrive
	after  int // the same, after the server has got them and before its answer arrives
	broken int
}

func newProxy(t *testing.T, target string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, target: target}
	p.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.wg.Go(func() { p.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		p.wg.Wait()
	})
	return p
}

// fault says whether a message breaks its connection now, and at which end.
func (p *proxy) fault() (before, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.before > 0:
		p.before, p.broken = p.before-1, p.broken+1
		return true, false
	case p.after > 0:
		p.after, p.broken = p.after-1, p.broken+1
		return false, true
	}
	return false, false
}

func (p *proxy) set(before, after int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before, p.after, p.broken = before, after, 0
}

func (p *proxy) carry(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var mu sync.Mutex
	deaf := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			mu.Lock()
			silent := deaf
			mu.Unlock()
			if silent { // the answer is lost, and so is the connection
				_ = client.Close()
				return
			}
			if n > 0 {
				_, _ = client.Write(buffer[:n])
			}
			if err != nil {
				_ = client.Close()
				return
			}
		}
	}()
	buffer := make([]byte, 64<<10)
	for messages := 0; ; messages++ {
		n, err := client.Read(buffer)
		if err != nil {
			break
		}
		if messages > 1 { // the first two open the websocket and begin the login
			before, after := p.fault()
			if before {
				break
			}
			if after {
				mu.Lock()
				deaf = true
				mu.Unlock()
			}
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			break
		}
	}
	mu.Lock()
	silent := deaf
	mu.Unlock()
	if silent {
		<-done
	}
	_ = server.Close()
	<-done
}

var _ io.Closer = (*proxy)(nil)

// TestFaults breaks connections before the server has a request, and after, with the
// promises of docs/errors.md.
func TestFaults(t *testing.T) {
	s := tinkerpop.Start(t, "partitionKey")
	direct := gremlin.New(s.Client(t), "Device", &deviceModel)
	p := newProxy(t, s.Address)
	client, err := gremlin.NewClient("ws://"+p.Addr().String()+"/gremlin", tinkerpop.Database, tinkerpop.Graph, tinkerpop.Password)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	docs := gremlin.New(client, "Device", &deviceModel)
	n := 0
	for _, fault := range []struct {
		name          string
		before, after int
		fatal         bool
	}{
		{"none", 0, 0, false}, {"before", 1, 0, false}, {"after", 0, 1, false}, {"twice before", 2, 0, false}, {"twice after", 0, 2, false},
		{"three times before", 3, 0, false}, {"three times after", 0, 3, false}, {"always before", 99, 0, true}, {"always after", 0, 99, true},
	} {
		for name, do := range map[string]func(ctx context.Context, d *Device) error{
			"create":  docs.Create,
			"upsert":  docs.Upsert,
			"replace": docs.Replace,
			"delete":  func(ctx context.Context, d *Device) error { return docs.Delete(ctx, key(d)) },
			"get":     func(ctx context.Context, d *Device) error { _, err := docs.Get(ctx, key(d)); return err },
			"query": func(ctx context.Context, d *Device) error {
				list, err := gremlin.NewQuery(docs, generated.Partition(d.Tenant+".1")).Collect(ctx)
				if err == nil && len(list) != 1 {
					err = errors.New("not one document")
				}
				return err
			},
		} {
			t.Run(fault.name+" "+name, func(t *testing.T) {
				ctx := soon(t)
				n++
				d := device("faults"+string(rune('a'+n/26))+string(rune('a'+n%26)), 1, "1")
				if name != "create" && name != "upsert" {
					is(t, "prepare", direct.Create(ctx, d), nil)
				}
				d.Count = int64(n)
				p.set(0, 0)
				if _, err := docs.Get(ctx, DeviceKey{"warm", 1, "x"}); !errors.Is(err, gremlin.ErrNotFound) { // a connection that has logged in
					t.Fatal(err)
				}
				p.set(fault.before, fault.after)
				began := time.Now()
				err := do(ctx, d)
				p.mu.Lock()
				broken := p.broken
				p.mu.Unlock()
				if want := min(fault.before+fault.after, 3); broken < min(want, 1) {
					t.Errorf("%d connections broke, want %d", broken, want)
				}
				p.set(0, 0)
				writes := name != "get" && name != "query"
				switch {
				case !fault.fatal && err != nil:
					t.Errorf("after %v: %v", time.Since(began), err)
				case fault.fatal && err == nil:
					t.Error("no error")
				case fault.fatal && writes && !errors.Is(err, gremlin.ErrUnclear):
					t.Errorf("not unclear: %v", err)
				}
				got, readErr := direct.Get(ctx, key(d))
				switch {
				case err == nil && name == "delete":
					is(t, "read a deleted one", readErr, gremlin.ErrNotFound)
				case err == nil && writes && (readErr != nil || !reflect.DeepEqual(got, d)):
					t.Errorf("stored %+v, %v, want %+v", got, readErr, d)
				}
			})
		}
	}
}
