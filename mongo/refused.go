package mongo

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// refused returns the error of a document that cannot be written as BSON, with the field
// at fault. The driver does not say which, so each is written by itself.
func (c *codec[T]) refused(doc *T, err error) error {
	e := &ValueError{Type: c.typ, Field: atFault(reflect.ValueOf(doc), 0), Reason: "its value cannot be written as BSON", Err: err}
	for _, known := range []error{errFraction, errFar, errUTF8, errNaN, errNothing, errRange, errName} {
		if errors.Is(err, known) {
			e.Reason = known.Error()
		}
	}
	return shown(e)
}

// atFault returns the path to the first value in v that cannot be written, "" if it is v
// itself. It looks no deeper than 100 levels, the most that MongoDB stores.
func atFault(v reflect.Value, depth int) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if depth == 100 {
		return ""
	}
	join := func(name string, v reflect.Value) (string, bool) {
		if writable(v) {
			return "", false
		}
		rest := atFault(v, depth+1)
		if rest != "" && rest[0] != '[' {
			rest = "." + rest
		}
		return name + rest, true
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() || slices.Contains([]string{field.Tag.Get("bson"), field.Tag.Get("json")}, "-") {
				continue
			}
			if path, found := join(field.Name, v.Field(i)); found {
				return path
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if path, found := join(fmt.Sprintf("[%d]", i), v.Index(i)); found {
				return path
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if path, found := join("[…]", v.MapIndex(key)); found { // a key may be a secret
				return path
			}
		}
	}
	return ""
}

// writable reports whether a value can be written.
func writable(v reflect.Value) bool {
	if v.CanAddr() {
		v = v.Addr() // so that methods of pointers count
	}
	e := bson.NewEncoder(bson.NewDocumentWriter(discard{}))
	e.SetRegistry(registry)
	e.UseJSONStructTags()
	return e.Encode(bson.D{{Key: "v", Value: v.Interface()}}) == nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
