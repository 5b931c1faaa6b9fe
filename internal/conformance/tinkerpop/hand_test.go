package tinkerpop_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
)

// hand is a client as a program has one that is written for its own types alone: one
// connection, and encoding/json for what goes and what comes. It has no pool, repeats
// nothing, and compares nothing.
type hand struct {
	ws *websocket.Conn
	n  int
}

// handVertex is a Device as the service answers it.
type handVertex struct {
	ID         string `json:"id"`
	Label      string `json:"label"`
	Properties struct {
		Key     []one[string]    `json:"partitionKey"`
		Tenant  []one[string]    `json:"tenant"`
		Bucket  []one[int]       `json:"bucket"`
		Name    []one[string]    `json:"name"`
		Speed   []one[float64]   `json:"speed"`
		Count   []one[int64]     `json:"count"`
		On      []one[bool]      `json:"on"`
		At      []one[time.Time] `json:"at"`
		Level   []one[Level]     `json:"level"`
		Comment []one[string]    `json:"comment"`
		Seen    []one[int]       `json:"seen"`
	} `json:"properties"`
}

type one[T any] struct {
	Value T `json:"value"`
}

// handAnswer is a part of an answer whose results are of type R.
type handAnswer[R any] struct {
	RequestID string `json:"requestId"`
	Status    struct {
		Code       int                        `json:"code"`
		Message    string                     `json:"message"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"status"`
	Result struct {
		Data []R `json:"data"`
	} `json:"result"`
}

func newHand(b *testing.B, s *tinkerpop.Server) *hand {
	b.Helper()
	ws, resp, err := websocket.Dial(soon(b), s.Endpoint(), nil)
	if err != nil {
		b.Fatal(err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	ws.SetReadLimit(64 << 20)
	b.Cleanup(func() { _ = ws.CloseNow() })
	return &hand{ws: ws}
}

func (h *hand) write(ctx context.Context, id, op, processor string, args map[string]any) error {
	request, err := json.Marshal(map[string]any{"requestId": map[string]string{"@type": "g:UUID", "@value": id}, "op": op, "processor": processor, "args": args})
	if err != nil {
		return err
	}
	const mime = "application/vnd.gremlin-v2.0+json"
	return h.ws.Write(ctx, websocket.MessageBinary, append([]byte{byte(len(mime))}, mime+string(request)...))
}

// ask sends a traversal, and returns its results.
func ask[R any](ctx context.Context, h *hand, traversal string, bindings map[string]any) ([]R, error) {
	h.n++
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", h.n)
	if err := h.write(ctx, id, "eval", "", map[string]any{"gremlin": traversal, "bindings": bindings, "language": "gremlin-groovy"}); err != nil {
		return nil, err
	}
	var results []R
	for {
		_, data, err := h.ws.Read(ctx)
		if err != nil {
			return nil, err
		}
		var a handAnswer[R]
		if err := json.Unmarshal(data, &a); err != nil {
			return nil, err
		}
		results = append(results, a.Result.Data...)
		switch a.Status.Code {
		case 206:
		case 200, 204:
			return results, nil
		case 407:
			login := base64.StdEncoding.EncodeToString([]byte("\x00/dbs/" + tinkerpop.Database + "/colls/" + tinkerpop.Graph + "\x00" + tinkerpop.Password))
			if err := h.write(ctx, id, "authentication", "", map[string]any{"sasl": login}); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("status %d: %s", a.Status.Code, a.Status.Message)
		}
	}
}

// device returns a Device from what was read.
func (v *handVertex) device() *Device {
	p := &v.Properties
	d := &Device{ID: v.ID, Key: p.Key[0].Value, Tenant: p.Tenant[0].Value, Bucket: p.Bucket[0].Value, Name: p.Name[0].Value, Speed: p.Speed[0].Value,
		Count: p.Count[0].Value, On: p.On[0].Value, At: p.At[0].Value, Level: p.Level[0].Value}
	if len(p.Comment) > 0 {
		d.Comment = &p.Comment[0].Value
	}
	if len(p.Seen) > 0 {
		d.Seen = &p.Seen[0].Value
	}
	return d
}
