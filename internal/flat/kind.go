package flat

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
)

var (
	timeType        = reflect.TypeFor[time.Time]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
)

func implements(t, i reflect.Type) bool {
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// isScalar reports whether a struct type is a single value.
func isScalar(t reflect.Type) bool {
	return t == timeType || implements(t, textMarshaler)
}

// classify sets the kind of a property.
func (p *candidate) classify(of reflect.Type) error {
	fail := func(reason string) error {
		return &documents.FieldError{Type: of.String(), Field: p.Field, Property: p.Name, Reason: reason}
	}
	t := p.typ
	for t.Kind() == reflect.Pointer {
		t, p.Optional = t.Elem(), true
	}
	p.typ = t
	switch {
	case t == timeType:
		p.Kind = Time
		return nil
	case implements(t, textMarshaler):
		if !implements(t, textUnmarshaler) {
			return fail("has a MarshalText and no UnmarshalText, so that it could not be read: write one")
		}
		p.Kind = Marshaled
		p.UUID = t.Kind() == reflect.Array && t.Len() == 16 && t.Elem().Kind() == reflect.Uint8
		return nil
	case implements(t, jsonMarshaler):
		return fail("has a MarshalJSON and no MarshalText, and the properties of this API are not JSON: give it a MarshalText and an UnmarshalText")
	}
	switch t.Kind() {
	case reflect.String:
		p.Kind = Text
	case reflect.Bool:
		p.Kind = Bool
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16:
		p.Kind = Int32
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.Kind = Int64
	case reflect.Float32, reflect.Float64:
		p.Kind = Float
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return fail("is a slice, and documents of this API are flat: give its type a MarshalText, or leave it out by `json:\"-\"`")
		}
		p.Kind = Binary
	case reflect.Struct:
		return fail("is a struct, and documents of this API are flat: embed it, give it a MarshalText, or leave it out by `json:\"-\"`")
	default:
		return fail("is of type " + t.String() + ", and documents of this API are flat: give its type a MarshalText, or leave it out by `json:\"-\"`")
	}
	return nil
}
