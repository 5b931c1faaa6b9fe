// Package jsonvalue encodes Go values as the JSON of documents, and refuses values that would
// change on the way back.
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

// JSON returns v as documents store it: the output of encoding/json, apart from the notation of
// exponents. It returns an error if v cannot be compared in a predicate either.
//
// Texts, numbers and booleans, which most changes consist of, bypass encoding/json and need a
// single allocation.
func JSON[V any](v V) (json.RawMessage, error) {
	if data := basicJSON(&v); data != nil {
		return data, nil
	}
	other := v            // this copy escapes to the heap
	return Encode(&other) // also sets data with ErrBeyondExact
}

// basicJSON returns the JSON of a text, number or boolean at p. It returns nil for types with
// marshallers, for all other kinds, and for values that need a closer check.
func basicJSON(p any) json.RawMessage {
	switch p.(type) {
	case json.Marshaler, encoding.TextMarshaler, *json.Number: // json.Number has kind string, and is a number in JSON
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

// plainText returns a quoted text without escapes, or nil if it may need one; characters beyond
// ASCII may.
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

// plainFloat returns a number that has an exponent only if encoding/json writes one, so integers up
// to 1e21 have none.
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

// maxExact is the integer up to which float64 represents every integer. Cosmos DB stores numbers as
// float64; see "Per-item limits" on Microsoft's page "Azure Cosmos DB service quotas".
const maxExact = 1 << 53

// Encode returns the value at p as documents store it. It takes an address so that a MarshalJSON
// with a pointer receiver applies, as it does in fields of a document. With ErrBeyondExact it
// returns the value too.
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

// Kind is a JSON type.
type Kind int

// The JSON types.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// KindOf returns the type of a value, which must not be empty.
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

// ErrBeyondExact is returned for an integer that may change when it is stored.
var ErrBeyondExact = errors.New("is beyond 2^53")

// exact returns an error for an integer that float64 may not represent.
func exact(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.CanInt() && (v.Int() > maxExact || v.Int() < -maxExact) || v.CanUint() && v.Uint() > maxExact {
		return fmt.Errorf("the value %w: Cosmos DB keeps numbers as float64, where it may equal its neighbours; store such integers as text", ErrBeyondExact)
	}
	return nil
}
