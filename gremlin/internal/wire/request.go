package wire

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// mime is the format of requests. Azure Cosmos DB reads GraphSON 2 alone; see
// "Unsupported features" on Microsoft's page "Azure Cosmos DB for Gremlin graph support
// and compatibility with TinkerPop features".
const mime = "application/vnd.gremlin-v2.0+json"

// Bindings are the values of a traversal by the names that its text has for them: each
// is a string, a bool, an int64, a float64, a []string, or a []any of such values.
type Bindings map[string]any

// typed is a value with its type in GraphSON 2.
type typed struct {
	Type  string `json:"@type"`
	Value any    `json:"@value"`
}

// graphson returns a binding as GraphSON 2 writes it. Numbers name their type, since
// a server would take one without a type for an Integer of 32 bits or a Double.
func graphson(v any) (any, error) {
	switch v := v.(type) {
	case string, bool, []string:
		return v, nil
	case int64:
		return typed{"g:Int64", v}, nil
	case float64:
		return typed{"g:Double", v}, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = graphson(v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("a binding of type %T: use string, bool, int64, float64, []string or []any", v)
}

type message struct {
	RequestID typed          `json:"requestId"`
	Op        string         `json:"op"`
	Processor string         `json:"processor"`
	Args      map[string]any `json:"args"`
}

// eval returns the frame that asks for the results of a traversal.
func eval(id, traversal string, bindings Bindings) ([]byte, error) {
	values := make(map[string]any, len(bindings))
	for name, v := range bindings {
		value, err := graphson(v)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	return frame(message{typed{"g:UUID", id}, "eval", "", map[string]any{
		"gremlin": traversal, "language": "gremlin-groovy", "bindings": values,
		"aliases": map[string]string{"g": "g"},
	}})
}

// authentication returns the frame that answers status 407: SASL PLAIN (RFC 4616).
func authentication(id, user, password string) ([]byte, error) {
	sasl := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	return frame(message{typed{"g:UUID", id}, "authentication", "traversal", map[string]any{
		"saslMechanism": "PLAIN", "sasl": sasl,
	}})
}

// frame returns a message as a binary frame has it: the length of the format's name in a
// byte, the name, and the JSON.
func frame(m message) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte(byte(len(mime)))
	b.WriteString(mime)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// newID returns a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // which never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
