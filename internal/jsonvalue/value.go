// Package jsonvalue writes Go values as the JSON that documents have, and refuses those that
// would be another value when they come back.
package jsonvalue

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// JSON returns v as it is written into documents: the text that encoding/json
// writes, but perhaps for the exponent of a number. A value that a predicate refuses to
// compare with is an error here too.
//
// Texts, numbers and booleans, which most changes are made of, do not go through
// encoding/json: the text is the one allocation.
func JSON[V any](v V) (json.RawMessage, error) {
	if data := basicJSON(&v); data != nil {
		return data, nil
	}
	other := v            // which goes to the heap
	return Encode(&other) // data also with ErrBeyondExact
}

// basicJSON returns the JSON of a text, a number or a boolean, to which p points, of
// a type without a marshaller of its own, and nil for all else and for what needs a
// closer look.
func basicJSON(p any) json.RawMessage {
	switch p.(type) {
	case json.Marshaler, encoding.TextMarshaler, *json.Number: // a json.Number is a text, and a number in JSON
		return nil
	}
	switch v := reflect.ValueOf(p).Elem(); v.Kind() {
	case reflect.String:
		return plainText(v.String())
	case reflect.Bool:
		return strconv.AppendBool(nil, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); -maxExact <= n && n <= maxExact {
			return strconv.AppendInt(nil, n, 10)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := v.Uint(); n <= maxExact {
			return strconv.AppendUint(nil, n, 10)
		}
	case reflect.Float32:
		return plainFloat(v.Float(), 32)
	case reflect.Float64:
		return plainFloat(v.Float(), 64)
	}
	return nil
}

// plainText returns a text in quotes if none of its bytes needs an escape, which
// those beyond ASCII may.
func plainText(s string) json.RawMessage {
	for i := range len(s) {
		switch b := s[i]; {
		case b < ' ', b > '~', b == '"', b == '\\', b == '<', b == '>', b == '&':
			return nil
		}
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// plainFloat returns a number with an exponent only where encoding/json writes
// one, so that integers up to 1e21 have none.
func plainFloat(f float64, bits int) json.RawMessage {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(make([]byte, 0, 24), f, format, -1, bits)
}

// maxExact is the largest integer up to which float64 holds all of them. Cosmos
// DB keeps numbers as float64; see "Per-item limits" on Microsoft's page "Azure
// Cosmos DB service quotas".
const maxExact = 1 << 53

// Encode returns the value that p points to as it is written into documents. It takes the
// address, since fields of a document have one and so use a MarshalJSON that has a pointer for
// its receiver. With ErrBeyondExact it returns the value too.
func Encode(p any) (json.RawMessage, error) {
	data, err := Marshal(p)
	var unsupported *json.UnsupportedValueError
	switch {
	case errors.As(err, &unsupported):
		return nil, fmt.Errorf("%s has no form in JSON, so that no document holds it: check the value first", unsupported.Str)
	case err != nil:
		return nil, failure.Discreet(err)
	}
	if KindOf(data) == Number {
		err = exact(reflect.ValueOf(p).Elem())
	}
	return data, err
}

// Kind is a type that JSON has.
type Kind int

// The types that JSON has.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// KindOf returns the type of a value, which is not empty.
func KindOf(data json.RawMessage) Kind {
	switch data[0] {
	case '"':
		return String
	case 't', 'f':
		return Bool
	case '[':
		return Array
	case '{':
		return Object
	case 'n':
		return Null
	}
	return Number
}

// ErrBeyondExact is why an integer may not be what it was when it comes back.
var ErrBeyondExact = errors.New("is beyond 2^53")

// exact returns an error for an integer that float64 may not hold.
func exact(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.CanInt() && (v.Int() > maxExact || v.Int() < -maxExact) || v.CanUint() && v.Uint() > maxExact {
		return fmt.Errorf("the value %w: Cosmos DB keeps numbers as float64, where it may equal its neighbours; store such integers as text", ErrBeyondExact)
	}
	return nil
}
