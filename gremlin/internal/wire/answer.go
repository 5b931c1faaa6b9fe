package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Status codes of the protocol, from TinkerPop's "Graph Driver Provider Requirements".
const (
	success      = 200
	noContent    = 204
	partial      = 206
	unauthorized = 401
	authenticate = 407
)

// answer is one part of what a server answers to a request.
type answer struct {
	id     string
	status Status
	data   []json.RawMessage
}

// last reports whether no other part comes after a.
func (a *answer) last() bool { return a.status.Code != partial && a.status.Code != authenticate }

// decode reads a part of an answer.
func decode(frame []byte) (*answer, error) {
	var raw struct {
		RequestID json.RawMessage `json:"requestId"`
		Status    *struct {
			Code       json.RawMessage `json:"code"`
			Message    string          `json:"message"`
			Attributes json.RawMessage `json:"attributes"`
		} `json:"status"`
		Result struct {
			Data json.RawMessage `json:"data"`
		} `json:"result"`
	}
	if err := json.Unmarshal(frame, &raw); err != nil {
		return nil, malformed("it is no JSON of the form that answers have")
	}
	if raw.Status == nil {
		return nil, malformed("it has no status")
	}
	a := &answer{status: Status{message: raw.Status.Message}}
	if id := untyped(raw.RequestID); !isNull(id) {
		if json.Unmarshal(id, &a.id) != nil {
			return nil, malformed("its requestId is no text")
		}
	}
	code, ok := number(raw.Status.Code)
	if !ok || code != math.Trunc(code) || code < 100 || code > 9999 {
		return nil, malformed("its status code is no number from 100 to 9999")
	}
	a.status.Code = int(code)
	if err := a.status.read(raw.Status.Attributes); err != nil {
		return nil, err
	}
	if data := untyped(raw.Result.Data); !isNull(data) && (a.status.Code == success || a.status.Code == partial) {
		if json.Unmarshal(data, &a.data) != nil {
			return nil, malformed("its data is no list")
		}
	}
	return a, nil
}

// read reads the attributes of the service; see Microsoft's page "Azure Cosmos DB for
// Gremlin response headers".
func (s *Status) read(attributes json.RawMessage) error {
	attributes = untyped(attributes)
	if isNull(attributes) {
		return nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(attributes, &all) != nil {
		return malformed("its attributes are no object")
	}
	if v, ok := number(all["x-ms-status-code"]); ok && v >= 0 && v <= math.MaxInt32 {
		s.Service = int(v)
	}
	if v, ok := number(all["x-ms-substatus-code"]); ok && v >= 0 && v <= math.MaxInt32 {
		s.Substatus = int(v)
	}
	if v, ok := number(all["x-ms-request-charge"]); ok && v >= 0 {
		s.charge = v
	}
	if v, ok := number(all["x-ms-total-request-charge"]); ok && v >= 0 {
		s.total = v
	}
	if v, ok := span(all["x-ms-retry-after-ms"]); ok {
		s.RetryAfter = v
	}
	_ = json.Unmarshal(untyped(all["x-ms-activity-id"]), &s.ActivityID)
	return nil
}

// untyped returns a value without the type that GraphSON 2 writes around it: the service
// writes none, but its documentation does not promise that.
func untyped(value json.RawMessage) json.RawMessage {
	if trimmed := bytes.TrimLeft(value, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return value
	}
	var wrapped struct {
		Type  string          `json:"@type"`
		Value json.RawMessage `json:"@value"`
	}
	if json.Unmarshal(value, &wrapped) != nil || wrapped.Type == "" || wrapped.Value == nil {
		return value
	}
	return wrapped.Value
}

func isNull(value json.RawMessage) bool {
	return len(value) == 0 || string(value) == "null"
}

// number returns a number, which may be a text.
func number(value json.RawMessage) (float64, bool) {
	text := strings.Trim(string(untyped(value)), `"`)
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// longestSpan bounds how long a service may ask to wait, so that sums do not overflow.
const longestSpan = 24 * time.Hour

// span returns a .NET TimeSpan such as "00:00:03.9500000", or a number of milliseconds.
func span(value json.RawMessage) (time.Duration, bool) {
	if ms, ok := number(value); ok {
		if ms < 0 || ms > float64(longestSpan/time.Millisecond) {
			return 0, false
		}
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	var text string
	if json.Unmarshal(untyped(value), &text) != nil {
		return 0, false
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return 0, false
	}
	var total float64
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		n, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(n >= 0 && n < 1000) {
			return 0, false
		}
		total += n * float64(unit)
	}
	if total > float64(longestSpan) {
		return 0, false
	}
	return time.Duration(total).Round(time.Microsecond), true
}

// ErrProtocol is matched by errors for answers that are not of the protocol. The
// connection is closed.
var ErrProtocol = errors.New("the server does not answer as the Gremlin protocol says")

func malformed(why string) error { return fmt.Errorf("%w: %s", ErrProtocol, why) }
