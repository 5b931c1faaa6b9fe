package gremlin

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// reply is what a fake service answers to one request.
type reply struct {
	code       int
	attributes string // JSON
	message    string
	data       string // JSON
	drop       bool   // close the connection instead
	twice      *reply // a second answer, to the same request when it arrives again
}

// text is the reply to a request, in JSON.
func (r reply) text(request string) ([]byte, error) {
	return json.Marshal(map[string]any{
		"requestId": request,
		"status":    map[string]any{"code": r.code, "message": r.message, "attributes": json.RawMessage(cmp.Or(r.attributes, "{}"))},
		"result":    map[string]any{"data": json.RawMessage(cmp.Or(r.data, "null"))},
	})
}

func ok(data string) reply {
	return reply{code: 200, data: data, attributes: `{"x-ms-status-code":200,"x-ms-total-request-charge":2.5}`}
}

func status(service int, attributes string) reply {
	if attributes != "" {
		attributes = "," + attributes
	}
	code, _ := json.Marshal(service)
	return reply{code: 500, message: "secret of the service", attributes: `{"x-ms-status-code":` + string(code) + `,"x-ms-request-charge":1` + attributes + `}`}
}

// service is a fake service that gives its replies one after the other.
type service struct {
	mu      sync.Mutex
	replies []reply
	asked   []string // traversals
	bound   []map[string]any
}

func (s *service) next(traversal string, bindings map[string]any) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.bound = append(s.asked, traversal), append(s.bound, bindings)
	if len(s.replies) == 0 {
		return status(1004, "")
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	return r
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// serve starts a fake service, and returns it with a client.
func serve(t testing.TB, replies ...reply) (*service, *Client) {
	t.Helper()
	s := &service{replies: replies}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = ws.CloseNow() }()
		ws.SetReadLimit(1 << 20)
		for {
			_, data, err := ws.Read(context.Background())
			if err != nil {
				return
			}
			var asked struct {
				RequestID struct {
					Value string `json:"@value"`
				} `json:"requestId"`
				Args struct {
					Gremlin  string
					Bindings map[string]any
				}
			}
			if err := json.Unmarshal(data[1+int(data[0]):], &asked); err != nil {
				t.Error(err)
				return
			}
			r := s.next(asked.Args.Gremlin, asked.Args.Bindings)
			if r.drop {
				return
			}
			for answer := &r; answer != nil; answer = answer.twice {
				text, err := answer.text(asked.RequestID.Value)
				if err != nil {
					t.Error(err)
					return
				}
				_ = ws.Write(context.Background(), websocket.MessageBinary, text)
			}
		}
	}))
	t.Cleanup(server.Close)
	h := &http.Client{Transport: &http.Transport{}}
	c, err := NewClient("ws"+strings.TrimPrefix(server.URL, "http"), "db", "graph", "key", WithHTTPClient(h), WithConnections(2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		h.CloseIdleConnections()
	})
	return s, c
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// Thing is a vertex.
type Thing struct {
	ID    string  `json:"id"`
	Key   string  `json:"pk"`
	Speed float64 `json:"speed"`
	Note  *string `json:"note"`
}

type thingKey struct{ Key, ID string }

func (k thingKey) Validate() error {
	return partition.Check("Thing", partition.Text("Key", k.Key), partition.Key(k.Key), partition.ID(k.ID))
}

// By hand: generated code imports this package.
var thingModel = generated.Model[Thing, thingKey]{
	Type: "Thing", Path: "/pk", Key: func(d *Thing) thingKey { return thingKey{d.Key, d.ID} },
	ID: func(k thingKey) string { return k.ID }, Text: func(k thingKey) string { return k.Key },
	Properties: &generated.Properties{ID: "id"},
}

const thing = `{"id":"1","label":"Thing","type":"vertex","properties":{"pk":[{"id":"x","value":"k"}],"speed":[{"id":"y","value":1.5}]}}`
