package jsonvalue

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// escape is the output of encoding/json for invalid UTF-8. It writes U+FFFD itself as three bytes.
var escape = []byte(`\ufffd`)

// isReplaced reports whether JSON of encoding/json, or of a MarshalJSON, has a replacement for
// invalid UTF-8.
func isReplaced(body []byte) bool {
	for rest := body; ; {
		i := bytes.Index(rest, escape)
		if i < 0 {
			return !utf8.Valid(body)
		}
		before := rest[:i]
		if (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0 { // otherwise the backslash itself is escaped
			return true
		}
		rest = rest[i+len(escape):]
	}
}

// Marshal is json.Marshal, but refuses invalid UTF-8, for which json.Marshal would store another
// text. Errors name the Go type and the field, and contain no value. A json.RawMessage is already
// JSON, and may have the escape of U+FFFD.
//
// Without invalid UTF-8 it allocates no more than json.Marshal.
func Marshal(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err == nil && !isReplaced(body) {
		return body, nil
	}
	field, reason := failure.FieldAt(v, isHidden, unstorable)
	switch {
	case reason != nil:
	case err != nil:
		return nil, err // such as for a cyclic value
	default:
		return body, nil
	}
	if field == "" {
		return nil, reason
	}
	of := reflect.TypeOf(v)
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Name() == "" { // a list or a map
		return nil, failure.Reworded(field+": "+failure.DiscreetText(reason), reason)
	}
	return nil, failure.Reworded(failure.OfValue(of.String(), field, "", failure.DiscreetText(reason)), reason)
}

// Tick is the precision of times in documents: the seventh digit of a second.
const Tick = 100 * time.Nanosecond

// TimeLayout is the form of stored times, in Microsoft's notation yyyy-MM-ddTHH:mm:ss.fffffffZ. The
// Z is a literal: times must be in UTC.
const TimeLayout = "2006-01-02T15:04:05.0000000Z"

// FarYear is the reason why a time cannot be stored as a text.
const FarYear = string(failure.ErrFarYear)

// isHidden reports whether encoding/json omits a field.
func isHidden(f reflect.StructField) bool { return f.Tag.Get("json") == "-" }

// unstorable returns why JSON cannot represent a value. If the type has marshalling methods, their
// output decides.
func unstorable(v reflect.Value) (within bool, err error) {
	if v.CanAddr() {
		v = v.Addr() // so that methods of pointers count
	}
	switch m := v.Interface().(type) {
	case json.RawMessage, *json.RawMessage:
		body, err := json.Marshal(m)
		if err == nil && !utf8.Valid(body) {
			err = failure.ErrNotUTF8
		}
		return false, err
	case time.Time, *time.Time:
		if _, err := json.Marshal(m); err != nil {
			return false, because(failure.ErrFarYear, err)
		}
		return false, nil
	case json.Marshaler, encoding.TextMarshaler:
		body, err := json.Marshal(m)
		var own *failure.RewordedError
		switch {
		case errors.As(err, &own):
			err = own // an error of our own, with its text
		case err == nil && isReplaced(body):
			err = failure.ErrNotUTF8
		}
		_, whole := m.(json.Marshaler)
		return whole && err != nil, err
	}
	v = reflect.Indirect(v)
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return false, failure.ErrNotUTF8
		}
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return false, because(failure.ErrNotFinite, &json.UnsupportedValueError{Value: v, Str: strconv.FormatFloat(f, 'g', -1, 64)})
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			name := []byte(key.String()) // a key of another kind is ASCII text
			if m, ok := key.Interface().(encoding.TextMarshaler); ok && key.Kind() != reflect.String {
				if name, err = m.MarshalText(); err != nil {
					return false, failure.Reworded("a key of the map has no text", err)
				}
			}
			if !utf8.Valid(name) {
				return false, failure.ErrNotUTF8
			}
		}
		return true, nil
	case reflect.Slice:
		return v.Type().Elem().Kind() != reflect.Uint8, nil
	case reflect.Struct, reflect.Array:
		return true, nil
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		_, err := json.Marshal(v.Interface())
		return false, err
	}
	return false, nil
}

// because returns a reason that wraps its cause.
func because(reason failure.Says, cause error) error { return failure.Reworded(string(reason), cause) }

// Time returns the stored text of a time, which must be in UTC, in whole ticks, and have a year of
// four digits.
func Time(t time.Time) json.RawMessage { return json.RawMessage(t.Format(`"` + TimeLayout + `"`)) }

// CheckTime returns an error if a time cannot be stored.
func CheckTime(t time.Time) error {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return failure.Reworded(FarYear, nil)
	}
	return nil
}
