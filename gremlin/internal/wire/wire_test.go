package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestRequestAndParts(t *testing.T) {
	f := serve(t, func(p *peer) {
		for {
			a, ok := p.next()
			if !ok {
				return
			}
			if a.Op != "eval" || a.Args.Language != "gremlin-groovy" || a.RequestID.Type != "g:UUID" || a.Args.Gremlin != "g.V(a)" {
				t.Errorf("asked %+v", a)
			}
			for name, want := range map[string]string{
				"a": `"<&> x"`, "b": `{"@type":"g:Int64","@value":9007199254740993}`, "c": `{"@type":"g:Double","@value":1.5}`, "d": `true`, "e": `["x","y"]`,
			} {
				if got := string(a.Args.Bindings[name]); got != want {
					t.Errorf("binding %s is %s, want %s", name, got, want)
				}
			}
			p.answer(a.RequestID.Value, 206, `[1,"a"]`, `{"x-ms-request-charge":1.5,"x-ms-total-request-charge":1.5}`)
			p.answer(a.RequestID.Value, 206, `[{"b":2}]`, `{"x-ms-request-charge":2,"x-ms-total-request-charge":3.5}`)
			p.answer(a.RequestID.Value, 200, `[3]`, `{"x-ms-status-code":200,"x-ms-request-charge":1,"x-ms-total-request-charge":{"@type":"g:Double","@value":4.5}}`)
		}
	})
	p := pool(t, f, 2)
	for range 3 {
		got, charge, err := ask(soon(t), p, Request{"g.V(a)", Bindings{"a": "<&> x", "b": int64(9007199254740993), "c": 1.5, "d": true, "e": []string{"x", "y"}}})
		if want := []string{"1", `"a"`, `{"b":2}`, "3"}; err != nil || !reflect.DeepEqual(got, want) || charge != 4.5 {
			t.Errorf("%v for %v, %v", got, charge, err)
		}
	}
	if n := f.dials.Load(); n != 1 {
		t.Errorf("%d connections for requests one after the other", n)
	}
	if _, _, err := ask(soon(t), p, Request{"g.V(a)", Bindings{"a": struct{}{}}}); err == nil {
		t.Error("a struct is bound")
	}
}

func TestNoContent(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 204, `null`, `{}`)
		}
	})
	if got, _, err := ask(soon(t), pool(t, f, 1), Request{Traversal: "g.V()"}); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAuthentication(t *testing.T) {
	f := serve(t, func(p *peer) {
		first, ok := p.next()
		if !ok {
			return
		}
		p.answer(first.RequestID.Value, 407, `null`, `{}`)
		reply, ok := p.next()
		if !ok {
			return
		}
		if reply.Op != "authentication" || reply.RequestID.Value != first.RequestID.Value {
			t.Errorf("asked for a key: %+v", reply)
		}
		if string(reply.Args.SASL) != "\x00/dbs/d/colls/g\x00key" {
			p.answer(reply.RequestID.Value, 401, `null`, `{}`)
			return
		}
		for a := first; ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 200, `[1]`, `{}`)
		}
	})
	p := pool(t, f, 1)
	for range 2 {
		if got, _, err := ask(soon(t), p, Request{Traversal: "g.V()"}); err != nil || len(got) != 1 {
			t.Errorf("%v, %v", got, err)
		}
	}
	p.config.Password = "other"
	p.idle[0].close()
	_, _, err := ask(soon(t), p, Request{Traversal: "g.V()"})
	var status *Status
	if !errors.As(err, &status) || status.Code != 401 || !strings.Contains(err.Error(), "refuses the key") {
		t.Errorf("a wrong key: %v", err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", err, err), "other") {
		t.Error("the error has the key")
	}
}

func TestAuthenticationIsAskedAgain(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 407, `null`, `{}`)
		}
	})
	_, _, err := ask(soon(t), pool(t, f, 1), Request{Traversal: "g.V()"})
	var status *Status
	if !errors.As(err, &status) || status.Code != 407 {
		t.Errorf("a server that always asks for the key: %v", err)
	}
}

// TestStatus checks what an error has of an answer, and that its text has nothing of the
// server's message.
func TestStatus(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 500, `null`, `{"x-ms-status-code":429,"x-ms-substatus-code":3200,"x-ms-retry-after-ms":"00:00:03.9500000",
				"x-ms-request-charge":2.5,"x-ms-activity-id":"A9218E01"}`)
		}
	})
	p := pool(t, f, 1)
	for range 2 {
		_, charge, err := ask(soon(t), p, Request{Traversal: "g.V()"})
		var s *Status
		if !errors.As(err, &s) || s.Code != 500 || s.Reason() != 429 || s.Substatus != 3200 || s.RetryAfter != 3950*time.Millisecond || s.ActivityID != "A9218E01" || charge != 2.5 {
			t.Fatalf("%+v, %v", s, charge)
		}
		if s.Error() != "status 500 (x-ms-status-code 429)" || s.Message() != "secret-of-the-server" {
			t.Errorf("%q, %q", s.Error(), s.Message())
		}
	}
	if n := f.dials.Load(); n != 1 {
		t.Errorf("%d connections: a failed request ended one", n)
	}
}

// TestBroken checks answers that are not answers, or not to the request.
func TestBroken(t *testing.T) {
	for name, reply := range map[string]func(p *peer, id string){
		"closed":            func(p *peer, _ string) { _ = p.ws.Close(websocket.StatusGoingAway, "rebalance") },
		"cut":               func(p *peer, _ string) { _ = p.ws.CloseNow() },
		"cut after a part":  func(p *peer, id string) { p.answer(id, 206, `[1]`, `{}`); _ = p.ws.CloseNow() },
		"other request":     func(p *peer, _ string) { p.answer("ffffffff-0000-4000-8000-000000000000", 200, `[1]`, `{}`) },
		"no id":             func(p *peer, _ string) { p.send(`{"requestId":null,"status":{"code":200},"result":{"data":[1]}}`) },
		"no JSON":           func(p *peer, _ string) { p.send(`hello`) },
		"half a JSON":       func(p *peer, id string) { p.send(`{"requestId":"` + id + `","status":{"code":200},"result":{"da`) },
		"no status":         func(p *peer, id string) { p.send(`{"requestId":"` + id + `"}`) },
		"data is no list":   func(p *peer, id string) { p.answer(id, 200, `{"a":1}`, `{}`) },
		"code is a text":    func(p *peer, id string) { p.send(`{"requestId":"` + id + `","status":{"code":"x"}}`) },
		"code is too large": func(p *peer, id string) { p.send(`{"requestId":"` + id + `","status":{"code":1e300}}`) },
		"attributes":        func(p *peer, id string) { p.answer(id, 200, `[1]`, `[]`) },
		"empty":             func(p *peer, _ string) { p.send(``) },
	} {
		t.Run(name, func(t *testing.T) {
			var once sync.Once
			f := serve(t, func(p *peer) {
				for a, ok := p.next(); ok; a, ok = p.next() {
					broken := false
					once.Do(func() { broken = true })
					if broken {
						reply(p, a.RequestID.Value)
						p.next()
						return
					}
					p.answer(a.RequestID.Value, 200, `[2]`, `{}`)
				}
			})
			p := pool(t, f, 1)
			_, _, err := ask(soon(t), p, Request{Traversal: "g.V()"})
			var b *BrokenError
			if !errors.As(err, &b) {
				t.Fatalf("%v is a %T", err, err)
			}
			got, _, err := ask(soon(t), p, Request{Traversal: "g.V()"})
			if err != nil || !reflect.DeepEqual(got, []string{"2"}) || f.dials.Load() != 2 {
				t.Errorf("the next request: %v, %v on %d connections", got, err, f.dials.Load())
			}
		})
	}
}

func TestErrorWithoutID(t *testing.T) {
	f := serve(t, func(p *peer) {
		if _, ok := p.next(); ok {
			p.send(`{"requestId":"","status":{"code":498,"message":"x","attributes":{}},"result":{}}`)
			p.next()
		}
	})
	_, _, err := ask(soon(t), pool(t, f, 1), Request{Traversal: "g.V()"})
	var s *Status
	if !errors.As(err, &s) || s.Code != 498 {
		t.Errorf("%v", err)
	}
}

// TestIdleConnectionThatIsClosed checks that a connection closed by the server while it
// was idle is not used again.
func TestIdleConnectionThatIsClosed(t *testing.T) {
	f := serve(t, func(p *peer) {
		if a, ok := p.next(); ok {
			p.answer(a.RequestID.Value, 200, `[1]`, `{}`)
			_ = p.ws.Close(websocket.StatusGoingAway, "")
		}
	})
	p := pool(t, f, 1)
	for range 3 {
		if _, _, err := ask(soon(t), p, Request{Traversal: "g.V()"}); err != nil {
			t.Fatal(err)
		}
		<-p.idle[0].done
	}
	if f.dials.Load() != 3 {
		t.Errorf("%d connections", f.dials.Load())
	}
}

// TestUnaskedAnswer checks that what a server sends to an idle connection is never
// taken for the answer to a later request.
func TestUnaskedAnswer(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 200, `["`+a.Args.Gremlin+`"]`, `{}`)
			p.answer(a.RequestID.Value, 200, `["late"]`, `{}`)
		}
	})
	p := pool(t, f, 1)
	for i := range 20 {
		want := fmt.Sprint("g", i)
		got, _, err := ask(soon(t), p, Request{Traversal: want})
		var b *BrokenError
		if errors.As(err, &b) { // the late answer came after the connection was taken
			continue
		}
		if err != nil || len(got) != 1 || got[0] != `"`+want+`"` {
			t.Fatalf("%v, %v", got, err)
		}
	}
}

func TestCancelledRequest(t *testing.T) {
	arrived := make(chan struct{}, 1)
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			if a.Args.Gremlin == "slow" {
				p.answer(a.RequestID.Value, 206, `[1]`, `{}`)
				arrived <- struct{}{}
				continue
			}
			p.answer(a.RequestID.Value, 200, `[2]`, `{}`)
		}
	})
	p := pool(t, f, 1)
	ctx, cancel := context.WithCancel(soon(t))
	go func() { <-arrived; cancel() }()
	_, _, err := ask(ctx, p, Request{Traversal: "slow"})
	var b *BrokenError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &b) {
		t.Errorf("cancelled: %v", err)
	}
	if got, _, err := ask(soon(t), p, Request{Traversal: "fast"}); err != nil || !reflect.DeepEqual(got, []string{"2"}) {
		t.Errorf("after a cancelled request: %v, %v", got, err)
	}
	if _, _, err := ask(ctx, p, Request{Traversal: "fast"}); !errors.Is(err, context.Canceled) || errors.As(err, &b) {
		t.Errorf("a request after the end of its context: %v", err)
	}
}

// TestAbandonedAnswer checks that an error of the receiver ends the request.
func TestAbandonedAnswer(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 206, `["`+a.Args.Gremlin+`"]`, `{}`)
			p.answer(a.RequestID.Value, 200, `["`+a.Args.Gremlin+`"]`, `{}`)
		}
	})
	p := pool(t, f, 1)
	enough := errors.New("enough")
	if _, err := p.Do(soon(t), Request{Traversal: "a"}, func([]json.RawMessage) error { return enough }); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	if got, _, err := ask(soon(t), p, Request{Traversal: "b"}); err != nil || !reflect.DeepEqual(got, []string{`"b"`, `"b"`}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestPool checks the number of connections, and that answers are never mixed, also if some
// requests are given up, whose connections are closed.
func TestPool(t *testing.T) {
	for _, givesUp := range []bool{false, true} {
		var mu sync.Mutex
		now, most := 0, 0
		f := serve(t, func(p *peer) {
			for a, ok := p.next(); ok; a, ok = p.next() {
				mu.Lock()
				now++
				most = max(most, now)
				mu.Unlock()
				time.Sleep(time.Millisecond)
				mu.Lock()
				now--
				mu.Unlock()
				p.answer(a.RequestID.Value, 206, `["`+a.Args.Gremlin+`"]`, `{}`)
				p.answer(a.RequestID.Value, 200, `["`+a.Args.Gremlin+`"]`, `{}`)
			}
		})
		p := pool(t, f, 4)
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				ctx := soon(t)
				short := givesUp && i%5 == 0
				if short {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, time.Duration(i)*100*time.Microsecond)
					defer cancel()
				}
				want := fmt.Sprint(`"g`, i, `"`)
				got, _, err := ask(ctx, p, Request{Traversal: strings.Trim(want, `"`)})
				for _, g := range got {
					if g != want {
						t.Errorf("request %s has the answer %s", want, g)
					}
				}
				if !short && (err != nil || len(got) != 2) {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		wg.Wait()
		if most > 4 && !givesUp { // a server finishes a request after its connection is closed
			t.Errorf("%d requests at a time on 4 connections", most)
		}
	}
}

func TestClosedPool(t *testing.T) {
	f := serve(t, func(p *peer) {
		for a, ok := p.next(); ok; a, ok = p.next() {
			p.answer(a.RequestID.Value, 200, `[1]`, `{}`)
		}
	})
	p := pool(t, f, 2)
	if _, _, err := ask(soon(t), p, Request{Traversal: "g"}); err != nil {
		t.Fatal(err)
	}
	p.Close()
	p.Close()
	if _, _, err := ask(soon(t), p, Request{Traversal: "g"}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestDial(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	defer refusing.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, test := range []struct{ url, want string }{
		{refusing.URL, "HTTP status 404"},
		{gone.URL, "no connection to the server"},
	} {
		p := pool(t, &fake{Server: &httptest.Server{URL: test.url}}, 1)
		_, _, err := ask(soon(t), p, Request{Traversal: "g"})
		var d *DialError
		if !errors.As(err, &d) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v", err)
		}
	}
}

func TestAnswerThatIsTooLong(t *testing.T) {
	f := serve(t, func(p *peer) {
		if a, ok := p.next(); ok {
			w, err := p.ws.Writer(context.Background(), websocket.MessageText)
			if err != nil {
				return
			}
			_, _ = io.WriteString(w, `{"requestId":"`+a.RequestID.Value+`","status":{"code":200},"result":{"data":["`)
			mega := strings.Repeat("x", 1<<20)
			for range 65 {
				if _, err := io.WriteString(w, mega); err != nil {
					return
				}
			}
			_, _ = io.WriteString(w, `"]}}`)
			_ = w.Close()
		}
	})
	_, _, err := ask(soon(t), pool(t, f, 1), Request{Traversal: "g"})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

func TestSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`"00:00:03.9500000"`: 3950 * time.Millisecond, `"01:02:03"`: time.Hour + 2*time.Minute + 3*time.Second, `12`: 12 * time.Millisecond, `"7.5"`: 7500 * time.Microsecond,
		`"x"`: 0, `""`: 0, `"00:-1:00"`: 0, `"99:99:NaN"`: 0, `"900:00:00"`: 0, `-4`: 0, `1e300`: 0, `null`: 0, `{}`: 0, `[]`: 0,
	} {
		if got, ok := span([]byte(text)); got != want || ok != (want > 0) {
			t.Errorf("%s is %v, %v", text, got, ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"requestId":"a","status":{"code":200,"message":"","attributes":{"x-ms-status-code":200,"x-ms-request-charge":1.5}},"result":{"data":[1],"meta":{}}}`,
		`{"requestId":{"@type":"g:UUID","@value":"a"},"status":{"code":{"@type":"g:Int32","@value":206},"attributes":{"@type":"g:Map","@value":{}}},"result":{"data":{"@type":"g:List","@value":[1]}}}`,
		`{"status":{"code":500,"attributes":{"x-ms-retry-after-ms":"00:00:03.9500000"}}}`, `{}`, `[]`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		a, err := decode(frame)
		if err != nil {
			if !errors.Is(err, ErrProtocol) || a != nil {
				t.Errorf("%v with %v", err, a)
			}
			return
		}
		if a.status.Code < 100 || a.status.RetryAfter < 0 || a.status.charge < 0 || a.status.total < 0 {
			t.Errorf("%+v", a.status)
		}
		for _, d := range a.data {
			if !json.Valid(d) {
				t.Errorf("a result %q", d)
			}
		}
	})
}
