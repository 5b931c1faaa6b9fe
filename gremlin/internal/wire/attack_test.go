package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestClosedBetweenParts ends the connection at every place of an answer of several parts,
// in each way that a server or the network has: the request is broken, never short.
func TestClosedBetweenParts(t *testing.T) {
	for name, end := range map[string]func(p *peer){
		"close 1000": func(p *peer) { _ = p.ws.Close(websocket.StatusNormalClosure, "") },
		"close 1008": func(p *peer) { _ = p.ws.Close(websocket.StatusPolicyViolation, "rebalance") },
		"cut":        func(p *peer) { _ = p.ws.CloseNow() },
	} {
		for parts := range 4 {
			t.Run(fmt.Sprint(name, " after ", parts), func(t *testing.T) {
				f := serve(t, func(p *peer) {
					if a, ok := p.next(); ok {
						for i := range parts {
							p.answer(a.RequestID.Value, 206, fmt.Sprintf(`[%d]`, i), `{"x-ms-total-request-charge":2}`)
						}
						end(p)
					}
				})
				got, charge, err := ask(soon(t), pool(t, f, 1), Request{Traversal: "g.V()"})
				var b *BrokenError
				if !errors.As(err, &b) || len(got) > parts || len(got) == parts && parts > 0 && charge != 2 {
					t.Errorf("%v for %v, %v", got, charge, err)
				}
			})
		}
	}
}

// TestAnswersOutOfOrder has a server that answers the request before, once more, in the
// middle of the answer to the next: no part of one is taken for the other's.
func TestAnswersOutOfOrder(t *testing.T) {
	f := serve(t, func(p *peer) {
		before := ""
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 206, `["`+a.Args.Gremlin+`"]`, `{}`)
			if before != "" {
				p.answer(before, 200, `["stranger"]`, `{}`)
			}
			p.answer(a.RequestID.Value, 200, `[]`, `{}`)
			before = a.RequestID.Value
		}
	})
	p := pool(t, f, 1)
	for i := range 6 {
		want := fmt.Sprint("g", i)
		got, _, err := ask(soon(t), p, Request{Traversal: want})
		if second := i%2 == 1; second != errors.Is(err, ErrProtocol) {
			t.Errorf("request %d: %v", i, err)
		}
		if !reflect.DeepEqual(got, []string{`"` + want + `"`}) {
			t.Errorf("request %d: %v", i, got)
		}
	}
	if n := f.dials.Load(); n != 3 {
		t.Errorf("%d connections", n)
	}
}

// TestLargeFrame reads a part of 8 MB, and one of deep nesting.
func TestLargeFrame(t *testing.T) {
	texts := map[string]string{"large": `"` + strings.Repeat("x", 8<<20) + `"`, "deep": strings.Repeat("[", 9000) + strings.Repeat("]", 9000)}
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.send(`{"requestId":"` + a.RequestID.Value + `","status":{"code":200},"result":{"data":[` + texts[a.Args.Gremlin] + `]}}`)
		}
	})
	p := pool(t, f, 1)
	for name, text := range texts {
		got, _, err := ask(soon(t), p, Request{Traversal: name})
		if err != nil || len(got) != 1 || got[0] != text {
			t.Errorf("%s: %d results, %v", name, len(got), err)
		}
	}
}

// TestCancelledWhileWaiting cancels a request that waits for a connection, and one that
// waits for the server to accept it: nothing was sent, and both say so.
func TestCancelledWhileWaiting(t *testing.T) {
	release := make(chan struct{})
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			<-release
			p.answer(a.RequestID.Value, 200, `[]`, `{}`)
		}
	})
	p := pool(t, f, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, _, err := ask(soon(t), p, Request{Traversal: "slow"}); err != nil {
			t.Error(err)
		}
	})
	for f.dials.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(soon(t), 20*time.Millisecond)
	defer cancel()
	_, _, err := ask(ctx, p, Request{Traversal: "waits"})
	var b *BrokenError
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &b) {
		t.Errorf("a request that waits for a connection: %v", err)
	}
	close(release)
	wg.Wait()
	if n := f.dials.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestManyOnFew sends the requests of 100 goroutines over four connections, while the server
// closes each connection after seven requests, between two of them: no request fails that
// was not sent, and none has the answer of another.
func TestManyOnFew(t *testing.T) {
	var mu sync.Mutex
	open, most := 0, 0
	f := serve(t, func(p *peer) {
		mu.Lock()
		open++
		most = max(most, open)
		mu.Unlock()
		for range 7 {
			a, ok := p.next()
			if !ok {
				break
			}
			p.answer(a.RequestID.Value, 206, `["`+a.Args.Gremlin+`"]`, `{}`)
			p.answer(a.RequestID.Value, 200, `["`+a.Args.Gremlin+`"]`, `{}`)
		}
		mu.Lock()
		open--
		mu.Unlock()
		_ = p.ws.Close(websocket.StatusPolicyViolation, "rebalance")
	})
	p := pool(t, f, 4)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			for j := range 5 {
				name := fmt.Sprintf("g%d.%d", i, j)
				want := []string{`"` + name + `"`, `"` + name + `"`}
				got, _, err := ask(soon(t), p, Request{Traversal: name})
				var b *BrokenError
				if errors.As(err, &b) && len(got) == 0 { // sent while the server was closing
					continue
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, %v", name, got, err)
				}
			}
		})
	}
	wg.Wait()
	if most > 4+4 { // the server's end of a connection lives a little longer
		t.Errorf("%d connections at a time", most)
	}
}

// TestPing answers the pings of a server, on a connection that is idle and on one that waits
// for an answer.
func TestPing(t *testing.T) {
	pinged := make(chan error, 2)
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			reading := p.ws.CloseRead(context.Background()) // so that pongs are read
			ctx, cancel := context.WithTimeout(reading, 10*time.Second)
			pinged <- p.ws.Ping(ctx)
			p.answer(a.RequestID.Value, 200, `[]`, `{}`)
			pinged <- p.ws.Ping(ctx)
			cancel()
			<-reading.Done()
			return
		}
	})
	p := pool(t, f, 1)
	if _, _, err := ask(soon(t), p, Request{Traversal: "g"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-pinged; err != nil {
			t.Errorf("no pong: %v", err)
		}
	}
}

// TestSweep closes connections that were idle for long, and the next request opens one.
func TestSweep(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 200, `[]`, `{}`)
		}
	})
	p := pool(t, f, 2)
	for want := range int32(3) {
		if _, _, err := ask(soon(t), p, Request{Traversal: "g"}); err != nil {
			t.Fatal(err)
		}
		if n := f.dials.Load(); n != want+1 {
			t.Errorf("%d connections, want %d", n, want+1)
		}
		p.mu.Lock()
		p.idle[0].used = time.Now().Add(-idleTime - time.Second)
		p.mu.Unlock()
		p.sweep()
	}
}

// TestLoginRefused has a server that refuses the key in each of its ways. The connection is
// not used again, and no error has the key.
func TestLoginRefused(t *testing.T) {
	for name, refuse := range map[string]func(p *peer, id string){
		"401":           func(p *peer, id string) { p.answer(id, 401, `null`, `{}`) },
		"500 with 401":  func(p *peer, id string) { p.answer(id, 500, `null`, `{"x-ms-status-code":401}`) },
		"asks again":    func(p *peer, id string) { p.answer(id, 407, `null`, `{}`) },
		"without an id": func(p *peer, _ string) { p.send(`{"requestId":null,"status":{"code":401},"result":{}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, func(p *peer) {
				for a, ok := p.next(); ok; a, ok = p.next() {
					if a.Op == "authentication" {
						refuse(p, a.RequestID.Value)
					} else {
						p.answer(a.RequestID.Value, 407, `null`, `{}`)
					}
				}
			})
			p := pool(t, f, 1)
			for range 2 {
				_, _, err := ask(soon(t), p, Request{Traversal: "g.V()"})
				var s *Status
				if !errors.As(err, &s) || !strings.Contains(err.Error(), "refuses the key") {
					t.Errorf("%v", err)
				}
			}
			if n := f.dials.Load(); n != 2 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// TestRetryAfter has the forms of the time that the service asks to wait.
func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`"00:00:00.0100000"`: 10 * time.Millisecond, `"00:00:00"`: 0, `"00:00:00.0000001"`: 0, `"0:0:1"`: time.Second, `"00:00:00.01"`: 10 * time.Millisecond,
		`"1.00:00:00"`: 24 * time.Hour, `"2.00:00:00"`: 0, `"0.00:00:02"`: 2 * time.Second, `"x.00:00:02"`: 0, `"00:00"`: 0, `" 00:00:01"`: 0, `"10"`: 10 * time.Millisecond, `10.5`: 10500 * time.Microsecond,
	} {
		var s Status
		if err := s.read(json.RawMessage(`{"x-ms-retry-after-ms":` + text + `}`)); err != nil || s.RetryAfter != want {
			t.Errorf("%s is %v, %v", text, s.RetryAfter, err)
		}
	}
}
