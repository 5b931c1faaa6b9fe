package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a server that answers as a test says.
type fake struct {
	*httptest.Server
	dials atomic.Int32
}

// peer is the server's end of a connection.
type peer struct {
	t  *testing.T
	ws *websocket.Conn
}

type asked struct {
	RequestID struct {
		Type  string `json:"@type"`
		Value string `json:"@value"`
	} `json:"requestId"`
	Op        string `json:"op"`
	Processor string `json:"processor"`
	Args      struct {
		Gremlin  string                     `json:"gremlin"`
		Bindings map[string]json.RawMessage `json:"bindings"`
		Language string                     `json:"language"`
		SASL     []byte                     `json:"sasl"`
	} `json:"args"`
}

// next reads a request, and reports false at the end of the connection.
func (p *peer) next() (asked, bool) {
	var a asked
	typ, data, err := p.ws.Read(context.Background())
	if err != nil {
		return a, false
	}
	format := "application/vnd.gremlin-v2.0+json"
	if typ != websocket.MessageBinary || len(data) == 0 || int(data[0]) != len(format) || !bytes.HasPrefix(data[1:], []byte(format)) {
		p.t.Errorf("a request is a %v frame that begins with %.40q", typ, data)
		return a, false
	}
	if err := json.Unmarshal(data[1+len(format):], &a); err != nil {
		p.t.Errorf("a request is no JSON: %v", err)
	}
	return a, true
}

func (p *peer) send(text string) {
	_ = p.ws.Write(context.Background(), websocket.MessageText, []byte(text))
}

// answer sends one part.
func (p *peer) answer(id string, code int, data, attributes string) {
	text, _ := json.Marshal(map[string]any{
		"requestId": id, "status": map[string]any{"code": code, "message": "secret-of-the-server", "attributes": json.RawMessage(attributes)},
		"result": map[string]any{"data": json.RawMessage(data), "meta": map[string]any{}},
	})
	_ = p.ws.Write(context.Background(), websocket.MessageBinary, text)
}

// serve starts a server that runs handle for each connection.
func serve(t *testing.T, handle func(*peer)) *fake {
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.dials.Add(1)
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		ws.SetReadLimit(1 << 20)
		handle(&peer{t, ws})
		_ = ws.CloseNow()
	}))
	t.Cleanup(f.Close)
	return f
}

func pool(t *testing.T, f *fake, connections int) *Pool {
	client := &http.Client{Transport: &http.Transport{}}
	p := NewPool(Config{Endpoint: "ws" + strings.TrimPrefix(f.URL, "http"), User: "/dbs/d/colls/g", Password: "key", HTTP: client, Connections: connections})
	t.Cleanup(func() {
		p.Close()
		client.CloseIdleConnections()
	})
	return p
}

// ask sends a request, and returns its results one after the other.
func ask(ctx context.Context, p *Pool, r Request) (texts []string, charge float64, err error) {
	charge, err = p.Do(ctx, r, func(data []json.RawMessage) error {
		for _, d := range data {
			texts = append(texts, string(d))
		}
		return nil
	})
	return texts, charge, err
}

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}
