package wire

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mime is the format of requests. Azure Cosmos DB supports only GraphSON 2; see "Unsupported
// features" on Microsoft's page "Azure Cosmos DB for Gremlin graph support and compatibility
// with TinkerPop features".
const mime = "application/vnd.gremlin-v2.0+json"

// Bindings are the values of a traversal by their names in its text: each is a string, a bool,
// an int64, a float64, a []string, or a []any of these.
type Bindings map[string]any

// eval returns the frame that requests the results of a traversal.
func eval(id, traversal string, bindings Bindings) ([]byte, error) {
	b := begin(id, "eval", "", len(traversal)+48*len(bindings))
	b = append(b, `"language":"gremlin-groovy","aliases":{"g":"g"},"gremlin":`...)
	b = text(b, traversal)
	b = append(b, `,"bindings":{`...)
	first := true
	for name, v := range bindings {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(text(b, name), ':')
		var err error
		if b, err = graphson(b, v); err != nil {
			return nil, err
		}
	}
	return append(b, "}}}"...), nil
}

// authentication returns the frame that responds to status 407: SASL PLAIN (RFC 4616).
func authentication(id, user, password string) []byte {
	sasl := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	b := begin(id, "authentication", "traversal", len(sasl))
	return append(b, `"saslMechanism":"PLAIN","sasl":"`+sasl+`"}}`...)
}

// begin returns the beginning of a message, up to its arguments, in the form of a binary
// frame: the length of the format's name in a byte, the name, and JSON. It has capacity for
// more bytes.
func begin(id, op, processor string, more int) []byte {
	b := make([]byte, 0, 256+more)
	b = append(b, byte(len(mime)))
	b = append(b, mime...)
	b = append(b, `{"requestId":{"@type":"g:UUID","@value":"`...)
	b = append(b, id...)
	b = append(b, `"},"op":"`...)
	b = append(b, op...)
	b = append(b, `","processor":"`...)
	b = append(b, processor...)
	return append(b, `","args":{`...)
}

// graphson appends a binding in GraphSON 2. Numbers have a type: a server would read a number
// without one as an Integer of 32 bits or a Double.
func graphson(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return text(b, v), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		b = append(b, `{"@type":"g:Int64","@value":`...)
		return append(strconv.AppendInt(b, v, 10), '}'), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("a binding is NaN or infinite, and JSON has no such number")
		}
		b = append(b, `{"@type":"g:Double","@value":`...)
		return append(strconv.AppendFloat(b, v, 'g', -1, 64), '}'), nil
	case []string:
		return listed(b, v, func(b []byte, v string) ([]byte, error) { return text(b, v), nil })
	case []any:
		return listed(b, v, graphson)
	}
	return nil, fmt.Errorf("a binding of type %T: use string, bool, int64, float64, []string or []any", v)
}

// listed appends a list of values.
func listed[T any](b []byte, values []T, one func([]byte, T) ([]byte, error)) ([]byte, error) {
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = one(b, v); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// text appends a text as JSON. Bytes that are not UTF-8 become U+FFFD.
func text(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	s = strings.ToValidUTF8(s, "\uFFFD")
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// newID returns a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
