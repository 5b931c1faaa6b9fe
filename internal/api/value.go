package api

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// PropertyOf returns the name of the property at a JSON pointer, with dots between nested names.
func PropertyOf(pointer string) string {
	return strings.Join(jsonpointer.Names(pointer), ".")
}

// Value returns a Go value as a value of condition.Comparison. Except for a time, a type with a
// text form becomes that text.
func Value(v any) (any, error) {
	switch v := v.(type) {
	case string, bool, int64, uint64, float64, time.Time, []byte:
		return v, nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), err
	}
	return scalar(v)
}

// scalar is Value for types whose underlying type is a number, a text or a bool.
func scalar(v any) (any, error) {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return r.String(), nil
	case reflect.Bool:
		return r.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return r.Uint(), nil
	case reflect.Float32, reflect.Float64:
		return r.Float(), nil
	}
	return nil, fmt.Errorf("a %T cannot be compared", v)
}
