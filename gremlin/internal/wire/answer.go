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

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Status codes of the protocol, from TinkerPop's "Graph Driver Provider Requirements".
const (
	success      = 200
	noContent    = 204
	partial      = 206
	unauthorized = 401
	authenticate = 407
)

// answer is one part of a server's answer to a request.
type answer struct {
	id     string
	status Status
	data   []json.RawMessage
}

// last reports whether a is the last part.
func (a *answer) last() bool { return a.status.Code != partial && a.status.Code != authenticate }

// decode reads a part of an answer.
func decode(frame []byte) (*answer, error) {
	if !jsonscan.Valid(frame) {
		return nil, malformed("it is not JSON")
	}
	a := new(answer)
	f, err := a.parts(frame)
	if err != nil {
		return nil, err
	}
	if id := untyped(f.id); !isNull(id) {
		var ok bool
		if a.id, ok = jsonscan.Text(id); !ok {
			return nil, malformed("its requestId is not a text")
		}
	}
	n, ok := number(f.code)
	if !ok || n != math.Trunc(n) || n < 100 || n > 9999 {
		return nil, malformed("its status code is not a number from 100 to 9999")
	}
	a.status.Code = int(n)
	if err := a.status.read(f.attributes); err != nil {
		return nil, err
	}
	if data := untyped(f.data); !isNull(data) && (a.status.Code == success || a.status.Code == partial) {
		list := jsonscan.Of(data)
		if !list.Enter('[') {
			return nil, malformed("its data is not a list")
		}
		for list.More() {
			a.data = append(a.data, list.Raw())
		}
	}
	return a, nil
}

// frameParts are the parts of a frame as JSON, or nil for a missing one.
type frameParts struct{ id, code, attributes, data []byte }

// parts finds the parts of a frame, which is valid JSON, and keeps the message of its status.
func (a *answer) parts(frame []byte) (f frameParts, err error) {
	hasStatus, hasResult := false, true
	in := jsonscan.Of(frame)
	if !in.Enter('{') {
		return f, malformed("it is not an object")
	}
	for in.More() {
		switch string(in.Name()) {
		case "requestId":
			f.id = in.Raw()
		case "status":
			hasStatus = in.Enter('{')
			for hasStatus && in.More() {
				switch string(in.Name()) {
				case "code":
					f.code = in.Raw()
				case "message":
					a.status.message, _ = in.Text()
				case "attributes":
					f.attributes = in.Raw()
				default:
					in.Skip()
				}
			}
		case "result":
			null := in.Kind() == 'n'
			isObject := in.Enter('{')
			for isObject && in.More() {
				if string(in.Name()) == "data" {
					f.data = in.Raw()
				} else {
					in.Skip()
				}
			}
			hasResult = isObject || null
		default:
			in.Skip()
		}
	}
	switch {
	case !hasStatus:
		return f, malformed("it has no status")
	case !hasResult:
		return f, malformed("its result is not an object")
	}
	return f, nil
}

// read reads the attributes of the service; see Microsoft's page "Azure Cosmos DB for
// Gremlin response headers".
func (s *Status) read(attributes []byte) error {
	attributes = untyped(attributes)
	if isNull(attributes) {
		return nil
	}
	in := jsonscan.Of(attributes)
	if !in.Enter('{') {
		return malformed("its attributes are not an object")
	}
	for in.More() {
		s.attribute(in.Name(), in.Raw())
	}
	return nil
}

// attribute reads one attribute. An attribute in another form counts as absent.
func (s *Status) attribute(name, value []byte) {
	switch string(name) {
	case "x-ms-status-code":
		if v, ok := number(value); ok && v >= 0 && v <= math.MaxInt32 {
			s.Service = int(v)
		}
	case "x-ms-substatus-code":
		if v, ok := number(value); ok && v >= 0 && v <= math.MaxInt32 {
			s.Substatus = int(v)
		}
	case "x-ms-request-charge":
		if v, ok := number(value); ok && v >= 0 {
			s.charge = v
		}
	case "x-ms-total-request-charge":
		if v, ok := number(value); ok && v >= 0 {
			s.total = v
		}
	case "x-ms-retry-after-ms":
		if v, ok := span(value); ok {
			s.RetryAfter = v
		}
	case "x-ms-activity-id":
		s.ActivityID, _ = jsonscan.Text(untyped(value))
	}
}

// untyped returns a value without the type of GraphSON 2 around it. The service writes no
// types, but does not document that.
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

// number returns a number, which may be stored as a text.
func number(value json.RawMessage) (float64, bool) {
	text := strings.Trim(string(untyped(value)), `"`)
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// longestSpan bounds the wait that a service may request, so that sums do not overflow.
const longestSpan = 24 * time.Hour

// span reads a .NET TimeSpan such as "00:00:03.9500000", or a number of milliseconds.
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
	if days, hours, found := strings.Cut(parts[0], "."); found {
		n, err := strconv.ParseUint(days, 10, 8)
		if err != nil {
			return 0, false
		}
		total, parts[0] = float64(n)*float64(24*time.Hour), hours
	}
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

// ErrProtocol is matched by errors for answers that violate the protocol. The connection is
// closed.
var ErrProtocol = errors.New("the server's answer violates the Gremlin protocol")

func malformed(why string) error { return fmt.Errorf("%w: %s", ErrProtocol, why) }
