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

// escape is what encoding/json writes for bytes that are no UTF-8. It writes U+FFFD itself
// as three bytes.
var escape = []byte(`\ufffd`)

// isReplaced reports whether JSON that encoding/json wrote, or that it was given by a
// MarshalJSON, is of a text that was no UTF-8.
func isReplaced(body []byte) bool {
	for rest := body; ; {
		i := bytes.Index(rest, escape)
		if i < 0 {
			return !utf8.Valid(body)
		}
		before := rest[:i]
		if (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0 { // else its backslash is escaped
			return true
		}
		rest = rest[i+len(escape):]
	}
}

// Marshal returns the JSON of a value, as json.Marshal does, but refuses bytes that are no
// UTF-8, for which json.Marshal would store another text. An error names the Go type and
// the field, and tells no value. A json.RawMessage is JSON already: it may have the escape
// of U+FFFD.
//
// A value without such bytes costs no more allocations than json.Marshal.
func Marshal(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err == nil && !isReplaced(body) {
		return body, nil
	}
	field, reason := failure.FieldAt(v, isHidden, unstorable)
	switch {
	case reason != nil:
	case err != nil:
		return nil, err // such as of a type that refers to itself
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

// Tick is the unit of the seventh digit of a second, in which documents have times.
const Tick = 100 * time.Nanosecond

// TimeLayout is the form of stored times that Microsoft writes as
// yyyy-MM-ddTHH:mm:ss.fffffffZ. The Z is a plain letter: the time is in UTC.
const TimeLayout = "2006-01-02T15:04:05.0000000Z"

// FarYear is why a time cannot be stored as a text.
const FarYear = string(failure.ErrFarYear)

// isHidden reports whether encoding/json leaves a field out.
func isHidden(f reflect.StructField) bool { return f.Tag.Get("json") == "-" }

// unstorable says why JSON has no form for a value. A value with methods of its own is judged
// by what they write.
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
			err = own // a type of ours, which says what is wrong
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
			name := []byte(key.String()) // of another kind, it is a text in ASCII
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

// because returns a reason whose cause errors.As finds.
func because(reason failure.Says, cause error) error { return failure.Reworded(string(reason), cause) }

// Time returns the text of a time of UTC as documents have it. The time is of whole ticks, and
// its year has four digits.
func Time(t time.Time) json.RawMessage { return json.RawMessage(t.Format(`"` + TimeLayout + `"`)) }

// CheckTime returns an error for a time that has no text in documents.
func CheckTime(t time.Time) error {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return failure.Reworded(FarYear, nil)
	}
	return nil
}
