package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxExact is the largest integer up to which float64 holds all of them. Cosmos
// DB keeps numbers as float64; see "Per-item limits" on Microsoft's page "Azure
// Cosmos DB service quotas".
const maxExact = 1 << 53

// compareField returns the predicate that test holds for a field and values, which
// are of the JSON type of that property. Zero says whether test is true of V's
// zero value. Method is for errors.
func compareField[D, V any](field, method, test string, zero bool, values ...V) Predicate[D] {
	c := &comparison{field: field, test: test, zero: zero}
	for _, v := range values {
		data, typed, err := encode(v)
		switch {
		case err != nil:
		case typed == text.IsNull:
			err = errors.New("null compares with nothing: use IsNull")
		case c.typed != "" && c.typed != typed:
			err = errors.New("the values are of different types in JSON: join an Eq for each with Or")
		}
		if err != nil {
			return fails[D](field, method, err)
		}
		c.typed = typed
		c.values = append(c.values, data)
	}
	return Predicate[D]{c}
}

// different returns the predicate that a field has a value other than v.
func different[D any, V comparable](field string, v V) Predicate[D] {
	var zero V
	p := compareField[D](field, "Ne", "$ != @", v != zero, v)
	if c, ok := p.condition.(*comparison); ok {
		c.strict = true
	}
	return p
}

// among returns the predicate that a field has one of the values.
func among[D any, V comparable](field string, values []V) Predicate[D] {
	if len(values) == 0 {
		return Or[D]()
	}
	var zero V
	test := "$ IN (@" + strings.Repeat(", @", len(values)-1) + ")"
	return compareField[D](field, "In", test, slices.Contains(values, zero), values...)
}

// testOf returns the predicate that test, which is true or false of anything,
// holds for a field.
func testOf[D any](field, test string) Predicate[D] {
	return Predicate[D]{&comparison{field: field, test: test}}
}

func definedTest[D any](field string) Predicate[D] { return testOf[D](field, "IS_DEFINED($)") }

func nullTest[D any](field string) Predicate[D] { return testOf[D](field, text.IsNull+"($)") }

// fails returns the predicate that says why a method of a field cannot be run.
func fails[D any](field, method string, err error) Predicate[D] {
	return Predicate[D]{invalid{fmt.Errorf("field %q: %s: %w", field, method, err)}}
}

// encode returns v as it is written into documents, and the SQL function that
// tells values of its type. It takes the address, since fields of a document
// have one and so use a MarshalJSON that has a pointer for its receiver.
func encode[V any](v V) (data json.RawMessage, typed string, err error) {
	data, err = json.Marshal(&v)
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
		return data, text.IsNumber, exact(reflect.ValueOf(&v).Elem())
	}
}

// errBeyond is why an integer may not be what it was when it comes back.
var errBeyond = errors.New("is beyond 2^53")

// exact returns an error for an integer that float64 may not hold.
func exact(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.CanInt() && (v.Int() > maxExact || v.Int() < -maxExact) || v.CanUint() && v.Uint() > maxExact {
		return fmt.Errorf("the value %w: Cosmos DB keeps numbers as float64, where it may equal its neighbours; store such integers as text", errBeyond)
	}
	return nil
}
