package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxExact is the largest integer up to which float64 holds all of them. Cosmos
// DB keeps numbers as float64; see "Per-item limits" on Microsoft's page "Azure
// Cosmos DB service quotas".
const maxExact = 1 << 53

// Encode returns the value that p points to as it is written into documents, and the
// SQL function that tells values of its type. It takes the address, since fields of a
// document have one and so use a MarshalJSON that has a pointer for its receiver.
func Encode(p any) (data json.RawMessage, typed string, err error) {
	data, err = wire.Marshal(p)
	var unsupported *json.UnsupportedValueError
	switch {
	case errors.As(err, &unsupported):
		return nil, "", fmt.Errorf("%s has no form in JSON, so that no document holds it: check the value first", unsupported.Str)
	case err != nil:
		return nil, "", wire.Discreet(err)
	}
	switch data[0] {
	case '"':
		return data, text.IsString, nil
	case 't', 'f':
		return data, text.IsBool, nil
	case '[':
		return data, text.IsArray, nil
	case '{':
		return data, text.IsObject, nil
	case 'n':
		return data, text.IsNull, nil
	default:
		return data, text.IsNumber, exact(reflect.ValueOf(p).Elem())
	}
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
