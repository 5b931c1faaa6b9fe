package failure

import (
	"fmt"
	"reflect"
)

// Reasons why a value cannot be stored, for [OfValue]. APIs with the same rule share its text.
const (
	ErrNotUTF8   = Says("the text is not valid UTF-8, and the service would store a different text: correct it, or store the bytes as base64 or hexadecimal")
	ErrNotFinite = Says("the number is NaN or infinite, and JSON has no such number: store a pointer, and nil for no value")
	ErrFarYear   = Says("the time is in a year of UTC before 0 or after 9999, which has no four digits: correct it")
)

// deepest is the maximum depth that FieldAt inspects: MongoDB stores no more, and the NoSQL API
// stores 128 levels.
const deepest = 128

// FieldAt returns the path of Go fields to the first value in doc that cannot be stored, such as
// "Trips[2].At", and the reason. The path is "" for doc itself. It does not contain map keys, which
// are data.
//
// Judge returns the fault of one value, or nil, and whether to inspect the values within it; their
// faults take precedence. Hidden reports whether a struct field is not stored.
func FieldAt(doc any, hidden func(reflect.StructField) bool, judge func(reflect.Value) (within bool, err error)) (field string, err error) {
	return fieldAt(reflect.ValueOf(doc), deepest, hidden, judge)
}

func fieldAt(v reflect.Value, levels int, hidden func(reflect.StructField) bool, judge func(reflect.Value) (bool, error)) (field string, err error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "", nil
		}
		v = v.Elem()
	}
	if !v.IsValid() || levels == 0 {
		return "", nil
	}
	within, own := true, error(nil)
	if v.CanInterface() { // an unexported embedded struct has exported fields
		within, own = judge(v)
	}
	if !within {
		return "", own
	}
	look := func(name string, v reflect.Value) bool {
		var rest string
		if rest, err = fieldAt(v, levels-1, hidden, judge); err == nil {
			return false
		}
		if rest != "" && rest[0] != '[' {
			rest = "." + rest
		}
		field = name + rest
		return true
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if (f.IsExported() || f.Anonymous) && !hidden(f) && look(f.Name, v.Field(i)) {
				return field, err
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if look(fmt.Sprintf("[%d]", i), v.Index(i)) {
				return field, err
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if look("[…]", entries.Value()) {
				return field, err
			}
		}
	}
	return "", own
}
